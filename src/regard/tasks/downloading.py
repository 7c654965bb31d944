"""One file from one address, by http or https: all of it, and no more than was expected."""

import errno
import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from regard.tasks.folders import PIECE, VARIABLE

SCHEMES = ("http", "https")
TIMEOUT = 30.0  # seconds without a byte
MOST_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)

Progress = Callable[[str, int, int | None], None]  # file, bytes so far, bytes in all if told


class FetchError(ValueError):
    """A file that could not be fetched, and why."""


class FolderError(FetchError):
    """A folder that cannot be written to, and why."""


def check_address(url: str) -> None:
    """Refuse an address that is not of the web: no file, no ftp, no folder."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise FetchError(f"{url} is not an address that begins with http:// or https://")


def download(url: str, path: Path, limit: int, progress: Progress | None = None) -> None:
    """Write what ``url`` gives into the new file ``path``, at most ``limit`` bytes of it.

    On an error the file is left as far as it came; the caller chose its name and removes it.
    """
    label = PurePosixPath(urlsplit(url).path).name
    received = 0
    with _answer(url) as answer:
        expected = _length(answer)
        if expected is not None and expected > limit:
            raise FetchError(f"{url} gives {expected} bytes, where at most {limit} are expected")
        with writing(path.parent):
            file = path.open("xb")
        with file:
            for piece in _pieces(url, answer):
                received += len(piece)
                if received > limit:
                    raise FetchError(f"{url} gives more than the {limit} bytes that are expected")
                with writing(path.parent):
                    file.write(piece)
                    file.flush()
                if progress is not None:
                    progress(label, received, expected)
    if expected is not None and received < expected:
        raise FetchError(f"{url} was cut short: {received} of {expected} bytes came")


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Say in words what keeps a folder from being written to."""
    try:
        yield
    except OSError as wrong:
        full = wrong.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = "the disk is full" if full else wrong
        raise FolderError(
            f"{folder} cannot be written to ({reason}); make it possible, or let {VARIABLE} name "
            "a folder for the data sets in which it is"
        ) from wrong


def _answer(url: str) -> http.client.HTTPResponse:
    """The server's answer, after a few redirects, none of which leaves the web."""
    opener = OpenerDirector()  # of its own: urllib's also opens files and follows to ftp
    for handler in (
        ProxyHandler,
        HTTPHandler,
        HTTPSHandler,
        HTTPErrorProcessor,
        HTTPDefaultErrorHandler,
    ):
        opener.add_handler(handler())
    address = url
    for _ in range(MOST_REDIRECTS + 1):
        check_address(address)
        request = Request(address, headers={"User-Agent": "regard"})
        try:
            return opener.open(request, timeout=TIMEOUT)
        except HTTPError as wrong:
            with wrong:
                location = wrong.headers.get("Location")
            if wrong.code not in REDIRECTS or not location:
                raise FetchError(f"{address} gives {wrong.code} {wrong.reason}") from wrong
            address = urljoin(address, location)
        except (OSError, http.client.HTTPException, UnicodeError) as wrong:
            raise FetchError(f"{address} does not answer ({_reason(wrong)})") from wrong
    raise FetchError(f"{url} is redirected more than {MOST_REDIRECTS} times, last to {address}")


def _pieces(url: str, answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            piece = answer.read1(PIECE)  # what has come, not all that may come
        except (OSError, http.client.HTTPException) as wrong:
            raise FetchError(f"{url} was cut short ({_reason(wrong)})") from wrong
        if not piece:
            return
        yield piece


def _length(answer: http.client.HTTPResponse) -> int | None:
    told = answer.headers.get("Content-Length", "")
    return int(told) if told.isascii() and told.isdigit() else None


def _reason(wrong: BaseException) -> str:
    reason = wrong.reason if isinstance(wrong, URLError) else wrong
    return str(reason) or type(reason).__name__
