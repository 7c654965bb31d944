"""The page of guarantees is the one that the cases give."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_guarantees_is_that_of_the_cases():
    spec = importlib.util.spec_from_file_location("guarantees", DOCS / "guarantees.py")
    guarantees = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(guarantees)
    written = (DOCS / "guarantees.md").read_text(encoding="utf-8")
    assert written == guarantees.page(seen=lambda case, guarantee: True), "run make docs"
