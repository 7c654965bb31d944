"""A picture for each word: bright where it looked, marked what it took, words as they are."""

import math

import pytest
import torch
from torch.testing import assert_close

from regard.viewing import save
from regard.viewing.pictures import PictureSheet, show_picture, smoothed

WORDS = ("a", "red", "bird")


def attention(words, rows, columns):
    generator = torch.Generator().manual_seed(0)
    return torch.rand(words, rows * columns, generator=generator).softmax(1).view(-1, rows, columns)


def image(height=22, width=33):
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 256, (3, height, width), generator=generator, dtype=torch.uint8)


def sheet(words=WORDS, **changes):
    given = {"title": "one", "image": image(), "words": words}
    return PictureSheet(**(given | {"weights": attention(len(words), 2, 3)} | changes))


def pixels(axes, layer):
    return torch.tensor(axes.images[layer].get_array().tolist())


def test_the_picture_stands_once_alone_and_once_under_the_weights_of_each_word():
    one = sheet()
    alone, *others = show_picture(one, smooth=False).axes
    assert torch.equal(pixels(alone, 0), one.image.permute(1, 2, 0).long())
    assert len(alone.images) == 1
    assert [axes.get_title() for axes in others] == list(WORDS)
    for axes, weights in zip(others, one.weights, strict=True):
        assert torch.equal(pixels(axes, 0), one.image.permute(1, 2, 0).long())
        assert_close(pixels(axes, 1), weights)
        assert axes.images[1].get_alpha() == 0.8
        assert axes.images[1].get_clim() == (0.0, weights.max().item())
        assert axes.images[1].get_extent() == axes.images[0].get_extent() == [0, 33, 22, 0]


def test_cells_have_hard_edges_and_are_where_they_should_be(tmp_path):
    import matplotlib.image

    weights = torch.zeros(1, 2, 3)
    weights[0, 1, 2] = 1.0
    grey = torch.full((3, 20, 30), 100, dtype=torch.uint8)
    figure = show_picture(sheet(("",), title="", image=grey, weights=weights), smooth=False)
    path = save(figure, tmp_path / "cells.png")  # without letters, all that is dark is the panel
    shown = torch.tensor(matplotlib.image.imread(path)[..., :3].mean(axis=-1).tolist())
    lit, dark = 0.2 * 100 / 255 + 0.8, 0.2 * 100 / 255
    rows, columns = torch.isclose(shown, torch.tensor(dark), atol=0.02).nonzero().T
    top, left = rows.min().item(), columns.min().item()
    high, wide = rows.max().item() - top, columns.max().item() - left
    assert shown[top + int(0.9 * high), left + int(0.9 * wide)].item() == pytest.approx(
        lit, abs=0.02
    )
    edge = shown[top + int(0.75 * high), left : left + wide]
    between = (edge > dark + 0.05) & (edge < lit - 0.05)
    assert between.sum() <= 2
    assert (edge > lit - 0.05).sum().item() == pytest.approx(wide / 3, abs=3)


def test_smooth_weights_are_gaussian_means_of_the_cells_around_worked_out_by_loops():
    weights = attention(1, 14, 5)[0]
    found = smoothed(weights, (11, 7))
    for y in range(11):
        for x in range(7):
            total = mean = 0.0
            for row in range(14):
                for column in range(5):
                    down = ((y + 0.5) * 14 / 11 - row - 0.5) / 1.25  # 14 cells * 20 / 224
                    across = ((x + 0.5) * 5 / 7 - column - 0.5) / 0.6  # no narrower than that
                    near = math.exp(-(down**2 + across**2) / 2)
                    total += near
                    mean += near * weights[row, column].item()
            assert found[y, x].item() == pytest.approx(mean / total, rel=1e-5)


def test_even_weights_stay_even_when_smooth_and_are_white():
    even = torch.full((1, 7, 7), 1 / 49)
    axes = show_picture(sheet(("all",), weights=even)).axes[1]
    assert_close(pixels(axes, 1), torch.full((171, 256), 1 / 49))  # 22 x 33 pixels, finer
    assert axes.images[1].get_clim()[1] == pytest.approx(1 / 49)


def test_the_cell_that_was_taken_is_outlined_in_red_and_the_true_box_in_blue():
    boxes = (None, (3, 5, 11, 17), None)
    figure = show_picture(sheet(chosen=torch.tensor([0, 5, 3]), boxes=boxes))
    alone, *others = figure.axes
    assert list(alone.patches) == []
    found = [
        [(patch.get_edgecolor()[:3], patch.get_bbox().bounds) for patch in axes.patches]
        for axes in others
    ]
    red, blue = (1.0, 0.0, 0.0), tuple(part / 255 for part in (0x56, 0xB4, 0xE9))
    # cells are 11 pixels high and 11 wide; bounds are left, top, width, height
    assert found[0] == [(red, (0, 0, 11, 11))]
    assert found[1] == [(blue, (5, 3, 12, 8)), (red, (22, 11, 11, 11))]
    assert found[2] == [(red, (0, 11, 11, 11))]


