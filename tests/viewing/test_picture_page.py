"""A page of captions: one file, nothing else runs, and the number pointed at is the weight."""

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
import zlib
from importlib import resources

import numpy as np
import pytest
import torch
from PIL import Image
from torch.testing import assert_close

from regard.viewing.picture_page import picture_page, png, write_picture_page
from regard.viewing.pictures import BLUR, LEAST_BLUR, PictureSheet, smoothed

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "\"'&amp;",
    "\u2028",
    "\ud800",
    "",
)
WEB = resources.files("regard.viewing") / "web"


def attention(words, rows, columns, temperature=2.0):
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(words, rows * columns, generator=generator) * temperature
    return scores.softmax(1).view(-1, rows, columns)


def photograph(height, width, seed=0):
    """Broad colours with the noise of a camera."""
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.rand(1, 3, 9, 9, generator=generator)
    broad = torch.nn.functional.interpolate(coarse, size=(height, width), mode="bilinear")[0]
    noise = 6 * torch.randn(3, height, width, generator=generator)
    return (255 * broad + noise).clamp(0, 255).round().byte()


def sheet(words=("a", "red", "bird"), **changes):
    given = {"title": "one", "image": photograph(22, 33), "words": words}
    return PictureSheet(**(given | {"weights": attention(len(words), 2, 3)} | changes))


def data_of(text):
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))


def test_words_come_back_letter_by_letter_and_none_of_them_is_markup():
    text = picture_page([sheet(HOSTILE, title=HOSTILE[0])], HOSTILE[0])
    (found,) = data_of(text)["sheets"]
    assert found["words"] == list(HOSTILE)
    assert found["title"] == data_of(text)["title"] == HOSTILE[0]
    assert text.count("<script") == text.count("</script>") == 2
    assert "<img" not in text
    assert text.isascii()


