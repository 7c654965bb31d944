"""Drawn scenes: pictures, boxes and captions that belong together, and sets that share none."""

import random
from itertools import pairwise

import pytest
import torch

from regard.tasks.scenes import WORDS, Box, Scene, generating, make_scenes, split_scenes
from regard.tasks.scenes.drawing import SMALLEST, stencil
from regard.tasks.scenes.telling import COLOURS, KINDS, SCALES, Thing, in_order, is_plain, tell

SCENES = make_scenes(701, seed=5)
RELATIONS = {"above": 1, "below": 1, "left": 2, "right": 2}  # and the words of each


def ground(scene):
    return scene.image[:, :1, :1]  # a corner, where nothing may stand


def painted(scene):
    return (scene.image != ground(scene)).any(dim=0)


def same(some, others):
    return len(some) == len(others) and all(
        torch.equal(one.image, other.image) and one[1:] == other[1:]
        for one, other in zip(some, others, strict=True)
    )


def named_boxes(scene):
    """The box of each thing, in the order of the caption."""
    return [box for word, box in zip(scene.words, scene.boxes, strict=True) if word in KINDS]


def pixels(drawn):
    return drawn.shape, drawn.tobytes()


def thing(scale, kind, row=0, column=0):
    return Thing(scale, "red", kind, row, column, 0, 0)


def stencils(size):
    return {pixels(stencil(scale, kind, size)): (scale, kind) for scale in SCALES for kind in KINDS}


@pytest.mark.parametrize("size", [SMALLEST, 64, 97, 224])
def test_no_two_things_look_alike(size):
    assert len(stencils(size)) == len(SCALES) * len(KINDS)


@pytest.mark.parametrize("size", [SMALLEST, 64, 97, 224])
def test_large_things_are_at_least_half_as_tall_again_as_small_ones(size):
    for kind in KINDS:
        small, large = (stencil(scale, kind, size) for scale in ("small", "large"))
        assert large.shape[0] >= 1.5 * small.shape[0]
        assert large.sum() >= 1.8 * small.sum()


def test_the_seven_is_drawn_dot_by_dot():
    rows = ["#####", "....#", "...#.", "...#.", "..#..", "..#..", "..#.."]
    small = stencil("small", "seven", 64)
    assert ["".join(".#"[dot] for dot in row) for row in small.astype(int)] == rows
    large = stencil("large", "seven", 64)
    assert (large[::2, ::2] == small).all()
    assert (large[1::2, 1::2] == small).all()


def test_a_small_diamond_worked_by_hand():
    # 9 pixels wide: 1, 3, 5, 7, 9, 7, 5, 3, 1 of them in a row, each row in the middle
    diamond = stencil("small", "diamond", 64)
    assert diamond.sum(axis=1).tolist() == [1, 3, 5, 7, 9, 7, 5, 3, 1]
    assert (diamond == diamond[:, ::-1]).all()


@pytest.mark.parametrize("size", [SMALLEST, 64, 97])
def test_boxes_hold_all_that_is_painted_and_are_tight(size):
    for scene in make_scenes(101, seed=3, size=size):
        assert scene.image.shape == (3, size, size)
        assert scene.image.dtype == torch.uint8
        left_over = painted(scene)
        for top, left, bottom, right in named_boxes(scene):
            inside = painted(scene)[top:bottom, left:right]
            assert all(edge.any() for edge in (inside[0], inside[-1], inside[:, 0], inside[:, -1]))
            left_over[top:bottom, left:right] = False
        assert not left_over.any()


def test_things_keep_clear_of_each_other_and_of_the_border():
    for scene in SCENES:
        room = torch.zeros(64, 64, dtype=torch.int)
        for top, left, bottom, right in named_boxes(scene):
            assert min(top, left) >= 1
            assert max(bottom, right) <= 63
            room[top - 1 : bottom + 1, left - 1 : right + 1] += 1
        assert room.max() == 1


STENCILS = stencils(64)