def test_no_more_than_six_panels_stand_in_a_line():
    figure = show_picture(sheet(tuple("abcdefg")))
    figure.draw_without_rendering()
    lines = {}
    for axes in figure.axes:
        lines.setdefault(round(axes.get_position().y0, 3), []).append(axes)
    assert sorted(len(line) for line in lines.values()) == [2, 6]


def test_most_of_the_figure_is_picture():
    figure = show_picture(sheet(tuple("abcdefghijk"), image=image(24, 32)))
    figure.draw_without_rendering()
    parts = [axes.get_position() for axes in figure.axes]
    assert sum(part.width * part.height for part in parts) > 0.7


def test_words_are_written_as_they_are_and_fit_above_their_panel():
    words = ("$5 or $6", "a" * 32, "</script>", "", "line\nbreak", "_x^2")
    figure = show_picture(sheet(words, title="costs $5 or $6"))
    figure.draw_without_rendering()
    titles = [axes.title for axes in figure.axes[1:]]
    shown = [title.get_text() for title in titles]
    assert shown == ["$5 or $6", "a" * 32, "</script>", "", "line\\nbreak", "_x^2"]
    assert not any(title.get_parse_math() for title in titles)
    for axes in figure.axes[1:]:
        assert axes.title.get_window_extent().width <= axes.get_window_extent().width + 1
    assert figure.get_suptitle() == "costs $5 or $6"


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("smooth", [True, False])
def test_a_picture_is_saved_and_the_same_picture_gives_the_same_bytes(tmp_path, ending, smooth):
    marked = sheet(chosen=torch.tensor([0, 5, 3]), boxes=(None, (3, 5, 11, 17), None))
    first = save(show_picture(marked, smooth=smooth), tmp_path / f"first{ending}").read_bytes()
    again = save(show_picture(marked, smooth=smooth), tmp_path / f"again{ending}").read_bytes()
    other = save(show_picture(marked, smooth=not smooth), tmp_path / f"other{ending}").read_bytes()
    assert first == again
    assert first != other


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_weights_of_every_width_are_taken_also_with_gradients(dtype):
    weights = attention(3, 14, 14).to(dtype).requires_grad_()
    assert_close(sheet(weights=weights).maps, weights.detach().float())
    assert len(show_picture(sheet(weights=weights)).axes) == 4


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"image": image()[:1]}, r"\(3, height, width\).* 'one' has the shape \(1, 22, 33\)"),
        ({"image": image()[:, :0]}, r"has the shape \(3, 0, 33\)"),
        ({"weights": torch.rand(3, 6)}, r"\(word, row, column\).* shape \(3, 6\).*unflatten"),
        ({"weights": torch.rand(3, 0, 2)}, r"no weight in the sheet 'one': its shape is \(3, 0, 2"),
        (
            {"weights": attention(2, 2, 3)},
            r"each of the 2 words .* there are 3 words: a, red, bird",
        ),
        ({"weights": -attention(3, 2, 3)}, r"not negative, but .* 'one' go from -0\."),
        ({"weights": attention(3, 2, 3) * torch.nan}, r"finite and not negative"),
        ({"weights": attention(3, 2, 3) * torch.inf}, r"finite and not negative"),
        (
            {"weights": attention(3, 2, 3) * torch.tensor([1.0, 0.5, 1.0]).view(3, 1, 1)},
            r"'red', word 1 of the sheet 'one', sum to 0\.5; weights / weights\.sum",
        ),
        ({"chosen": torch.tensor([0, 1])}, r"each of the 3 words.* shape \(2,\)"),
        ({"chosen": torch.tensor([0.0, 1.0, 2.0])}, r"torch\.int64, but .* is torch\.float32"),
        ({"chosen": torch.tensor([0, 6, 1])}, r"from 0 to 5, but .* goes from 0 to 6"),
        ({"chosen": torch.tensor([0, -1, 1])}, r"from 0 to 5, but .* goes from -1 to 1"),
        ({"boxes": (None, None)}, r"each of the 3 words, but in the sheet 'one' there are 2"),
        ({"boxes": (None, (0, 0, 23, 5), None)}, r"22 high and 33 wide.* 'red' .* \(0, 0, 23, 5\)"),
        ({"boxes": (None, (5, 0, 5, 5), None)}, r"that of 'red' in the sheet 'one' is \(5, 0, 5"),
        ({"boxes": (None, (0, -1, 5, 5), None)}, r"is \(0, -1, 5, 5\)"),
        ({"boxes": (None, (0, math.nan, 5, 5), None)}, r"is \(0, nan, 5, 5\)"),
    ],
)
def test_what_is_no_picture_with_weights_is_refused(changes, problem):
    with pytest.raises(ValueError, match=problem):
        sheet(**changes)


def test_numbers_of_another_kind_are_refused_with_what_makes_them_right():
    with pytest.raises(TypeError, match=r"'one' is torch\.float32; .*\(255 \* image\)\.round"):
        sheet(image=torch.rand(3, 22, 33))
    with pytest.raises(TypeError, match=r"sheet 'one' are torch\.bool; weights\.float\(\)"):
        sheet(weights=torch.ones(3, 2, 3, dtype=torch.bool))
