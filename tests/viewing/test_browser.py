"""The page in a browser: the number under the pointer is the weight, and nothing else runs."""

import re

import pytest
import torch

from regard.viewing import Sheet, StorySheet

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<b onmouseover=alert(1)>",
    "\"'&amp;",
    "line\nbreak\u2028",
    "\u202e\u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f680",
    "\ud800",
    "",
]


def attention(*shape, temperature=2.0):
    generator = torch.Generator().manual_seed(1)
    return (torch.randn(*shape, generator=generator) * temperature).softmax(-1)


def words(letter, count):
    return [f"{letter}{place}" for place in range(count)]


def check(page, weights, row, column):
    weight = weights[row, column].item()
    shown = page.point_at(row, column)
    assert shown[:2] == (f"q{row}", f"k{column}")
    assert shown[2] == f"{weight:#.4g}"
    assert page.brightness(row, column) == pytest.approx([255 * weight] * 3, abs=2)


def test_the_number_and_the_brightness_of_a_cell_are_its_weight_however_it_is_zoomed(opened):
    weights = attention(23, 29)
    weights[3, 5] = 1.0  # white stands for one
    page = opened(Sheet("sentence", weights, words("q", 23), words("k", 29)))
    for cell in ((0, 0), (22, 28), (7, 11), (3, 5)):
        check(page, weights, *cell)
    whole = page.view()["cell"]
    page.tab.mouse.move(*page.place(7, 11))
    for _ in range(3):
        page.tab.mouse.wheel(0, -200)
    assert page.view()["cell"] > 2 * whole
    for cell in ((7, 11), (8, 12), (6, 10)):
        check(page, weights, *cell)
    before = page.view()
    x, y = page.place(7, 11)
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x - 70, y - 50, steps=3)
    page.tab.mouse.up()
    after = page.view()
    assert (after["left"] - before["left"]) * after["cell"] == pytest.approx(70, abs=0.01)
    assert (after["top"] - before["top"]) * after["cell"] == pytest.approx(50, abs=0.01)
    for cell in ((9, 13), (8, 12)):
        check(page, weights, *cell)
    page.tab.keyboard.press("0")
    assert page.view()["cell"] == whole
    check(page, weights, 22, 0)


def test_below_a_story_it_is_said_that_its_columns_look_at_its_rows(opened):
    weights = attention(5, 3)
    hops = ["hop 1", "hop 2", "hop 3"]
    page = opened(StorySheet("story", weights, words("s", 5), hops, question="Who?", answer="I"))
    assert page.tab.inner_text("footer .keys").startswith(
        "A row is a sentence, a column is a look at it; bright is much weight."
    )
    assert page.point_at(1, 2)[:2] == ("s1", "hop 3")
    assert page.tab.inner_text("#arrow") == "\N{LEFTWARDS ARROW}"


def test_keys_go_from_cell_to_cell_and_zoom_and_keep_the_cell_in_sight(opened):
    weights = attention(40, 50)
    page = opened(Sheet("sentence", weights, words("q", 40), words("k", 50)))
    page.tab.focus("#canvas")
    whole = page.view()["cell"]
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "+", "+", "+"):
        page.tab.keyboard.press(key)
    assert page.view()["cell"] == pytest.approx(whole * 1.5**3)
    for _ in range(45):
        page.tab.keyboard.press("ArrowRight")
    page.settle()
    assert page.tab.text_content("#readout").endswith(f"q1→k46{weights[1, 46].item():#.4g}")
    view = page.view()
    edge = view["x"] + (47 - view["left"]) * view["cell"]
    assert edge <= page.tab.locator("#canvas").bounding_box()["width"]
    page.tab.keyboard.press("-")
    assert page.view()["cell"] == pytest.approx(whole * 1.5**2)


def test_every_head_of_every_layer_is_a_small_map_that_opens_large(opened):
    weights = attention(2, 3, 11, 13)
    page = opened(Sheet("all", weights, words("q", 11), words("k", 13)))
    assert page.tab.locator("#grid button").count() == 6
    page.tab.click("#grid button[aria-label='layer 1, head 2']")
    page.tab.wait_for_selector("#canvas[data-shown='0.5']")
    assert page.tab.text_content("#name") == "layer 1, head 2"
    assert page.point_at(4, 6) == ("q4", "k6", f"{weights[1, 2, 4, 6].item():#.4g}")
    page.tab.keyboard.press("PageUp")
    page.tab.wait_for_selector("#canvas[data-shown='0.4']")
    assert page.point_at(4, 6) == ("q4", "k6", f"{weights[1, 1, 4, 6].item():#.4g}")
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_selector("#grid[data-ready]")
    assert page.tab.evaluate("document.activeElement.title") == "layer 1, head 1"
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_selector("#canvas:visible")
    page.tab.go_back()
    page.tab.wait_for_selector("#grid[data-ready]")


def test_another_sentence_is_picked_from_the_list(opened):
    first, second = attention(3, 5), attention(7, 11)
    page = opened(Sheet("first", first), Sheet("나는 간다", second, words("q", 7), words("k", 11)))
    assert page.point_at(2, 4) == ("2", "4", f"{first[2, 4].item():#.4g}")
    page.tab.select_option("#sheet", label="나는 간다")
    page.tab.wait_for_selector("#canvas[data-shown='1.0']")
    assert page.point_at(6, 10) == ("q6", "k10", f"{second[6, 10].item():#.4g}")


