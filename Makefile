# Each target sets up what it needs: a machine with Python 3.11 or newer, pip and make is enough.
# PYTHON=python3.12 make test   takes another Python.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export OMP_WAIT_POLICY ?= PASSIVE
export ONEDNN_MAX_CPU_ISA ?= AVX512_CORE_FP16

.PHONY: demo test lint types bench docs clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    train a translator with attention in two minutes, and see where it looks"
	@echo "make test    run all tests"
	@echo "make lint    check style        make types   check types"
	@echo "make bench   measure against the peers and write BENCHMARKS.md"
	@echo "make docs    draw the pictures and tables of docs/"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp per set of extras, so that nothing is installed twice.
$(VENV)/demo.stamp: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet -c constraints.txt -e ".[view,text]"
	touch $@

$(VENV)/test.stamp: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet -c constraints.txt -e ".[view,text,test,quality]"
	touch $@ $(VENV)/demo.stamp

demo: $(VENV)/demo.stamp
	$(BIN)/python examples/demo.py

# Shape types are checked at every call; torch.compile and the messages of bad input want them off.
test: $(VENV)/test.stamp
	$(BIN)/python -m pytest tests -n 2 --ignore tests/unchecked --jaxtyping-packages=regard,beartype.beartype
	$(BIN)/python -m pytest tests/unchecked -n 2

lint: $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/test.stamp
	$(BIN)/mypy

bench: $(VENV)/test.stamp
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/test.stamp
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/results.py
	$(BIN)/python docs/guarantees.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
