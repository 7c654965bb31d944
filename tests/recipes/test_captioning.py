"""Captioning recipes from end to end, at sizes that train in seconds."""

import pytest
import torch
from torch.testing import assert_close

import regard
from regard import running, viewing
from regard.command import main
from regard.metrics import attention_inside
from regard.models import Written
from regard.normalisers import Hard, Mixed, Softmax
from regard.recipes import RECIPES, turn, values_of
from regard.recipes.captioning.albums import SceneAlbum
from regard.recipes.captioning.experiment import Taught, Telling
from regard.recipes.captioning.lessons import (
    CaptionBatch,
    Doubly,
    Draws,
    Lesson,
    Pointing,
    cells_touched,
)
from regard.tasks import BEGIN, PADDING
from regard.tasks.scenes import make_scenes
from regard.training import RunFolder

SIZES = dict.fromkeys(("word_size", "state_size", "hidden_size"), 8)
TINY = {"scenes": 40, "epochs": 1, "batch": 16, "beams": 2, "annotation_size": 32, **SIZES}
KINDS = {"soft": "captions-scenes", "hard": "captions-scenes-hard"}


def trained(name, folder, **knobs):
    recipe = turn(RECIPES[name], {**TINY, **knobs})
    run = RunFolder.create(folder, {"recipe": name, **values_of(recipe)})
    recipe.train(run, "cpu", (), "the same again")
    return folder


@pytest.fixture(scope="module", autouse=True)
def few_scenes():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("regard.recipes.captioning.data.TESTED", 20)
        patch.setattr("regard.recipes.captioning.data.VALIDATED", 10)
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    base = tmp_path_factory.mktemp("captions")
    return {kind: trained(name, base / kind) for kind, name in KINDS.items()}


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path_factory.mktemp("images") / "scene.png"
    scene = make_scenes(1, seed=5)[0]
    pillow.fromarray(scene.image.permute(1, 2, 0).numpy()).save(path)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_tells_an_image_and_where_each_word_looked(runs, kind, image):
    told = regard.load(runs[kind])(str(image))
    assert str(told) == " ".join(told.words)
    assert told.weights.shape == (len(told.words), 8, 8)
    assert_close(told.weights.sum(dim=(1, 2)), torch.ones(len(told.words)))


def test_marks_that_say_nothing_are_dropped_with_their_looks(runs):
    teller = regard.load(runs["soft"])
    looks = torch.eye(64)[:4]
    written = Written([PADDING, 5, BEGIN, 6], -1.0, looks)
    told = teller.searching(lambda *_, **__: [written])("#0")
    assert told.words == teller.words.decode([5, 6])
    assert_close(told.weights.flatten(1), looks[[1, 3]])


def test_the_sheet_of_hard_looks_marks_the_cells_and_that_of_soft_ones_none(runs):
    soft, hard = (regard.load(runs[kind]).sheet("#0") for kind in KINDS)
    assert soft.chosen is None
    assert hard.weights.flatten(1).argmax(dim=1).tolist() == hard.chosen.tolist()
    assert soft.image.shape == (3, 64, 64)


@pytest.mark.parametrize("way", ["expectation", "best", "drawn"])
def test_hard_attention_tells_by_its_mean_its_best_or_by_drawing(runs, way):
    recipe = turn(running.opened(runs["hard"]), {"tell_by": way})
    teller = recipe.load(runs["hard"])
    torch.manual_seed(0)
    weights = [teller("#1").weights for _ in range(5)]
    one_hot = set(weights[0].unique().tolist()) <= {0.0, 1.0}
    assert one_hot is (way != "expectation")
    alike = all(
        each.shape == weights[0].shape and bool((each == weights[0]).all()) for each in weights
    )
    assert alike is (way != "drawn")


def test_the_same_command_draws_the_same_looks(runs, capsys):
    said = []
    for seed in ("0", "0", "1"):
        drawn = ["run", str(runs["hard"]), "#1", "--set", "tell_by=drawn", "--seed", seed, "--json"]
        assert main(drawn) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


def test_another_way_to_tell_is_refused(runs):
    recipe = turn(running.opened(runs["hard"]), {"tell_by": "luck"})
    with pytest.raises(ValueError, match="must be one of expectation, best, drawn"):
        recipe.load(runs["hard"])


@pytest.mark.parametrize("kind", KINDS)
def test_words_and_looks_are_measured(runs, kind):
    found = RECIPES[KINDS[kind]].__class__.evaluate(
        turn(running.opened(runs[kind]), {"data_seed": 3}), runs[kind]
    )
    names = {(each.metric, each.scope) for each in found}
    assert names == {("exact", "all"), ("exact", "greedy"), ("attention inside", "all"),
                     ("pointing", "all")}  # fmt: skip
    inside = next(each.value for each in found if each.metric == "attention inside")
    assert 0 < inside < 1


def telling_of(teller, album):
    taught = Taught(teller.model, Lesson(0.0, [Doubly(1.0)]))
    return Telling(taught, teller, album, album, batch=8, seed=0)


def test_batches_hold_captions_of_one_length_and_every_caption_once(runs):
    teller = regard.load(runs["soft"])
    album = SceneAlbum(make_scenes(50, seed=2))
    telling = telling_of(teller, album)
    batches = list(telling.epoch(1))
    said = [row[:-1] for batch in batches for row in batch.following.tolist()]
    assert sorted(said) == sorted(teller.words.encode(told[0]) for told in album.captions)
    assert all((batch.following[:, -1] == 2).all() for batch in batches)  # the end, no filling
    again = list(telling.epoch(1))
    assert all(torch.equal(a.words, b.words) for a, b in zip(batches, again, strict=True))
    assert any(
        not torch.equal(a.words, b.words) for a, b in zip(batches, telling.epoch(2), strict=True)
    )


