"""The look-up runs anywhere; the documentation's pictures are there, small, always the same."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import regard
from regard import blends, normalisers, scores, windows

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = ["masks.md", "gallery.md"]


def parts():
    """The parts that can be built, by name."""
    found = set()
    for room in (scores, normalisers, windows, blends):
        for name, thing in vars(room).items():
            own = isinstance(thing, type) and thing.__module__.startswith(room.__name__)
            if own and not getattr(thing, "__abstractmethods__", None):
                found.add(name)
    return sorted(found - {"Everywhere"})  # what stands in the slot where there is no window


def draw_all(folder):
    spec = importlib.util.spec_from_file_location("draw", DOCS / "draw.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_drawing_the_documentation_twice_gives_the_same_bytes(tmp_path):
    first, second = draw_all(tmp_path / "first"), draw_all(tmp_path / "second")
    assert first.keys() == {path.name for path in (DOCS / "pictures").iterdir()}
    assert [name for name in first if first[name] != second[name]] == []
    assert {name: len(content) for name, content in first.items() if len(content) > 60_000} == {}


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_and_page_that_is_linked_is_there(page):
    links = re.findall(r"[^\"]\]\(([^)#]+)[^)]*\)", (DOCS / page).read_text(encoding="utf-8"))
    near = [link for link in links if not link.startswith("https://")]
    assert near
    assert [link for link in near if not (DOCS / link).is_file()] == []


def test_every_drawn_picture_is_shown_on_a_page():
    pages = "".join((DOCS / page).read_text(encoding="utf-8") for page in PAGES)
    unseen = [path.name for path in (DOCS / "pictures").iterdir() if path.name not in pages]
    assert unseen == []


@pytest.mark.parametrize("part", [*parts(), "MultiHead", "Pooling", "Hops"])
def test_every_part_has_code_a_picture_and_a_heading_in_the_gallery(part):
    gallery = (DOCS / "gallery.md").read_text(encoding="utf-8")
    section = gallery.split(f"### {part}\n")[1].split("\n##")[0]
    assert "```python" in section
    assert ".svg)" in section
    assert hasattr(regard, part) or any(
        hasattr(room, part) for room in (scores, normalisers, windows)
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_heading_that_is_linked_is_there(page):
    for target, anchor in re.findall(r"\]\(([\w.]*)#([\w-]+)\)", (DOCS / page).read_text("utf-8")):
        text = (DOCS / (target or page)).read_text(encoding="utf-8")
        headings = [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
        assert anchor in [heading.lower().replace(" ", "-") for heading in headings]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty")
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "lookup.py")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_the_demo_writes_one_picture_of_sensible_size_and_says_where(demo):
    folder, printed = demo
    assert [path.name for path in folder.iterdir()] == ["lookup.png"]
    image = (folder / "lookup.png").read_bytes()
    width, height = (int.from_bytes(image[place : place + 4], "big") for place in (16, 20))
    assert 800 < width < 2_000
    assert 700 < height < 2_000
    assert 30_000 < len(image) < 500_000
    assert "lookup.png" in printed


def test_the_demo_finds_the_price_of_a_box_between_two_others(demo):
    _, printed = demo
    assert "weights 0.40 and 0.60, answer 36.0" in printed
    rows = {line.split()[0]: line.split()[1:] for line in printed.splitlines() if line.split()}
    found = dict(zip(rows["size"], rows["price"], strict=True))
    assert found == {"200": "33.33", "310": "31.00", "350": "35.00", "390": "39.00", "450": "37.50"}


def test_the_demo_prints_weights_that_sum_to_one_and_let_no_word_see_a_later_one(demo):
    _, printed = demo
    lines = [line.split() for line in printed.splitlines()]
    rows = [line[1:] for line in lines if len(line) == 7]
    assert len(rows) == 12
    for row in rows:
        assert sum(map(float, row)) == pytest.approx(1, abs=0.035)
    for word, row in enumerate(rows[6:]):
        assert all(weight == "0" for weight in row[word + 1 :])
        assert all(weight != "0" for weight in row[: word + 1])
    assert rows[0] == rows[4]  # "The" and "the" are spelled alike
