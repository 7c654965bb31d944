"""A checkpoint is whole or not there, and what is not whole is never used."""

import errno
import json
import os
import re
import signal
from functools import partial
from pathlib import Path

import pytest
import safetensors.torch
import torch
from trainee import Repeating, curve, run, schedule, state

import regard
from regard.training import (
    CheckpointError,
    Interrupted,
    RunFolder,
    SavingError,
    Steps,
    load_weights,
)
from regard.training.checkpoints import States, pack, unpack
from regard.training.packing import pack_optimiser, unpack_optimiser


def halfway(path, step=12):
    """A run that was stopped, with two generations of checkpoints."""

    def trouble(call):
        if call == step:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted):
        run(path, Repeating(trouble=trouble))
    return States(path / "state").generations()


def cut_short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scratch(path):
    """One bit turned in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) * 3 // 4] ^= 1
    path.write_bytes(bytes(content))


def alter(path):
    """Another number, in a file that is still JSON."""
    path.write_text(re.sub(r'"step": \d+', '"step": 99', path.read_text()))


DAMAGES = {
    "tensors cut short": ("tensors.safetensors", cut_short, r"has \d+ of the \d+ bytes that were"),
    "tensors scratched": ("tensors.safetensors", scratch, "its checksum differs"),
    "tensors gone": ("tensors.safetensors", Path.unlink, "there is no tensors.safetensors"),
    "rest cut short": ("rest.json", cut_short, "rest.json is cut short"),
    "rest emptied": ("rest.json", lambda path: path.write_bytes(b""), "rest.json is cut short"),
    "rest of another kind": ("rest.json", lambda path: path.write_text("[1]"), "rest.json is cut"),
    "rest scratched": ("rest.json", scratch, "rest.json is"),
    "rest altered": ("rest.json", alter, "rest.json is not what was written: its checksum"),
    "rest gone": ("rest.json", Path.unlink, "there is no rest.json"),
}
every_damage = pytest.mark.parametrize("damage", DAMAGES)


@every_damage
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(tmp_path, damage, capfd):
    name, harm, _ = DAMAGES[damage]
    run(tmp_path / "whole")
    older, newer = halfway(tmp_path / "run")
    harm(newer / name)
    capfd.readouterr()
    run(tmp_path / "run")
    said = capfd.readouterr().err
    assert f"not used: {newer}: " in said
    assert "going on from the checkpoint before it, of step 10" in said
    assert curve(tmp_path / "run") == curve(tmp_path / "whole")
    one, two = state(tmp_path / "run").tensors, state(tmp_path / "whole").tensors
    assert all(torch.equal(one[name], two[name]) for name in two if "random" not in name)
    assert not older.exists()
    assert not newer.exists()


@every_damage
def test_when_no_checkpoint_is_whole_each_is_named_and_nothing_is_begun_anew(tmp_path, damage):
    name, harm, message = DAMAGES[damage]
    older, newer = halfway(tmp_path)
    harm(newer / name)
    harm(older / name)
    before = (tmp_path / "metrics.jsonl").read_bytes()
    with pytest.raises(
        CheckpointError, match=rf"cannot go on: .*{newer.name}.*{message}.*{older.name}"
    ):
        run(tmp_path)
    assert (tmp_path / "metrics.jsonl").read_bytes() == before


def test_a_checkpoint_of_a_later_format_is_not_guessed_at(tmp_path):
    packed = pack(state_of_a_run(tmp_path))
    content = json.loads(packed.rest)
    content.pop("sha256")
    from regard.training.checkpoints import _checksum

    content["format"] = 2
    later = json.dumps({"sha256": _checksum(content), **content}).encode()
    with pytest.raises(CheckpointError, match="of format 2, but this version of regard reads 1"):
        unpack(packed._replace(rest=later))


def state_of_a_run(path):
    run(path, plan=schedule(2))
    return state(path)


def test_measurements_without_a_state_are_not_overwritten(tmp_path):
    for path in halfway(tmp_path):
        for file in path.iterdir():
            file.unlink()
        path.rmdir()
    with pytest.raises(
        ValueError, match="holds measurements or a model, but no state to go on from"
    ):
        run(tmp_path)


@pytest.mark.parametrize("file", ["tensors.safetensors", "rest.json"])
def test_a_full_disk_leaves_the_checkpoint_before_and_says_so(tmp_path, monkeypatch, file):
    from regard.training import checkpoints

    written, whole = [], checkpoints.write_durably

    def write(path, content):
        written.append(path)
        if path.name == file and len(written) > 4:  # the third checkpoint
            path.write_bytes(content[: len(content) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        whole(path, content)

    with monkeypatch.context() as full:
        full.setattr(checkpoints, "write_durably", write)
        with pytest.raises(
            SavingError,
            match=r"step 10 could not be saved \(No space left on device\); the last good state is "
            r"that of step 5, in .*000001. Make room, then go on with regard go",
        ) as error:
            run(tmp_path / "run", resume_with="regard go")
    assert error.value.errno == errno.ENOSPC
    assert sorted(path.name for path in (tmp_path / "run" / "state").iterdir()) == [
        "000000",
        "000001",
    ]
    run(tmp_path / "run")
    run(tmp_path / "whole")
    assert curve(tmp_path / "run") == curve(tmp_path / "whole")


def test_what_a_kill_left_half_written_is_swept_away(tmp_path):
    *_, newer = halfway(tmp_path)
    left = newer.with_name("000099.unfinished")
    left.mkdir()
    (left / "tensors.safetensors").write_bytes(b"half")
    run(tmp_path)
    assert not left.exists()


def test_a_run_folder_holds_no_pickle_and_two_generations(tmp_path):
    run(tmp_path)
    files = sorted(
        str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()
    )
    assert files == [
        ".held", "environment.json", "knobs.json", "metrics.jsonl", "model.safetensors",
        "state/000003/rest.json", "state/000003/tensors.safetensors",
        "state/000004/rest.json", "state/000004/tensors.safetensors",
    ]  # fmt: skip


def test_no_file_of_the_house_can_load_a_pickle():
    sources = sorted(Path(regard.__file__).parent.rglob("*.py"))
    pickling = re.compile(r"(?<!safetensors\.)\btorch\.(load|save)\b|import pickle|_object\b")
    # The image encoder's package has no other form; torch's restricted reader runs no code.
    harmless = 'torch.load(path, map_location="cpu", weights_only=True)'
    texts = {path: path.read_text(encoding="utf-8").replace(harmless, "") for path in sources}
    found = [path for path, text in texts.items() if pickling.search(text)]
    assert len(sources) > 50
    assert found == []


def test_an_optimiser_whose_state_is_neither_tensors_nor_numbers_is_refused_at_once(tmp_path):
    class Diary(torch.optim.SGD):
        def __init__(self, parameters):
            super().__init__(parameters, lr=0.1)
            self.state[self.param_groups[0]["params"][0]]["thoughts"] = {"today": 1}

    experiment = Repeating()
    with pytest.raises(
        TypeError, match="'thoughts' in the state of Diary is a dict, but checkpoints"
    ):
        run(tmp_path, experiment, schedule(optimiser=Diary))
    assert experiment.calls == 0


def test_another_optimiser_does_not_go_on_with_a_state_that_is_not_its_own(tmp_path):
    halfway(tmp_path)
    with pytest.raises(ValueError, match="made with Adam and cannot go on with SGD"):
        run(tmp_path, plan=schedule(optimiser=partial(torch.optim.SGD, lr=0.1)))


def test_settings_of_an_optimiser_come_back_with_the_types_they_had():
    weight = torch.nn.Parameter(torch.zeros(3))
    optimiser = torch.optim.AdamW([weight], lr=0.3, betas=(0.7, 0.8))
    weight.grad = torch.ones(3)
    optimiser.step()
    tensors, rest = pack_optimiser(optimiser)
    other = torch.optim.AdamW([weight])
    unpack_optimiser(other, tensors, json.loads(json.dumps(rest)))
    assert other.param_groups == optimiser.param_groups
    assert other.state_dict()["state"].keys() == {0}
    assert other.state[weight]["exp_avg"].data_ptr() != tensors["0.exp_avg"].data_ptr()


def test_ties_that_are_no_json_are_refused_by_name(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(safetensors.torch.save({"weight": torch.zeros(2)}, {"tied": "what?"}))
    with pytest.raises(ValueError, match=r"model.safetensors' says in no JSON what is tied"):
        load_weights(torch.nn.Linear(2, 3), path)


def test_weights_of_another_model_are_refused(tmp_path):
    run(tmp_path, plan=schedule(2))
    with pytest.raises(
        ValueError, match=r"does not fit this model: tied are .* there and no names"
    ):
        load_weights(torch.nn.Linear(2, 3), tmp_path / "model.safetensors")
    model = Repeating().model
    model.cell = torch.nn.GRU(7, 5, batch_first=True)
    with pytest.raises(ValueError, match=r"does not fit this model: [^;]*size mismatch for cell"):
        RunFolder.open(tmp_path).load_model(model)
    cut_short(tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="is cut short or no safetensors file"):
        RunFolder.open(tmp_path).load_model(Repeating().model)


def test_tensors_that_share_memory_without_being_tied_are_each_kept():
    from regard.parameters import pack_model

    model = torch.nn.Module()
    whole = torch.arange(6.0)
    model.register_buffer("whole", whole)
    model.register_buffer("part", whole[:3])
    model.register_buffer("spread", whole[:1].expand(4))
    tensors, tied = pack_model(model)
    assert tied == {}
    assert torch.equal(tensors["part"], torch.arange(3.0))
    assert torch.equal(tensors["spread"], torch.zeros(4))
    assert len({tensor.untyped_storage().data_ptr() for tensor in tensors.values()}) == 3


def test_steps_between_checkpoints_are_those_asked_for(tmp_path):
    kept = []
    write = States.write

    def watch(states, packed):
        kept.append(json.loads(packed.rest)["rest"]["progress"]["step"])
        return write(states, packed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(States, "write", watch)
        run(tmp_path, plan=schedule(save=Steps(6)))
    assert kept == [0, 6, 12, 18, 20]
