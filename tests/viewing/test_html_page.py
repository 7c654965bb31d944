"""A page is one small file that needs no other, and says what it leaves out."""

import base64
import hashlib
import json
import re
import time
from importlib import resources

import pytest
import torch

from regard.viewing import Sheet, StorySheet, page, write_page

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "\"'&amp;",
    "line\nbreak\u2028\u2029",
    "\u202eright to left \u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f680",
    "\ud800",
    "",
]


def attention(*shape, temperature=3.0):
    generator = torch.Generator().manual_seed(0)
    return (torch.randn(*shape, generator=generator) * temperature).softmax(-1)


def data_of(text):
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))


def test_words_come_back_letter_by_letter_and_none_of_them_is_markup():
    words = HOSTILE
    text = page([Sheet(HOSTILE[0], attention(8, 8), words, words)], title=HOSTILE[0])
    assert data_of(text)["sheets"][0]["rows"] == words
    assert data_of(text)["title"] == HOSTILE[0]
    assert text.count("<script") == text.count("</script>") == 2
    assert "<img" not in text
    assert text.isascii()


@pytest.mark.parametrize("title", HOSTILE)
def test_every_title_can_be_written(tmp_path, title):
    path = write_page(tmp_path / "page.html", [Sheet(title, attention(2, 3))], title=title)
    assert data_of(path.read_text(encoding="ascii"))["sheets"][0]["title"] == title


