"""A browser for the tests of the page, where one is installed."""

import io
import shutil

import numpy as np
import pytest
import torch
from PIL import Image

from regard.viewing import write_page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    if installed is None:
        pytest.skip(f"none of the browsers {', '.join(BROWSERS)} is installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=installed, args=FLAGS)
        yield browser
        browser.close()


class Opened:
    """A page in the browser, with all that it asked for and complained of."""

    def __init__(self, browser, path, **options):
        context = browser.new_context(viewport={"width": 900, "height": 700}, **options)
        self.tab, self.asked, self.said = context.new_page(), [], []
        self.tab.set_default_timeout(20_000)
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.said.append(dialog.message) or dialog.dismiss())
        self.url = path.as_uri()
        self.tab.goto(self.url)
        self.tab.wait_for_selector("#canvas[data-shown], #grid[data-ready]", state="attached")

    def settle(self):
        self.tab.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"
        )

    def view(self):
        self.settle()
        keys = ("x", "y", "left", "top", "cell")
        numbers = map(float, self.tab.get_attribute("#canvas", "data-view").split())
        return dict(zip(keys, numbers, strict=True))

    def place(self, row, column):
        """A point of a cell that lies away from the number in its middle."""
        view, box = self.view(), self.tab.locator("#canvas").bounding_box()
        x = view["x"] + (column + 0.2 - view["left"]) * view["cell"]
        y = view["y"] + (row + 0.2 - view["top"]) * view["cell"]
        return box["x"] + x, box["y"] + y

    def point_at(self, row, column):
        self.tab.mouse.move(*self.place(row, column))
        self.settle()
        return tuple(self.tab.text_content(f"#{name}") for name in ("row", "column", "weight"))

    def brightness(self, row, column):
        """What is drawn at a cell, while the pointer is elsewhere."""
        self.tab.mouse.move(2, 2)
        return self.pixels(*self.place(row, column)).tolist()[0][0]

    def pixels(self, x, y, width=1, height=1):
        """What is seen there, (row, column, colour)."""
        self.settle()
        clip = {"x": int(x), "y": int(y), "width": width, "height": height}
        image = Image.open(io.BytesIO(self.tab.screenshot(clip=clip))).convert("RGB")
        return torch.tensor(np.asarray(image).tolist())


@pytest.fixture
def opened(browser, tmp_path):
    """Write sheets and open them; at the end nothing was fetched, and nothing went wrong."""
    pages = []

    def open_page(*sheets, options=None, **settings):
        path = write_page(tmp_path / "page.html", sheets, **settings)
        pages.append(Opened(browser, path, **(options or {})))
        return pages[-1]

    yield open_page
    for one in pages:
        one.tab.context.close()
        assert set(one.asked) == {one.url}
        assert one.said == []