def read_off(scene):
    """The caption by the picture alone: what stands in each cell, then the rules of telling."""
    found = []
    for row in range(3):
        for column in range(3):
            cell = painted(scene)[21 * row : 21 * row + 21, 21 * column : 21 * column + 21]
            if not cell.any():
                continue
            rows, columns = cell.any(dim=1).nonzero(), cell.any(dim=0).nonzero()
            tight = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            scale, kind = STENCILS[pixels(tight.numpy())]
            colours = scene.image[:, 21 * row : 21 * row + 21, 21 * column : 21 * column + 21]
            (colour,) = set(map(tuple, colours[:, cell].T.tolist()))
            name = next(word for word, value in COLOURS.items() if value == colour)
            found.append((scale == "small", row, column, f"a {scale} {name} {kind}"))
    found.sort()
    caption = found[0][3]
    for (_, row, column, _), (_, next_row, next_column, text) in pairwise(found):
        across = "left of" if column < next_column else "right of"
        along = "above" if row < next_row else "below"
        caption += f" {along if column == next_column else across} {text}"
    return caption


def test_the_caption_can_be_read_off_the_picture():
    for scene in SCENES[:211]:
        assert " ".join(scene.words) == read_off(scene)


def test_equal_pictures_have_equal_captions_where_few_things_make_many_meet(monkeypatch):
    monkeypatch.setattr(generating, "KINDS", ("ring", "zero", "circle"))
    monkeypatch.setattr(generating, "COLOUR_NAMES", ("red",))
    monkeypatch.setattr(generating, "GROUND", range(230, 231))
    monkeypatch.setattr(generating, "nudge", lambda size: 0)
    scenes = make_scenes(1_009, seed=2)
    told = {(scene.image.numpy().tobytes(), *scene[1:]) for scene in scenes}
    assert len({picture for picture, *_ in told}) == len(told) < 907


def test_every_word_has_the_box_of_what_it_names():
    for scene in SCENES:
        assert len(scene.words) == len(scene.boxes)
        for place, (word, box) in enumerate(zip(scene.words, scene.boxes, strict=True)):
            if word in ("a", "of", *RELATIONS):
                assert box is None
                continue
            assert isinstance(box, Box)
            if word in COLOURS:
                assert scene.boxes[place - 1] == box == scene.boxes[place + 1]
                inside = scene.image[:, box.top : box.bottom, box.left : box.right].flatten(1).T
                found = set(map(tuple, inside.tolist())) - {tuple(ground(scene).flatten().tolist())}
                assert found == {COLOURS[word]}


def centre(box):
    return (box.top + box.bottom) / 2, (box.left + box.right) / 2


def holds(word, first, second):
    """Whether the boxes stand so, far more so than in the other direction."""
    (row, column), (next_row, next_column) = centre(first), centre(second)
    down, across = next_row - row, next_column - column
    if word in ("above", "below"):
        apart = first.bottom < second.top if word == "above" else second.bottom < first.top
        return apart and abs(down) > 3 * abs(across)
    apart = first.right < second.left if word == "left" else second.right < first.left
    return apart and abs(across) > 3 * abs(down)


def test_relations_are_true_of_the_boxes_and_all_four_are_common():
    said = dict.fromkeys(RELATIONS, 0)
    for scene in SCENES:
        words = [word for word in scene.words if word in RELATIONS]
        boxes = named_boxes(scene)
        assert len(words) == len(boxes) - 1
        for word, (first, second) in zip(words, pairwise(boxes), strict=True):
            assert holds(word, first, second), scene.words
            said[word] += 1
    assert min(said.values()) > 61


def test_large_things_are_told_first_and_equal_ones_as_they_are_read():
    large = [("six", 2, 0), ("star", 1, 2), ("ring", 1, 1)]
    things = [thing("small", "two", 0, 0), *(thing("large", *where) for where in large)]
    assert [one.kind for one in in_order(things)] == ["ring", "star", "six", "two"]


