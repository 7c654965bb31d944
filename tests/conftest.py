"""Set before torch is imported: quiet threads, and no instruction that a virtual CPU traps."""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")

import pytest
import torch

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def one_thread():
    """Training chooses its threads for the whole process; the next test starts with one again."""
    yield
    torch.set_num_threads(1)