def test_the_policy_allows_the_page_itself_and_pictures_inside_it_and_nothing_else():
    text = picture_page([sheet()])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    found = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    hashed = {"script-src": '<script type="module">', "style-src": "<style>"}
    assert found.keys() == {"default-src", "img-src", "base-uri", "form-action", *hashed}
    assert {found[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}
    assert found["img-src"] == "data:"
    for name, tag in hashed.items():
        inside = text.split(tag)[1].split("</")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert found[name] == f"'sha256-{digest}'"


def test_the_page_names_no_other_address():
    text = picture_page([sheet()])
    assert re.findall(r"https?:|://|@import|url\(|src=|href=", text) == []


@pytest.mark.parametrize(
    "image",
    [
        photograph(31, 17),
        torch.randint(0, 256, (3, 13, 29), dtype=torch.uint8),
        torch.full((3, 5, 7), 255, dtype=torch.uint8),
        torch.tensor([3, 141, 59], dtype=torch.uint8).view(3, 1, 1),
        torch.arange(256, dtype=torch.uint8).expand(3, 11, 256),
    ],
    ids=["photograph", "noise", "white", "one pixel", "slope"],
)
def test_an_image_comes_back_pixel_by_pixel(image):
    opened = Image.open(io.BytesIO(png(image)))
    assert opened.mode == "RGB"
    opened.load()  # the check sums are looked at
    assert torch.equal(torch.tensor(np.array(opened)).permute(2, 0, 1), image)


def test_filters_make_photographs_smaller_than_zlib_alone_does():
    image = photograph(224, 224)
    plain = zlib.compress(image.permute(1, 2, 0).contiguous().numpy().tobytes(), 9)
    assert len(png(image)) < 0.85 * len(plain)


def test_twenty_photographs_with_fifteen_words_stay_below_four_megabytes(tmp_path):
    words = tuple(f"word{place}" for place in range(15))
    weights = attention(15, 14, 14)
    sheets = [sheet(words, image=photograph(224, 224, seed), weights=weights) for seed in range(20)]
    assert write_picture_page(tmp_path / "page.html", sheets).stat().st_size < 4_000_000


def test_a_page_needs_a_sheet_and_a_name_that_browsers_know(tmp_path):
    with pytest.raises(ValueError, match="one sheet or more"):
        picture_page([])
    with pytest.raises(ValueError, match=r"saved as \.html, but the name is 'page\.png'"):
        write_picture_page(tmp_path / "page.png", [sheet()])
    with pytest.raises(FileNotFoundError, match=r"no folder .*nowhere"):
        write_picture_page(tmp_path / "nowhere" / "page.html", [sheet()])


def test_the_same_sheets_give_the_same_page():
    assert picture_page([sheet()]) == picture_page([sheet()])


def test_the_page_smooths_and_paints_as_the_figure_does():
    node = shutil.which("node")
    if node is None:
        pytest.skip("node, which runs the page's script, is not installed")
    weights = attention(1, 14, 5)[0]
    script = re.sub(r"^import .*$", "", (WEB / "pictures.js").read_text(), flags=re.MULTILINE)
    call = f"""
        const weights = {weights.flatten().tolist()}, size = {{ height: 14, width: 5 }};
        const look = {{ blur: {BLUR}, leastBlur: {LEAST_BLUR} }};
        const smooth = smoothed(weights, size, 11, 7, look);
        const square = squared(weights, size, 28, 15);
        console.log(JSON.stringify([[...smooth], [...square], [...painted([0, 1, 4], 0.8)]]));
    """
    command = [node, "--input-type=module"]
    done = subprocess.run(command, input=script + call, capture_output=True, text=True, check=True)
    smooth, square, colours = (torch.tensor(numbers) for numbers in json.loads(done.stdout))
    assert_close(smooth.view(11, 7), smoothed(weights, (11, 7)))
    assert_close(square.view(28, 15), weights.repeat_interleave(2, 0).repeat_interleave(3, 1))
    assert colours.tolist() == [0, 0, 0, 204, 64, 64, 64, 204, 255, 255, 255, 204]


class Opened:
    """A page in the browser, with all that it asked for and complained of."""

    def __init__(self, browser, path, **options):
        context = browser.new_context(viewport={"width": 700, "height": 900}, **options)
        self.tab, self.asked, self.said = context.new_page(), [], []
        self.tab.set_default_timeout(20_000)
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.said.append(dialog.message) or dialog.dismiss())
        self.url = path.as_uri()
        self.tab.goto(self.url)
        self.tab.wait_for_selector(".card[data-word]")

    def word(self, place):
        return self.tab.locator(".card").first.locator(".words button").nth(place + 1)

    def waits_for(self, place):
        self.tab.wait_for_selector(f".card[data-word='{place}']")

    def point_at(self, row, column, rows, columns):
        box = self.tab.locator("canvas").first.bounding_box()
        place = {
            "x": (column + 0.2) * box["width"] / columns,
            "y": (row + 0.2) * box["height"] / rows,
        }
        self.tab.locator("canvas").first.hover(position=place)
        return self.told()

    def told(self):
        return [self.tab.locator(f"output .{name}").first.text_content()
                for name in ("word", "weight", "place")]  # fmt: skip

    def pixel(self, row, column, rows, columns):
        """What lies over the picture in the middle of a cell: red, green, blue, opacity."""
        code = """(canvas, [y, x]) => {
            const copy = new OffscreenCanvas(1, 1).getContext("2d");
            copy.drawImage(canvas, -Math.floor(x * canvas.width), -Math.floor(y * canvas.height));
            return [...copy.getImageData(0, 0, 1, 1).data];
        }"""
        middle = [(row + 0.5) / rows, (column + 0.5) / columns]
        return self.tab.locator("canvas").first.evaluate(code, middle)


@pytest.fixture
def opened(browser, tmp_path):
    """Write sheets and open them; at the end nothing was fetched, and nothing went wrong."""
    pages = []

    def open_page(*sheets, title="Captions", **options):
        path = write_picture_page(tmp_path / "page.html", sheets, title)
        pages.append(Opened(browser, path, **options))
        return pages[-1]

    yield open_page
    for one in pages:
        one.tab.context.close()
        assert {url for url in one.asked if not url.startswith("data:")} == {one.url}
        assert one.said == []


