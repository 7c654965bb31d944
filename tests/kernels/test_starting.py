"""When Numba is imported, compiled, kept, done without, threaded and forked."""

import logging
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import numba
import numpy
import pytest
import torch

from regard.kernels import compiling, threads

SOURCE = str(Path(compiling.__file__).parents[2])


def run(code, **environment):
    """What ``code`` prints in a process of its own."""
    settings = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


LOOK = """
import torch
from regard.kernels import additive, sparsemax
torch.manual_seed(0)
shapes = (3, 61, 67), (3, 71, 67), (67,), (3, 71, 5)
inputs = [torch.randn(shape, requires_grad=True) for shape in shapes]
context = additive.attend(*inputs).context
context.sum().backward()
print([round(float(each), 3) for each in (context.detach().norm(), inputs[0].grad.norm())])
weights = sparsemax.sparsemax(inputs[0])
"""


def test_importing_the_kernels_imports_neither_numba_nor_the_compiler_of_torch():
    code = """
import sys
from regard.kernels import additive, compiling, entmax15, rows, sparsemax, threads
print("numba" in sys.modules, "torch._dynamo" in sys.modules)
"""
    assert run(code)[0] == "False False"


def test_calling_a_kernel_imports_numba_but_not_the_compiler_of_torch():
    code = LOOK + "\nimport sys; print('numba' in sys.modules, 'torch._dynamo' in sys.modules)"
    assert run(code)[0].splitlines()[-1] == "True False"


def test_the_kernels_can_be_switched_off_without_changing_results():
    code = LOOK + "\nimport sys; print('numba' in sys.modules)"
    on, off = (run(code, REGARD_KERNELS=state)[0].splitlines() for state in ("on", "off"))
    assert (on[-1], off[-1]) == ("True", "False")
    assert on[0] == off[0]


def test_without_numba_the_plain_path_runs():
    hide = "import sys; sys.modules['numba'] = None\n"
    code = hide + "import importlib.util; importlib.util.find_spec = lambda name: None\n" + LOOK
    assert run(code)[0] == run(LOOK)[0]


def test_kernels_run_where_no_cache_folder_can_be_written(tmp_path):
    code = "import numba.core.caching as caching\ncaching.CacheImpl._locator_classes = []\n" + LOOK
    assert run(code)[0] == run(LOOK)[0]


SLOW_DISK = """
import time
from numba.core.caching import Cache

read = Cache.load_overload
Cache.load_overload = lambda *asked: (time.sleep(1.5), read(*asked))[1]
"""


def test_compiling_is_said_once_and_kept_for_the_next_process(tmp_path):
    first = run(LOOK, NUMBA_CACHE_DIR=str(tmp_path))[1]
    assert first.count("compiling the additive kernel, once; kept for next time") == 1
    assert list(tmp_path.rglob("*.nbc"))
    stale = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
    assert "compiling" not in run(LOOK, NUMBA_CACHE_DIR=str(tmp_path))[1]
    assert "compiling" not in run(SLOW_DISK + LOOK, NUMBA_CACHE_DIR=str(tmp_path))[1]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == stale


def test_what_somebody_else_compiles_meanwhile_is_not_said(caplog):
    other = numba.njit(lambda array: array.sum())
    kernel = compiling.Compiled(lambda array: None)
    kernel._dispatcher = partial(other)
    with caplog.at_level(logging.WARNING, logger="regard"):
        kernel(numpy.ones(3))
    assert other.signatures
    assert not caplog.records


def test_other_errors_of_compiling_are_not_hidden():
    def wrong(array):
        array.no_such_thing()

    with pytest.raises(Exception, match="no_such_thing"):
        compiling.Compiled(wrong)(numpy.zeros(3))


def test_pieces_run_on_threads_only_when_the_work_is_worth_it(monkeypatch):
    before = torch.get_num_threads()
    names = []

    def work(piece):
        names.append(threading.current_thread().name)

    try:
        torch.set_num_threads(2)
        threads.spread(work, 5, threads.WORTHWHILE - 1)
        assert set(names) == {threading.current_thread().name}
        names.clear()
        threads.spread(work, 5, threads.WORTHWHILE)
        assert len(names) == 5
        assert all(name.startswith("regard-kernels") for name in names)
    finally:
        torch.set_num_threads(before)


def test_workers_use_one_thread_and_leave_everybody_elses_number_alone():
    before = torch.get_num_threads()
    inside, born = [], []
    threads._forget_pools()  # those of other tests were settled long ago
    try:
        torch.set_num_threads(2)
        threads.spread(lambda _: inside.append(torch.get_num_threads()), 3, threads.WORTHWHILE)
        assert inside == [1, 1, 1]
        assert torch.get_num_threads() == 2
        later = threading.Thread(target=lambda: born.append(torch.get_num_threads()))
        later.start()
        later.join()
        assert born == [2]
    finally:
        torch.set_num_threads(before)


def test_an_error_in_a_piece_reaches_the_caller():
    before = torch.get_num_threads()

    def work(piece):
        if piece == 3:
            raise ValueError("piece 3 is broken")

    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            with pytest.raises(ValueError, match="piece 3 is broken"):
                threads.spread(work, 5, threads.WORTHWHILE)
    finally:
        torch.set_num_threads(before)


def test_a_forked_child_spreads_work_again():
    code = """
import os, signal, torch
from regard.kernels import threads
torch.set_num_threads(2)
done = []
threads.spread(done.append, 5, threads.WORTHWHILE)
child = os.fork()
if child == 0:
    signal.alarm(20)
    done.clear()
    threads.spread(done.append, 5, threads.WORTHWHILE)
    os._exit(len(done))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(code)[0] == "5"
