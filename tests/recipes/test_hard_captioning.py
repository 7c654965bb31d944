"""How hard attention is trained: a coin for each batch, soft epochs first, judged as it tells."""

import pytest
import torch

import regard
from regard.command import main
from regard.normalisers import Hard, Mixed, Softmax
from regard.recipes.captioning.albums import SceneAlbum
from regard.recipes.captioning.experiment import Taught, Telling
from regard.recipes.captioning.lessons import Draws, Lesson
from regard.tasks.scenes import make_scenes


def telling_of(teller, album):
    return Telling(Taught(teller.model, Lesson(0.0)), teller, album, album, batch=8, seed=0)


def test_a_coin_for_each_batch_says_whether_its_looks_are_drawn():
    teller = regard.load("captions-scenes-hard")
    teller.model.tell_by(Mixed(Hard(), Softmax()))
    teller.model.train()
    batch = telling_of(teller, SceneAlbum(make_scenes(20, seed=2))).epoch(1)[0]
    torch.manual_seed(0)
    drawn = []
    for _ in range(40):
        Lesson(0.0, [term := Draws(0.1, 0.01, expected=0.25)])(teller.model, batch)
        assert term.soft_epochs == 0
        _, looks = teller.model(batch.inputs, batch.sizes, batch.words)
        chosen = {bool((seen.weights.amax(dim=-1) == 1).all()) for seen in looks}
        assert len(chosen) == 1  # all looks of the batch alike
        drawn += chosen
    assert 0.55 < sum(drawn) / len(drawn) < 0.95


def test_looks_are_soft_in_the_first_epochs_of_hard_attention_if_asked_for():
    teller = regard.load("captions-scenes-hard")
    teller.model.tell_by(Mixed(Hard(), Softmax()))
    telling = telling_of(teller, SceneAlbum(make_scenes(20, seed=2)))
    telling.model.lesson = Lesson(0.0, [Draws(0.1, 0.01, expected=0.0, soft_epochs=2)])
    shares, kept = [], []
    for number in (1, 2, 3):
        telling.loss(telling.epoch(number)[0])
        shares.append(teller.model.normaliser.share)
        kept.append(telling.ready)
    assert shares == [1, 1, 0]
    assert kept == [False, False, True]  # what has drawn nothing is no hard attention


def test_a_share_is_refused_where_looks_are_all_alike():
    with pytest.raises(TypeError, match=r"two normalisers.* but this captioner's look has Softmax"):
        regard.load("captions-scenes").model.mix(0.5)


def test_runs_are_judged_by_the_looks_that_they_tell_by(monkeypatch):
    teller = regard.load("captions-scenes-hard")
    trained_by, telling = Mixed(Hard(), Softmax()), Softmax()
    teller.model.tell_by(trained_by)
    album = SceneAlbum(make_scenes(2, seed=2))
    judged = Telling(
        Taught(teller.model, Lesson(0.0)), teller, album, album, batch=8, seed=0, telling=telling
    )
    told_by = []
    tell = teller.tell
    monkeypatch.setattr(
        teller, "tell", lambda album: told_by.append(teller.model.normaliser) or tell(album)
    )
    judged.validate()
    assert told_by == [telling]
    assert teller.model.normaliser is trained_by


def test_soft_epochs_that_leave_none_to_draw_in_are_refused(tmp_path, capsys):
    arguments = ["train", "captions-scenes-hard", "--soft-epochs", "3", "--epochs", "3"]
    assert main([*arguments, "--to", str(tmp_path / "run")]) == 1
    assert "--soft-epochs 3 leaves no epoch of --epochs 3 to draw" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_scenes_are_whole_cells(tmp_path, capsys):
    arguments = ["train", "captions-scenes-hard", "--pixels", "60", "--to", str(tmp_path / "run")]
    assert main(arguments) == 1
    assert "a multiple of 8, but --pixels is 60" in capsys.readouterr().err
