"""Several processes train as one does on the same batches."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close
from trainee import Repeating, curve, run, schedule, state, train_in_crew

from regard.training.experiment import share


def train_together(
    processes, path, *, rows=6, dropout=0.0, stop_at=0, accumulate=1, exit_codes=(0, 0)
):
    arguments = (rows, dropout, stop_at, accumulate)
    crew = [
        processes.Process(target=train_in_crew, args=(path, rank, 2, *arguments), daemon=True)
        for rank in range(2)
    ]
    try:
        for process in crew:
            process.start()
        for process in crew:
            process.join(60)
    finally:  # where one waits for the other for ever
        for process in crew:
            process.kill()
    assert tuple(process.exitcode for process in crew) == exit_codes
    return path


def assert_same_curve(first, second):
    """Two runs measured the same at the same steps, as far as float sums allow."""
    one, two = curve(first), curve(second)
    assert [line["step"] for line in one] == [line["step"] for line in two]
    assert len(one) > 10
    assert_close(one, two, rtol=1e-4, atol=1e-5)
    weights = [
        {name: part for name, part in state(path).tensors.items() if name.startswith("model.")}
        for path in (first, second)
    ]
    for part in weights:
        part.pop("model.calls")  # a buffer that counts forward passes
    assert_close(*weights, rtol=1e-3, atol=1e-5)


def test_two_processes_under_torchrun_give_the_curve_of_one(tmp_path):
    run(tmp_path / "one", Repeating(dropout=0.0))
    command = [
        sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2",
        "--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0", "--local-addr", "127.0.0.1",
        str(Path(__file__).with_name("trainee.py")), str(tmp_path / "two"),
    ]  # fmt: skip
    quiet = os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    done = subprocess.run(
        command, env=quiet, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("step 20, epoch 2.50") == 1, done.stderr  # one process speaks
    assert_same_curve(tmp_path / "one", tmp_path / "two")


@pytest.mark.parametrize("accumulate", [1, 3])
@pytest.mark.parametrize("rows", [1, 5])
def test_uneven_and_empty_shares_count_by_their_items(tmp_path, processes, rows, accumulate):
    run(tmp_path / "one", Repeating(0.0, rows), schedule(accumulate=accumulate))
    train_together(processes, tmp_path / "two", rows=rows, accumulate=accumulate)
    assert_same_curve(tmp_path / "one", tmp_path / "two")


def test_ctrl_c_in_one_process_stops_all_and_each_goes_on_with_its_own_noise(tmp_path, processes):
    stopped = train_together(processes, tmp_path / "stopped", dropout=0.2, stop_at=7)
    assert state(stopped).rest["progress"]["step"] == 7
    train_together(processes, stopped, dropout=0.2)
    whole = train_together(processes, tmp_path / "whole", dropout=0.2)
    one, two = state(stopped).tensors, state(whole).tensors
    assert one["model.calls"] == 20
    assert all(torch.equal(one[name], two[name]) for name in two if "gauss" not in name)
    assert not torch.equal(one["random.0.torch"], one["random.1.torch"])
    assert curve(stopped) == curve(whole)


def test_a_run_of_two_processes_goes_on_with_one_and_says_so(tmp_path, processes, capfd):
    train_together(processes, tmp_path / "run", stop_at=7)
    run(tmp_path / "run", Repeating(dropout=0.0))
    assert "saved by 2 processes and going on with 1" in capfd.readouterr().err
    run(tmp_path / "one", Repeating(dropout=0.0))
    assert_same_curve(tmp_path / "one", tmp_path / "run")


def test_what_one_process_may_not_do_stops_all(tmp_path, processes):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear diary")
    train_together(processes, tmp_path / "full", exit_codes=(1, 3))


def test_shares_of_a_batch_are_all_of_it_once():
    batch = (torch.arange(7), torch.arange(14).view(7, 2))
    shares = [share(batch, rank, 3) for rank in range(3)]
    assert [len(part[0]) for part in shares] == [2, 2, 3]
    assert torch.equal(torch.cat([part[1] for part in shares]), batch[1])
    assert [share(torch.arange(1), rank, 2) for rank in range(2)] == [None, torch.tensor([0])]


def test_a_batch_that_cannot_be_shared_out_says_what_to_do():
    with pytest.raises(TypeError, match=r"the batch is a dict; give .* own shard"):
        share({"words": torch.arange(3)}, 0, 2)
    with pytest.raises(ValueError, match=r"shapes are \[\(3,\), \(2,\)\]; give .* own shard"):
        share((torch.arange(3), torch.arange(2)), 0, 2)