def filled(batch):
    """The same captions with two words of filling behind."""
    blank = torch.zeros(len(batch.words), 2, dtype=torch.long)
    return CaptionBatch(
        *batch[:2],
        torch.cat([batch.words, blank], dim=1),
        torch.cat([batch.following, blank], dim=1),
        torch.cat([batch.boxes, blank.unsqueeze(-1).expand(-1, -1, 4)], dim=1),
    )


def test_filling_adds_nothing_to_the_loss_of_soft_attention(runs):
    teller = regard.load(runs["soft"])
    album = SceneAlbum(make_scenes(20, seed=2))
    batch = telling_of(teller, album).epoch(1)[0]
    lesson = Lesson(0.0, [Doubly(1.0)])
    loss, longer = lesson(teller.model, batch), lesson(teller.model, filled(batch))
    assert_close(loss.total, longer.total)
    assert loss.count == longer.count
    assert Lesson(0.0)(teller.model, batch).total < loss.total


def test_hard_attention_refuses_filling_and_shows_the_loss_of_the_words(runs):
    teller = regard.load(runs["hard"])
    album = SceneAlbum(make_scenes(20, seed=2))
    batch = telling_of(teller, album).epoch(1)[0]
    teller.model.tell_by(Mixed(Hard(), Softmax()))
    lesson = Lesson(0.0, [Draws(0.1, 0.01, expected=1.0)])
    shown = lesson(teller.model, batch).total
    assert_close(shown, Lesson(0.0)(teller.model, batch).total)
    with pytest.raises(ValueError, match="without filling"):
        lesson(teller.model, filled(batch))


def test_the_baseline_of_hard_attention_is_kept_with_the_run(runs):
    recipe = running.opened(runs["hard"])
    assert [type(term) for term in recipe.system.kind.terms()] == [Draws]
    from regard.parameters import read_weights

    weights = read_weights(str(runs["hard"] / "model.safetensors")).tensors
    assert weights["lesson.terms.0.score_function.baseline"] < 0  # log-likelihoods


def test_cells_are_touched_where_the_measure_counts_them():
    boxes = torch.tensor([[[0, 8, 9, 16], [0, 0, 0, 0]]])
    touched = cells_touched(boxes, torch.tensor([[32, 32]]), (4, 4)).reshape(2, 4, 4)
    assert touched[0].nonzero().tolist() == [[0, 1], [1, 1]]  # 9 > 8, but 16 is the next cell's
    assert not touched[1].any()
    look = torch.rand(1, 4, 4).softmax(dim=-1) / 4
    inside = attention_inside(look, [(0, 8, 9, 16)], size=(32, 32))
    assert inside == pytest.approx(float(look[0][touched[0]].sum()))


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_pointing_is_the_logarithm_of_what_lies_inside(runs, kind):
    teller = regard.load(runs[kind])
    teller.model.tell_by(Softmax())
    album = SceneAlbum(make_scenes(20, seed=2))
    batch = telling_of(teller, album).epoch(1)[0]
    encoded = teller.model.encoder(batch.inputs, batch.sizes)
    logits, looks = teller.model.decoder(encoded, batch.words)
    weights = torch.cat([seen.weights for seen in looks], dim=-2)
    inside = (weights * cells_touched(batch.boxes, batch.sizes, encoded.grid)).sum(dim=-1)
    wanted = -0.5 * inside[batch.boxes.any(dim=-1)].log().sum()
    assert_close(Pointing(0.5)(encoded, batch, logits, looks), wanted)


def test_looks_cannot_be_taught_without_boxes():
    recipe = turn(RECIPES["captions-flickr8k"], {"guidance": 0.3})
    with pytest.raises(ValueError, match=r"--guidance 0\.3 needs the boxes .* flickr8k"):
        recipe._terms()


def test_one_image_that_cannot_be_read_stops_no_other(runs, image, tmp_path, capsys):
    broken = tmp_path / "broken.png"
    broken.write_bytes(image.read_bytes()[:200])
    text = tmp_path / "text.png"
    text.write_text("no image")
    names = [str(each) for each in (image, broken, tmp_path / "missing.png", text, image)]
    assert main(["run", str(runs["soft"]), *names]) == 1
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert len(lines) == 5
    assert lines[1] == lines[2] == lines[3] == ""
    assert lines[0] == lines[4]
    for name in ("broken.png", "missing.png", "text.png"):
        assert name in shown.err


@pytest.mark.parametrize("kind", ["html", "png"])
def test_what_a_caption_looked_at_is_drawn(runs, image, tmp_path, kind):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"looks.{kind}"
    assert main(["show", str(runs["hard"]), str(image), "--to", str(path)]) == 0
    assert path.stat().st_size > 1_000


@pytest.mark.parametrize("option", [[], ["--cells"]])
def test_a_picture_is_smooth_unless_cells_are_asked_for(runs, image, tmp_path, monkeypatch, option):
    pytest.importorskip("matplotlib")
    asked = []
    drawing = viewing.show_picture
    monkeypatch.setattr(
        viewing, "show_picture", lambda sheet, smooth: asked.append(smooth) or drawing(sheet)
    )
    arguments = ["show", runs["hard"], image, *option, "--to", tmp_path / "looks.png"]
    assert main([str(word) for word in arguments]) == 0
    assert asked == [not option]


def test_own_pictures_want_both_files():
    with pytest.raises(ValueError, match="--captions FILE --images FOLDER"):
        RECIPES["captions-pictures"].data.albums()


def test_a_number_of_a_test_image_that_is_not_there_is_refused(runs):
    with pytest.raises(ValueError, match="#20: there are 20 test images"):
        regard.load(runs["soft"])("#20")
