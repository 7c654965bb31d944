"""Letters of every script are drawn by a font that has them, or one plain warning says why not."""

import io
import warnings

import pytest
import torch
from matplotlib import font_manager
from matplotlib.font_manager import FontEntry

from regard.viewing import fonts, save, show
from regard.viewing.fonts import choose_fonts

KANA = "\u306e"  # the usual font lacks it; STIXGeneral, which comes with matplotlib, has it


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(fonts, "_warned", set())


def install(monkeypatch, letters):
    """Replace the installed fonts by some that have these letters, by name."""
    usual = choose_fonts(["bird"]).families
    entries = [FontEntry(fname=name, name=name, weight=400) for name in letters]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", entries)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)
    monkeypatch.setattr(fonts, "_letters", lambda path: frozenset(letters.get(path, "bird ")))
    return usual


def test_the_usual_font_is_enough_for_the_usual_letters():
    assert choose_fonts(["bird"]).missing == frozenset()
    assert len(choose_fonts(["bird"]).families) == 1


def test_a_font_is_chosen_that_has_the_letters():
    assert len(choose_fonts(["bird", KANA]).families) == 2
    figure = show(torch.rand(1, 1), [KANA])
    figure.savefig(io.BytesIO(), format="png")  # a warning is an error
    (label,) = figure.axes[0].get_yticklabels()
    assert label.get_text() == KANA
    assert label.get_fontfamily() == choose_fonts([KANA]).families


def test_one_font_with_all_letters_goes_before_several_with_some(monkeypatch):
    usual = install(monkeypatch, {"Some": "서울", "Other": "역에", "All": "서울역에"})
    chosen = choose_fonts(["bird", "서울역에"])
    assert chosen.families == [*usual, "All"]
    assert chosen.missing == frozenset()


def test_several_fonts_complete_each_other(monkeypatch):
    usual = install(monkeypatch, {"Korean": "서울역", "Kana": "のサ", "Neither": "xyz"})
    assert choose_fonts(["서울", "の"]).families == [*usual, "Korean", "Kana"]


def test_a_font_that_was_installed_after_the_list_was_made_is_found(monkeypatch):
    usual = install(monkeypatch, {})
    late = FontEntry(fname="late.ttf", name="Late", weight=400)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: ["late.ttf"])
    monkeypatch.setattr(
        font_manager.fontManager,
        "addfont",
        lambda path: font_manager.fontManager.ttflist.append(late),
    )
    monkeypatch.setattr(fonts, "_letters", lambda path: frozenset("서" if "late" in path else "b"))
    assert choose_fonts(["서"]).families == [*usual, "Late"]


def test_bold_and_slanted_fonts_and_the_font_of_boxes_are_passed_over(monkeypatch):
    install(monkeypatch, {"Plain": "x"})
    others = [
        FontEntry(fname="Bold", name="Bold", weight=700),
        FontEntry(fname="Slanted", name="Slanted", style="italic", weight=400),
        FontEntry(fname="Boxes", name="Last Resort", weight=400),
    ]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", others)
    monkeypatch.setattr(
        fonts, "_letters", lambda path: frozenset("서" if path in "Bold Slanted Boxes" else "b")
    )
    with pytest.warns(UserWarning, match="no installed font"):
        assert choose_fonts(["서"]).missing == {"서"}


def test_missing_letters_are_named_once_with_what_to_install(monkeypatch):
    install(monkeypatch, {"Some": "서"})
    with pytest.warns(UserWarning, match="no installed font has") as told:
        chosen = choose_fonts(["서울역", "中"])
    assert chosen.missing == frozenset("울역中")
    chinese, korean = sorted(str(one.message) for one in told)
    assert "the letters 역 울 (hangul)" in korean
    assert "apt install fonts-nanum" in korean
    assert "the letters 中 (cjk)" in chinese
    assert "apt install fonts-noto-cjk" in chinese
    choose_fonts(["부산"])  # a second warning would be an error


def test_a_warning_that_is_an_error_is_told_again(monkeypatch):
    install(monkeypatch, {})
    for _ in range(2):
        with pytest.raises(UserWarning, match="no installed font"):
            choose_fonts(["서"])


def test_without_a_font_the_picture_is_drawn_all_the_same_and_matplotlib_is_silent(
    monkeypatch, tmp_path
):
    real = fonts._letters
    monkeypatch.setattr(fonts, "_letters", lambda path: real(path) - set("서울"))
    with pytest.warns(UserWarning, match="no installed font has") as told:
        figure = show(torch.rand(1, 1), ["a서울"], title="서")
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert save(figure, tmp_path / "boxes.png").stat().st_size > 1_000


def test_a_missing_letter_is_a_box_and_the_others_stay(monkeypatch):
    install(monkeypatch, {})
    with pytest.warns(UserWarning, match="drawn as □"):
        assert choose_fonts(["bird서"]).drawable("bird서") == "bird□"