def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else():
    text = page([Sheet("one", attention(2, 3))])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    found = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert found.keys() == {"default-src", "script-src", "style-src", "base-uri", "form-action"}
    assert {found[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}
    for name, tag in (("script-src", '<script type="module">'), ("style-src", "<style>")):
        inside = text.split(tag)[1].split("</")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert found[name] == f"'sha256-{digest}'"


def test_the_page_names_no_other_address():
    text = page([Sheet("one", attention(2, 3))])
    assert re.findall(r"https?:|://|@import|url\(|src=|href=", text) == []


@pytest.mark.parametrize(
    ("shape", "grid"),
    [((3, 5), [1, 1]), ((7, 3, 5), [1, 7]), ((2, 7, 3, 5), [2, 7]), ((1, 1, 7, 3, 5), [1, 7])],
)
def test_a_sheet_is_one_map_or_its_heads_or_its_layers_and_heads(shape, grid):
    (found,) = data_of(page([Sheet("one", attention(*shape))]))["sheets"]
    assert found["grid"] == grid
    assert len(found["maps"]) == grid[0] * grid[1]
    assert (found["height"], found["width"]) == (3, 5)


def test_a_page_says_of_each_kind_of_sheet_what_looks():
    told = StorySheet("story", attention(3, 2), question="Where?", answer="there")
    usual, story = data_of(page([Sheet("one", attention(2, 3)), told]))["sheets"]
    assert usual["reading"] == "A row is what looks, a column is what is looked at"
    assert story["reading"] == "A row is a sentence, a column is a look at it"
    assert (usual["arrow"], story["arrow"]) == ("\N{RIGHTWARDS ARROW}", "\N{LEFTWARDS ARROW}")
    assert usual["reading"] not in page([told])


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_weights_of_every_width_are_taken_also_with_gradients(dtype):
    weights = attention(3, 5).to(dtype).requires_grad_()
    assert data_of(page([Sheet("one", weights)]))["sheets"][0]["bits"] == 23


@pytest.mark.parametrize("temperature", [3.0, 0.2])
def test_twelve_layers_of_twelve_heads_of_512_words_stay_below_two_megabytes(tmp_path, temperature):
    layer = attention(12, 512, 512, temperature=temperature)
    weights = torch.stack([layer.roll(shift, dims=-1) for shift in range(12)])
    words = [f"word{place}" for place in range(512)]
    begin = time.monotonic()
    path = write_page(tmp_path / "page.html", [Sheet("long", weights, words, words)])
    assert 1_800_000 < path.stat().st_size < 2_000_000
    assert time.monotonic() - begin < 60  # some seconds, on a machine that is not busy
    note = data_of(path.read_text(encoding="ascii"))["sheets"][0]["note"]
    share = float(re.search(r"([\d.]+) % of all weight", note).group(1))
    assert 60 < share < 100 if temperature == 3.0 else 0 < share < 10


def test_sentences_stay_exact_beside_a_text_that_cannot_be_stored_whole():
    sentence, text = Sheet("short", attention(20, 25)), Sheet("long", attention(16, 400, 400))
    written = page([text, sentence], most_bytes=500_000)
    assert 480_000 < len(written) < 500_000  # the text has all that the sentence leaves
    long, short = data_of(written)["sheets"]
    assert short["bits"] == 23
    assert "Every weight is stored as float32" in short["note"]
    assert long["least"] > 0
    assert re.match(r"Stored are the weights from [\d.]+ up and the largest of each", long["note"])


def test_many_sentences_share_the_room_and_fit():
    sheets = [Sheet(str(place), attention(40, 40)) for place in range(60)]
    text = page(sheets, most_bytes=300_000)
    assert len(text) < 300_000
    assert {sheet["least"] for sheet in data_of(text)["sheets"]} == {0}


def test_what_cannot_fit_is_refused_with_what_would_help():
    with pytest.raises(ValueError, match=r"'long' has 4 maps of 300 x 200.*take fewer"):
        page([Sheet("long", attention(4, 300, 200))], most_bytes=40_000)


def test_a_page_needs_a_sheet_and_a_name_that_browsers_know(tmp_path):
    with pytest.raises(ValueError, match="one sheet or more"):
        page([])
    with pytest.raises(ValueError, match=r"saved as \.html, but the name is 'page\.png'"):
        write_page(tmp_path / "page.png", [Sheet("one", attention(2, 3))])
    with pytest.raises(FileNotFoundError, match=r"no folder .*nowhere"):
        write_page(tmp_path / "nowhere" / "page.html", [Sheet("one", attention(2, 3))])


def test_a_failure_leaves_the_older_page_and_nothing_else(tmp_path):
    path = write_page(tmp_path / "page.html", [Sheet("one", attention(2, 3))])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="take fewer"):
        write_page(path, [Sheet("one", attention(9, 9))], most_bytes=100)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_maps_give_the_same_page():
    assert page([Sheet("one", attention(5, 7))]) == page([Sheet("one", attention(5, 7))])


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        (torch.rand(5), r"maps of one sentence.* shape \(5,\)"),
        (torch.rand(2, 3, 2, 3, 5), r"one sheet for each sentence"),
        (torch.rand(3, 0), r"no weight in the sheet 'one'"),
        (-torch.rand(3, 5), r"not negative, but .* go from -0\."),
        (torch.tensor([[torch.nan, 1.0]]), r"finite and not negative"),
        (torch.tensor([[torch.inf, 1.0]]), r"finite and not negative"),
        (torch.tensor([[1e300, 1.0]], dtype=torch.float64), r"finite and not negative"),
    ],
)
def test_what_is_no_map_of_weights_is_refused(weights, problem):
    with pytest.raises(ValueError, match=problem):
        Sheet("one", weights)


def test_masks_are_no_weights():
    with pytest.raises(TypeError, match=r"sheet 'one' are torch\.bool"):
        Sheet("one", torch.ones(3, 5, dtype=torch.bool))


def test_words_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="each of the 5 columns of the picture, but there are 2"):
        Sheet("one", attention(3, 5), columns=["a", "b"])


def test_the_scripts_are_short_and_plain_ascii():
    for script in (resources.files("regard.viewing") / "web").iterdir():
        text = script.read_text(encoding="utf-8")
        assert text.isascii()
        assert len(text.splitlines()) <= 300