def test_hostile_words_run_nothing_and_are_shown_as_they_are(opened):
    page = opened(
        *(Sheet(word, attention(8, 8), HOSTILE, HOSTILE) for word in HOSTILE), title=HOSTILE[0]
    )
    shown = [page.point_at(place, place)[0] for place in range(8)]
    assert shown[:3] == HOSTILE[:3]
    assert shown[3] == "line\\nbreak\\u{2028}"
    assert shown[4] == "\\u{202e}\u05e9\u05dc\u05d5\u05dd"
    assert shown[5:] == ["\U0001f469\u200d\U0001f680", "\\u{d800}", "\u201c\u201d"]
    assert page.tab.text_content("h1") == HOSTILE[0]
    assert page.tab.locator("img, b[onmouseover]").count() == 0
    assert page.tab.title() == HOSTILE[0]


def test_no_other_script_can_run(opened):
    page = opened(Sheet("one", attention(2, 3)))
    page.tab.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            fetch("https://localhost/").catch(() => {});
        }"""
    )
    page.settle()
    assert page.tab.evaluate("window.ran") is None
    assert page.said[0].startswith("Executing inline script violates")
    assert page.said[1].startswith("Connecting to 'https://localhost/' violates")
    assert all("Content Security Policy" in message for message in page.said)
    page.said.clear()


def test_a_single_bright_cell_is_seen_when_there_are_more_cells_than_pixels(opened):
    weights = torch.zeros(2, 1500, 1501)
    weights[0, 777, 333] = 1.0
    page = opened(Sheet("long", weights))
    lit = """(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        .data.filter((level, at) => at % 4 === 0 && level === 255).length"""
    assert page.tab.locator("#grid canvas").nth(0).evaluate(lit) == 1
    assert page.tab.locator("#grid canvas").nth(1).evaluate(lit) == 0
    page.tab.locator("#grid button").nth(0).click()
    page.tab.wait_for_selector("#canvas[data-shown]")
    view = page.view()
    assert view["cell"] < 0.5
    page.tab.mouse.move(2, 2)
    x, y = page.place(777, 333)
    assert page.pixels(x - 2, y - 2, 5, 5).max() == 255
    assert page.pixels(x - 30, y - 2, 20, 5).max() == 0


def test_a_weight_that_is_not_stored_is_shown_as_less_than_a_true_bound(opened):
    weights = attention(4, 60, 60, temperature=1.0)
    weights[2, 3] = 1 / 600  # a row whose largest weight lies below the threshold
    weights[2, 5] = 0.0
    page = opened(Sheet("text", weights, words("q", 60), words("k", 60)), most_bytes=47_000)
    assert "Stored are the weights from" in page.tab.text_content("#note")
    page.tab.locator("#grid button").nth(2).click()
    page.tab.wait_for_selector("#canvas[data-shown='0.2']")
    kinds = set()
    for row, column in [(3, 0), (3, 7), *((place, 59 - place) for place in range(5, 60, 4))]:
        weight, text = weights[2, row, column].item(), page.point_at(row, column)[2]
        kinds.add(re.sub(r"[\d.]+", "", text))
        if text.startswith("<"):
            assert weight < float(text[2:])
            assert weights[2, row].max() > float(text[2:]) / 2
        elif text == "0":
            assert weight == 0
        else:
            number, tolerance = re.fullmatch(r"([\d.]+) ± ([\d.]+) %", text).groups()
            assert float(number) == pytest.approx(weight, rel=float(tolerance) / 100)
    assert kinds == {"< ", " ±  %", ""}


def test_the_brightness_can_be_turned_up_and_says_so(opened):
    page = opened(Sheet("even", torch.full((5, 7), 0.2), words("q", 5), words("k", 7)))
    assert page.tab.text_content("#top") == "0.2"
    assert page.brightness(2, 2) == [255, 255, 255]
    page.tab.focus("#white")
    page.tab.keyboard.press("ArrowRight")
    assert page.tab.text_content("#top") == "0.5"
    assert page.brightness(2, 2) == [102, 102, 102]
    for _ in range(2):
        page.tab.keyboard.press("ArrowLeft")
    assert page.tab.text_content("#top") == "0.1 and more"


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_follows_light_and_dark_and_wishes_for_no_motion(opened, scheme, dark):
    page = opened(
        Sheet("one", attention(3, 5)),
        options={"color_scheme": scheme, "reduced_motion": "reduce"},
    )
    style = "(name) => getComputedStyle(document.body)[name].match(/\\d+/g).map(Number)"
    ground, ink = page.tab.evaluate(style, "backgroundColor"), page.tab.evaluate(style, "color")
    assert (sum(ground) < sum(ink)) == dark
    box = page.tab.locator("#canvas").bounding_box()
    assert page.pixels(box["x"] + 3, box["y"] + 3).tolist() == [[ground]]
    moving = "getComputedStyle(document.getElementById('fit')).transitionDuration"
    assert page.tab.evaluate(moving) == "0s"


def test_a_page_of_long_texts_opens_and_shows_true_weights(opened):
    layer = attention(12, 512, 512, temperature=3.0)
    weights = torch.stack([layer.roll(shift, dims=-1) for shift in range(3)])
    page = opened(Sheet("long", weights, words("q", 512), words("k", 512)))
    page.tab.locator("#grid button").nth(30).click()
    page.tab.wait_for_selector("#canvas[data-shown='0.30']")
    page.tab.keyboard.press("ArrowDown")
    for _ in range(12):
        page.tab.keyboard.press("+")
    assert page.view() | {"left": 0, "top": 0, "cell": 96} == page.view()
    for row in (0, 3):
        column = int(weights[2, 6, row, :7].argmax())
        *named, text = page.point_at(row, column)
        assert named == [f"q{row}", f"k{column}"]
        weight = weights[2, 6, row, column].item()
        if text.startswith("<"):
            assert weight < float(text[2:])
        else:
            assert float(text.split()[0]) == pytest.approx(weight, rel=0.009)
