"""Pictures into files, whole or not at all."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.files import whole

if TYPE_CHECKING:
    import matplotlib.figure

MOST_PIXELS = 8_000  # along the longer side of a PNG

# The metadata that would make two files of one picture differ: the moment of writing.
DATES: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def save(figure: "matplotlib.figure.Figure", path: str | Path) -> Path:
    """Write a picture as .png, .svg or .pdf, by the ending of ``path``, and return the path.

    The file appears whole or not at all: it is written beside its place and then moved there, so
    that a failure leaves an older picture as it was. The same picture gives the same bytes.
    """
    import matplotlib

    path = Path(path)
    ending = path.suffix.lower()
    if ending not in DATES:
        raise ValueError(
            f"a picture is saved as {', '.join(DATES)}, but the name {path.name!r} ends in "
            f"{path.suffix!r}"
        )
    with whole(path) as file, matplotlib.rc_context({"svg.hashsalt": "regard"}):
        figure.savefig(
            file,
            format=ending[1:],
            dpi=min(150, MOST_PIXELS / max(figure.get_size_inches())),
            bbox_inches="tight",
            pad_inches=0.1,
            metadata=DATES[ending],
        )
    return path
