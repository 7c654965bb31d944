"""One HTML file out of a template, its styles, its script and its data: nothing is asked for."""

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any


def assemble(
    template: str,
    data: Mapping[str, Any],
    *,
    styles: Sequence[str],
    modules: Sequence[str],
    allowed: str = "",
) -> str:
    """Fill the page; it is pure ASCII, and runs no script but its own.

    ``data`` has the page's title; ``allowed`` is what its policy lets in besides script and style.
    """
    web = resources.files("regard.viewing") / "web"
    style = "\n".join((web / name).read_text(encoding="utf-8") for name in styles)
    script = "\n".join(
        line
        for name in modules
        for line in (web / name).read_text(encoding="utf-8").splitlines()
        if not line.startswith("import ")  # in the page, the modules are one
    )
    text = json.dumps(data, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Template((web / template).read_text(encoding="utf-8")).substitute(
        policy=f"default-src 'none'; {allowed}script-src '{_hash(script)}'; "
        f"style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'",
        title=html.escape(data["title"]).encode("ascii", "xmlcharrefreplace").decode("ascii"),
        style=style,
        data=text,
        script=script,
    )


def in_letters(content: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(content).decode("ascii")


def _hash(text: str) -> str:
    return f"sha256-{in_letters(hashlib.sha256(text.encode()).digest())}"