def test_the_word_that_is_pointed_at_is_seen_over_the_picture_with_its_numbers(opened):
    weights = attention(3, 5, 7)
    page = opened(sheet(weights=weights, chosen=torch.tensor([0, 9, 3])))
    assert page.pixel(2, 3, 5, 7) == [0, 0, 0, 0]  # the picture alone
    assert page.tab.evaluate("document.querySelector('img').naturalWidth") == 33
    page.tab.keyboard.press("s")  # cells
    for word in (1, 2):
        page.word(word).hover()
        page.waits_for(word)
        share = weights[word] / weights[word].max()
        for cell in ((0, 0), (4, 6), (2, 3)):
            grey = pytest.approx(255 * share[cell].item(), abs=3)
            assert page.pixel(*cell, 5, 7) == [grey, grey, grey, 204]
            name, weight, _ = page.point_at(*cell, 5, 7)
            assert (name, weight) == (("a", "red", "bird")[word], f"{weights[word][cell]:#.4g}")
    assert page.point_at(0, 3, 5, 7)[2] == "row 0, column 3, taken"
    cells = page.pixel(0, 0, 5, 7)
    page.tab.click("#smooth")
    found = smoothed(weights[2], (512, 512))  # how many pixels matters little in the middle of one
    grey = 255 * smoothed(weights[2], (5, 7))[0, 0] / found.max()
    assert page.pixel(0, 0, 5, 7)[0] == pytest.approx(grey.item(), abs=4)
    assert page.pixel(0, 0, 5, 7) != cells


def test_keys_go_from_word_to_word_and_cell_to_cell_and_a_tap_shows_a_word(opened):
    weights = attention(3, 5, 7)
    page = opened(sheet(weights=weights), has_touch=True)
    page.tab.keyboard.press("Tab")  # smooth
    page.tab.keyboard.press("Tab")  # canvas
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.tab.keyboard.press(key)
    page.tab.keyboard.press("Tab")  # words
    page.tab.keyboard.press("ArrowRight")
    page.waits_for(0)
    page.tab.keyboard.press("End")
    page.waits_for(2)
    page.tab.keyboard.press("ArrowLeft")
    page.waits_for(1)
    page.tab.keyboard.press("Shift+Tab")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):  # the first shows where one is
        page.tab.keyboard.press(key)
    assert page.told() == ["red", f"{weights[1, 1, 1]:#.4g}", "row 1, column 1"]
    page.tab.keyboard.press("Escape")
    page.waits_for(-1)
    page.word(2).tap()
    page.waits_for(2)


def test_playing_goes_through_all_words_and_ends(opened):
    page = opened(sheet())
    page.tab.evaluate(
        """() => {
            const card = document.querySelector(".card");
            window.seen = [];
            new MutationObserver(() => window.seen.push(card.dataset.word))
                .observe(card, { attributes: true });
        }"""
    )
    page.tab.click(".play")
    assert page.tab.text_content(".play") == "\u25a0 Stop"
    page.tab.locator(".play", has_text="Play").wait_for()
    assert page.tab.evaluate("window.seen") == ["0", "1", "2"]
    page.tab.click(".play")
    page.waits_for(0)
    page.tab.click(".play")
    assert page.tab.text_content(".play") == "\u25b6 Play"


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_hostile_words_run_nothing_in_light_and_in_dark(opened, scheme, dark):
    page = opened(
        *(sheet(HOSTILE, title=word) for word in HOSTILE), title=HOSTILE[0], color_scheme=scheme
    )
    shown = [page.word(place).text_content() for place in range(len(HOSTILE))]
    assert shown == [*HOSTILE[:3], "\u2423", "\\u{d800}", "\u201c\u201d"]
    page.word(0).hover()
    page.waits_for(0)
    assert page.told()[0] == page.tab.text_content("h1") == page.tab.title() == HOSTILE[0]
    assert page.tab.locator("img").count() == len(HOSTILE)  # the pictures, and no other
    assert page.tab.locator("img[onerror], img[src=x]").count() == 0
    style = "(name) => getComputedStyle(document.body)[name].match(/\\d+/g).map(Number)"
    ground, ink = page.tab.evaluate(style, "backgroundColor"), page.tab.evaluate(style, "color")
    assert (sum(ground) < sum(ink)) == dark
