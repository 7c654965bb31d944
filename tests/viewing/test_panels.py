"""What a panel shows: the weights as they are, the words as they are, and nothing untrue."""

import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from regard.masks import causal
from regard.viewing import draw, draw_mask

WORDS = ["a", "b", "c", "d", "e"]


def panel():
    return Figure(figsize=(3, 3), dpi=100).add_subplot()


def pixels(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return torch.tensor(canvas.buffer_rgba().tolist())


def brightness(axes, row, column):
    """What is seen in the upper left of a cell, away from its number, from 0 to 1."""
    image = pixels(axes.figure)
    across, up = axes.transData.transform((column + 0.2, row + 0.2))
    red, green, blue, _ = image[image.shape[0] - int(up) - 1, int(across)].tolist()
    assert red == green == blue
    return red / 255


def written(axes):
    return [text.get_text() for text in axes.texts]


def test_the_drawn_numbers_are_the_weights():
    axes, weights = panel(), torch.rand(3, 5)
    mesh = draw(axes, weights)
    assert torch.equal(torch.tensor(mesh.get_array().reshape(3, 5)), weights.double())


def test_a_cell_is_as_bright_as_its_weight_and_the_first_query_is_on_top():
    axes = panel()
    draw(axes, torch.tensor([[0.0, 0.2, 0.8], [1.0, 0.0, 0.0]]))
    assert brightness(axes, 0, 0) == 0
    assert brightness(axes, 0, 1) == pytest.approx(0.2, abs=0.01)
    assert brightness(axes, 0, 2) == pytest.approx(0.8, abs=0.01)
    assert brightness(axes, 1, 0) == 1
    assert axes.transData.transform((0, 0))[1] > axes.transData.transform((0, 1))[1]


def test_scale_says_which_numbers_are_black_and_white():
    axes = panel()
    draw(axes, torch.tensor([[-2.0, 0.0, 2.0]]), scale=(-2.0, 2.0))
    shades = [brightness(axes, 0, column) for column in range(3)]
    assert shades == pytest.approx([0, 0.5, 1], abs=0.01)


def test_true_is_bright_in_a_mask():
    axes = panel()
    draw_mask(axes, causal(2))
    cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    assert [brightness(axes, *cell) for cell in cells] == [1, 0, 1, 1]


def test_rows_are_queries_and_columns_are_keys():
    axes = panel()
    draw(axes, torch.rand(3, 5), ["x", "y", "z"], WORDS)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "y", "z"]
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS


def test_a_word_that_looks_like_a_formula_is_shown_as_it_is():
    axes, plain = panel(), panel()
    draw(axes, torch.rand(1, 1), ["$x$"], ["$\\frac{$"])  # as a formula the second is broken
    draw(plain, torch.rand(1, 1), ["x"], ["x"])
    pixels(axes.figure), pixels(plain.figure)
    formula, letter = axes.get_yticklabels()[0], plain.get_yticklabels()[0]
    assert formula.get_window_extent().width > 2 * letter.get_window_extent().width


def test_line_breaks_and_other_invisible_letters_are_spelled_out():
    axes = panel()
    draw(axes, torch.rand(1, 2), columns=["a\nb", "\x00"])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a\\nb", "\\x00"]


def test_a_very_long_word_is_cut_in_the_middle():
    axes = panel()
    draw(axes, torch.rand(1, 1), columns=["begin" + "x" * 500 + "end"])
    label = axes.get_xticklabels()[0].get_text()
    assert len(label) <= 32
    assert label.startswith("begin")
    assert label.endswith("end")


def test_zero_is_told_from_what_only_rounds_to_it():
    axes = panel()
    draw(axes, torch.tensor([[0.0, 0.001, 0.25, 1.0, -0.0]]))
    assert written(axes) == ["0", "0.00", "0.25", "1", "0"]


def test_only_a_small_matrix_has_its_numbers_written_in():
    small, large = panel(), panel()
    draw(small, torch.rand(12, 12))
    draw(large, torch.rand(3, 13))
    assert len(written(small)) == 144
    assert written(large) == []


def test_numbers_can_be_read_on_dark_and_on_bright_cells():
    axes = panel()
    draw(axes, torch.tensor([[0.1, 0.9]]))
    assert [text.get_color() for text in axes.texts] == ["white", "black"]


def test_of_hundreds_of_words_as_many_are_written_as_there_is_room_for():
    axes = panel()
    draw(axes, torch.rand(1, 400), columns=[f"word{place}" for place in range(400)])
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels[:2] == ["word0", "word3"]
    assert axes.get_xticks()[:2].tolist() == [0.5, 3.5]


@pytest.mark.parametrize("side", ["rows", "columns"])
def test_words_that_do_not_match_the_weights_are_refused_with_both_counts(side):
    count = 3 if side == "rows" else 5
    with pytest.raises(
        ValueError, match=rf"{side} must give .* the {count} {side}.* 2 words: a, b"
    ):
        draw(panel(), torch.rand(3, 5), **{side: ["a", "b"]})


@pytest.mark.parametrize("shape", [(5,), (2, 3, 5), (0, 5), (3, 0)])
def test_a_panel_refuses_what_is_not_one_matrix(shape):
    with pytest.raises(ValueError, match=r"one matrix .*\(" + ", ".join(map(str, shape))):
        draw(panel(), torch.rand(shape))


@pytest.mark.parametrize(("lowest", "highest"), [(-0.5, 1.0), (0.0, 2.5)])
def test_numbers_outside_the_scale_are_refused_with_a_scale_that_holds_them(lowest, highest):
    weights = torch.tensor([[lowest, highest]])
    with pytest.raises(ValueError, match=r"scale=\(.*\) holds them all") as refused:
        draw(panel(), weights)
    scale = str(refused.value).split("scale=(")[1].split(")")[0].split(", ")
    draw(panel(), weights, scale=(float(scale[0]), float(scale[1])))


def test_a_weight_that_rounding_put_above_one_is_drawn():
    axes = panel()
    draw(axes, torch.tensor([[1.0 + torch.finfo(torch.float32).eps]]))
    assert brightness(axes, 0, 0) == 1


@pytest.mark.parametrize("number", [torch.nan, torch.inf])
def test_a_weight_that_is_no_number_is_refused(number):
    with pytest.raises(ValueError, match="NaN or infinite"):
        draw(panel(), torch.tensor([[0.5, number]]))


def test_a_scale_upside_down_is_refused():
    with pytest.raises(ValueError, match=r"black up to white, but scale=\(1.0, 0.0\)"):
        draw(panel(), torch.rand(2, 2), scale=(1.0, 0.0))


def test_masks_and_weights_are_not_taken_for_each_other():
    with pytest.raises(TypeError, match=r"torch.bool; show_mask"):
        draw(panel(), causal(3))
    with pytest.raises(TypeError, match=r"True = may attend, but its type is torch.float32"):
        draw_mask(panel(), torch.rand(3, 3))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16])
def test_weights_of_every_width_are_drawn_also_with_gradients(dtype):
    weights = torch.rand(3, 5).softmax(dim=-1).to(dtype).requires_grad_()
    mesh = draw(panel(), weights)
    shown = torch.tensor(mesh.get_array().reshape(3, 5))
    assert torch.equal(shown, weights.detach().double())