def test_a_caption_worked_by_hand():
    told = [
        thing("large", "seven", 0, 2),
        thing("large", "ring", 1, 2),
        thing("small", "one", 1, 0),
    ]
    words, owners = tell(told)
    assert " ".join(words) == ("a large red seven above a large red ring right of a small red one")
    assert owners == (None, 0, 0, 0, None, None, 1, 1, 1, None, None, None, 2, 2, 2)


def test_an_order_is_plain_where_all_that_follow_each_other_share_a_row_or_a_column():
    corner, beside, below = (
        thing("large", "ring", row, column) for row, column in ((0, 0), (0, 2), (1, 2))
    )
    assert is_plain([corner, beside, below])
    assert not is_plain([corner, below, beside])


def test_captions_use_all_the_words_and_no_others():
    assert {word for scene in SCENES for word in scene.words} == set(WORDS)
    assert len(WORDS) == len(set(WORDS)) == 37


def test_scenes_of_one_two_and_three_things_all_are_common():
    counts = [len(named_boxes(scene)) for scene in SCENES]
    assert set(counts) == {1, 2, 3}
    assert min(counts.count(count) for count in (1, 2, 3)) > 101


def test_the_same_seed_gives_the_same_scenes_and_another_seed_others():
    for elsewhere in (0, 1):
        random.seed(elsewhere)  # nobody else's numbers are used
        assert same(make_scenes(13, seed=5), SCENES[:13])
    assert not same(make_scenes(13, seed=6), SCENES[:13])
    assert make_scenes(0, seed=5) == []


def test_the_three_sets_share_no_caption_and_no_picture_comes_twice():
    sets = split_scenes(503, 53, 61, seed=3)
    assert [len(scenes) for scenes in sets] == [503, 53, 61]
    train, valid, test = ({scene.words for scene in scenes} for scenes in sets)
    assert not train & valid
    assert not train & test
    assert not valid & test
    pictures = [scene.image.numpy().tobytes() for scenes in sets for scene in scenes]
    assert len(set(pictures)) == len(pictures)
    for scenes in sets:
        assert {len(named_boxes(scene)) for scene in scenes} == {1, 2, 3}


def test_a_caption_that_one_split_tests_no_other_split_teaches():
    tested = {scene.words for scene in split_scenes(0, 0, 101, seed=3, size=SMALLEST).test}
    taught = {scene.words for scene in split_scenes(503, 0, 0, seed=4).train}
    assert not tested & taught


def test_a_picture_that_comes_up_twice_is_taken_once(monkeypatch):
    plans = [plan for plan, _ in zip(generating._plans(3, 64), range(5), strict=False)]
    monkeypatch.setattr(generating, "_plans", lambda *_: iter([plans[0], *plans]))
    monkeypatch.setattr(generating, "_part", lambda _: 2)
    scenes = split_scenes(7, 0, 0, seed=0).train
    assert [scene.words for scene in scenes] == [plan.words for plan in plans]


def test_more_training_leaves_validation_and_test_as_they_were():
    small, large = split_scenes(11, 5, 7, seed=3), split_scenes(101, 5, 7, seed=3)
    assert same(small.valid, large.valid)
    assert same(small.test, large.test)
    assert same(small.train, large.train[:11])


def test_impossible_numbers_are_refused():
    with pytest.raises(ValueError, match="count is a number of scenes, 0 or more, but count=-1"):
        make_scenes(-1, seed=0)
    with pytest.raises(ValueError, match="valid is a number of scenes, 0 or more, but valid=-2"):
        split_scenes(1, -2, 1, seed=0)
    for make in (lambda size: make_scenes(1, 0, size), lambda size: split_scenes(1, 1, 1, 0, size)):
        with pytest.raises(ValueError, match=r"54 or more .* but size=53"):
            make(53)


def test_a_scene_is_a_picture_its_words_and_their_boxes():
    assert Scene._fields == ("image", "words", "boxes")
    assert Box._fields == ("top", "left", "bottom", "right")
