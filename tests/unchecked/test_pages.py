"""The code on the pages runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "docs/masks.md", "docs/gallery.md", "docs/machines.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_blocks_of_a_page_run_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL
    )
    assert blocks
    exec("\n".join(blocks), {"__name__": "page"})


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_to_files(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#]+)\)", prose)
    local = [target for target in targets if not target.startswith("http")]
    missing = [target for target in local if not (ROOT / page).parent.joinpath(target).exists()]
    assert missing == []
