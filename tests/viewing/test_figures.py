"""Whole pictures: one panel per head, one example at a time, in letters that are there."""

import io
import subprocess
import sys
from itertools import pairwise

import pytest
import torch
from torch import nn

from regard import Attention, MultiHead, Watch, record
from regard.masks import causal, padding
from regard.scores import ScaledDot
from regard.viewing import show, show_mask


def panels(figure):
    """The panels, without the colour bar."""
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def shown(axes):
    mesh = axes.collections[0]
    return torch.tensor(mesh.get_array().reshape(mesh.get_coordinates().shape[0] - 1, -1))


def recorded(model, *inputs):
    with record(nn.ModuleDict({"look": model})) as maps:
        model(*inputs)
    return maps["look"]


def test_one_matrix_is_one_panel():
    weights = torch.rand(3, 5)
    (axes,) = panels(show(weights))
    assert torch.equal(shown(axes), weights.double())


def test_each_head_has_its_own_panel_with_its_own_weights():
    weights = torch.rand(7, 3, 5)
    figure = show(weights)
    assert len(panels(figure)) == 7
    for head, axes in enumerate(panels(figure)):
        assert axes.get_title() == f"head {head}"
        assert torch.equal(shown(axes), weights[head].double())


def test_what_record_kept_is_drawn_as_it_is():
    looks = recorded(MultiHead(Attention(ScaledDot()), size=6, heads=2), torch.randn(1, 5, 6))
    figure = show(looks, rows=list("abcde"), columns=list("abcde"))
    for head, axes in enumerate(panels(figure)):
        assert torch.equal(shown(axes), looks.weights[0, head].double())


def test_axes_are_called_by_their_recorded_names():
    watch = Watch("tape", ("batch", "slot"))
    (axes,) = panels(show(recorded(watch, torch.rand(1, 5))))
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("step", "slot")


def test_several_examples_are_refused_since_their_words_differ():
    looks = recorded(Attention(ScaledDot()), torch.randn(2, 5, 7))
    with pytest.raises(ValueError, match=r"one example: .* \(2, 5, 5\) \(axes batch, query, key\)"):
        show(looks)


@pytest.mark.parametrize("shape", [(5,), (2, 3, 5, 7), ()])
def test_a_wrong_number_of_axes_is_refused_with_the_shape(shape):
    with pytest.raises(ValueError, match=r"this has the shape \(" + ", ".join(map(str, shape))):
        show(torch.rand(shape))


def test_nothing_cannot_be_drawn():
    with pytest.raises(ValueError, match=r"nothing to draw in a tensor of shape \(3, 0\)"):
        show(torch.rand(3, 0))


def test_words_that_do_not_match_are_refused_before_anything_is_drawn():
    with pytest.raises(ValueError, match="each of the 5 columns of the picture, but there are 3"):
        show(torch.rand(2, 3, 5), columns=["a", "b", "c"])


def test_leading_axes_of_one_are_passed_over():
    weights = torch.rand(1, 1, 3, 5)
    (axes,) = panels(show(weights))
    assert torch.equal(shown(axes), weights[0, 0].double())


def test_each_example_of_a_mask_has_its_own_panel():
    mask = causal(6) & padding([4, 6], 6)
    for axes, example in zip(panels(show_mask(mask)), mask, strict=True):
        assert torch.equal(shown(axes), example.double())


def test_a_title_is_shown_as_it_is():
    figure = show(torch.rand(2, 2), title="costs $5 or $6")
    assert figure.get_suptitle() == "costs $5 or $6"
    assert not figure._suptitle.get_parse_math()


def test_a_large_picture_says_by_a_colour_bar_what_its_greys_mean():
    small, large = show(torch.rand(5, 7)), show(torch.rand(20, 30))
    assert len(small.axes) == 1
    assert [axes.get_label() for axes in large.axes] == ["", "<colorbar>"]


@pytest.mark.parametrize("shape", [(3, 5), (8, 6, 6), (60, 50), (3, 400), (1, 1)])
def test_no_word_is_outside_the_picture_and_no_row_words_overlap(shape):
    rows = [f"catches{row}" for row in range(shape[-2])]
    columns = [f"understanding{column}" for column in range(shape[-1])]
    figure = show(torch.rand(shape), rows, columns, title="a title")
    figure.savefig(io.BytesIO(), format="png")
    for axes in panels(figure):
        labels = [label for label in axes.get_yticklabels() if label.get_visible()]
        boxes = [label.get_window_extent() for label in labels]
        for upper, lower in pairwise(boxes):
            assert upper.y0 > lower.y0
            assert upper.y0 + 1 >= lower.y1 - 1
    for text in [*panels(figure)[0].get_yticklabels(), *panels(figure)[0].get_xticklabels()]:
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.y1 <= figure.bbox.height


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_without_matplotlib_the_extra_is_named():
    done = run(
        "import sys; sys.modules['matplotlib'] = None\n"
        "import torch, regard.viewing\n"
        "regard.viewing.show(torch.rand(2, 2))"
    )
    assert "ModuleNotFoundError: drawing needs matplotlib" in done.stderr
    assert 'pip install "regard[view]"' in done.stderr


def test_matplotlib_is_loaded_only_to_draw_and_pyplot_never():
    done = run(
        "import sys, torch, regard.viewing\n"
        "print('matplotlib' in sys.modules)\n"
        "regard.viewing.show(torch.rand(2, 2))\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_long_words_take_no_room_from_the_cells():
    figure = show(torch.rand(5, 5), columns=["x" * 32] * 5)
    figure.savefig(io.BytesIO(), format="png")
    (axes,) = panels(figure)
    assert axes.get_window_extent().height / figure.dpi / 5 > 0.35  # inches
