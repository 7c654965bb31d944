"""Processes to be killed, or to train together: forked from one that has imported torch already."""

import multiprocessing
import os
from pathlib import Path

import pytest


@pytest.fixture
def processes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["trainee"])
    return context
