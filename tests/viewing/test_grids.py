"""The heads of all layers in one picture."""

import pytest
import torch

from regard.viewing import save, show_grid


def panels(figure):
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def written(labels):
    return [label.get_text() for label in labels if label.get_visible() and label.get_text()]


def test_layers_go_down_and_heads_across_each_with_its_own_weights():
    weights = torch.rand(2, 3, 5, 7)
    found = panels(show_grid(weights))
    assert len(found) == 6
    for place, axes in enumerate(found):
        drawn = torch.tensor(axes.collections[0].get_array().reshape(5, 7))
        assert torch.equal(drawn, weights[place // 3, place % 3].double())
    assert [axes.get_title() for axes in found] == ["head 0", "head 1", "head 2", "", "", ""]
    assert [axes.get_ylabel() for axes in found] == ["layer 0", "", "", "layer 1", "", ""]


def test_words_stand_along_the_left_and_the_top_only(tmp_path):
    figure = show_grid(torch.rand(2, 3, 2, 2), ["a", "b"], ["c", "d"], title="encoder")
    save(figure, tmp_path / "grid.svg")
    beside = [axes.yaxis.get_tick_params()["labelleft"] for axes in panels(figure)]
    above = [axes.xaxis.get_tick_params()["labeltop"] for axes in panels(figure)]
    assert beside == [True, False, False, True, False, False]
    assert above == [True, True, True, False, False, False]
    assert written(panels(figure)[0].get_yticklabels()) == ["a", "b"]
    assert figure.get_suptitle() == "encoder"


def test_words_that_would_be_too_small_to_read_are_left_out():
    assert not any(
        axes.yaxis.get_tick_params()["labelleft"]
        for axes in panels(show_grid(torch.rand(1, 12, 40, 40)))
    )


def test_the_maps_lie_close_together_on_a_page_that_is_not_too_wide():
    figure = show_grid(torch.rand(2, 12, 9, 9))
    figure.canvas.draw()
    boxes = [axes.get_window_extent() for axes in panels(figure)]
    assert figure.get_size_inches()[0] < 18
    assert 0 < boxes[1].x0 - boxes[0].x1 < 0.3 * boxes[0].width
    assert 0 < boxes[0].y0 - boxes[12].y1 < 0.3 * boxes[0].height


@pytest.mark.parametrize("shape", [(3, 5), (2, 3, 5), (2, 3, 0, 5), (1, 2, 3, 5, 7)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match=r"\(layer, head, query, key\), but .* shape \("):
        show_grid(torch.rand(shape))


def test_numbers_outside_the_scale_are_refused():
    with pytest.raises(ValueError, match="holds them all"):
        show_grid(torch.rand(1, 1, 2, 2) + 1)
