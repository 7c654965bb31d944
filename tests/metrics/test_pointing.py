"""Looks against boxes, worked by hand, and what is refused."""

import pytest
import torch

from regard.metrics.pointing import attention_covered, attention_inside, pointing_hits

# An image of 20 by 30 pixels under two rows and three columns: each cell has 10 by 10 pixels.
SIZE = (20, 30)
LOOKS = torch.tensor(
    [
        [[0.5, 0.2, 0.1], [0.1, 0.1, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        [[0.0, 0.1, 0.3], [0.0, 0.0, 0.6]],
    ]
)
METRICS = [attention_inside, attention_covered, pointing_hits]


def test_cells_that_the_box_touches_count_whole_and_words_without_a_box_do_not():
    boxes = [(0, 5, 15, 20), None, (5, 20, 10, 30)]
    # touched: all but the last column, 0.9; the last cell of the first row, 0.3
    assert attention_inside(LOOKS, boxes, SIZE) == pytest.approx((0.9 + 0.3) / 2)


def test_cells_count_by_the_area_covered_in_the_strict_version():
    boxes = [(0, 5, 15, 20), None, (5, 20, 10, 30)]
    # covered: 1/2, 1, 0 and 1/4, 1/2, 0; half of one cell
    first = 0.5 / 2 + 0.2 + 0.1 / 4 + 0.1 / 2
    assert attention_covered(LOOKS, boxes, SIZE) == pytest.approx((first + 0.3 / 2) / 2)


def test_the_best_look_at_a_thing_smaller_than_a_cell_is_perfect():
    boxes = [None, (2, 3, 4, 7), None]
    assert attention_inside(LOOKS, boxes, SIZE) == 1
    assert pointing_hits(LOOKS, boxes, SIZE) == 1
    assert attention_covered(LOOKS, boxes, SIZE) == pytest.approx(2 * 4 / 100)


def test_a_box_that_ends_at_a_cells_edge_does_not_touch_the_next():
    assert attention_inside(LOOKS, [(0, 0, 10, 10), None, None], SIZE) == pytest.approx(0.5)
    assert attention_inside(LOOKS, [(10, 10, 20, 20), None, None], SIZE) == pytest.approx(0.1)


def test_hits_are_the_largest_cells_that_the_box_touches():
    corner, middle = (0, 0, 5, 5), (0, 12, 20, 18)
    assert pointing_hits(LOOKS, [corner, corner, corner], SIZE) == pytest.approx(2 / 3)
    assert pointing_hits(LOOKS, [middle, None, (11, 21, 12, 22)], SIZE) == 0.5


def test_even_weights_score_the_share_of_cells():
    even = torch.full((1, 5, 7), 1 / 35)
    box = [(0, 0, 21, 44)]  # of 50 by 70 pixels: three rows and five columns
    assert attention_inside(even, box, (50, 70)) == pytest.approx(15 / 35)
    assert attention_covered(even, box, (50, 70)) == pytest.approx(21 * 44 / (50 * 70))


def test_the_part_of_a_box_outside_the_image_is_left_out():
    assert attention_covered(LOOKS, [(-7.5, -5, 10, 10), None, None], SIZE) == pytest.approx(0.5)


def test_half_precision_is_close_enough_to_one():
    looks = torch.randn(3, 7, 11).flatten(1).softmax(-1).half().reshape(3, 7, 11)
    assert attention_inside(looks, [(0, 0, 20, 30)] * 3, SIZE) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("metric", METRICS)
def test_looks_and_boxes_that_cannot_be_judged_are_refused(metric):
    box = (0, 0, 5, 5)
    with pytest.raises(ValueError, match="weights of 3 words and 2 boxes"):
        metric(LOOKS, [box, None], SIZE)
    with pytest.raises(ValueError, match="none of the 3 words has a box"):
        metric(LOOKS, [None, None, None], SIZE)
    with pytest.raises(ValueError, match=r"that of word 1 is \(5, 0, 5, 5\)"):
        metric(LOOKS, [None, (5, 0, 5, 5), None], SIZE)
    with pytest.raises(ValueError, match=r"word 2, \(20, 0, 25, 5\), lies outside .* \(20, 30\)"):
        metric(LOOKS, [None, None, (20, 0, 25, 5)], SIZE)
    with pytest.raises(ValueError, match=r"height and width in pixels, but it is \(0, 30\)"):
        metric(LOOKS, [box, None, None], (0, 30))


@pytest.mark.parametrize("metric", METRICS)
def test_weights_that_are_no_distribution_are_refused(metric):
    boxes = [(0, 0, 5, 5), None, None]
    with pytest.raises(ValueError, match="those of word 0 sum to 2"):
        metric(2 * LOOKS, boxes, SIZE)
    with pytest.raises(ValueError, match="those of word 0 sum to nan"):
        metric(LOOKS / 0, boxes, SIZE)
    with pytest.raises(ValueError, match=r"the smallest being -0\.5"):
        metric(LOOKS - torch.tensor([[1.0, -1.0, 0], [0, 0, 0]]), boxes, SIZE)
    assert metric(LOOKS * torch.tensor([1.0, 0, 0])[:, None, None], boxes, SIZE) > 0  # padding
