"""Fetching from a server that misbehaves in every way that a server can: nothing is left behind."""

import gzip
import socket
import threading
import time

import pytest
from serving import NAME, TEXT, archive, dies, digest, leads, left, missing, says

from regard.tasks import downloading, fetching
from regard.tasks.downloading import FetchError
from regard.tasks.fetching import fetch
from regard.tasks.sources import TarMember


def test_a_wrong_checksum_is_told_with_both_sums_and_leaves_nothing_behind(add, place):
    add(answer=says(TEXT.upper()))
    sums = f"the sha256 is {digest(TEXT.upper())}, not {digest(TEXT)}"
    with pytest.raises(FetchError, match=rf"/up/one\.txt does not give one\.txt \({sums}\); try l"):
        fetch(NAME)
    assert left(place) == []


def test_a_file_that_is_not_there_is_told_with_what_to_do(add, place):
    add(answer=missing)
    message = r"/up/one\.txt gives 404 Not Found; try later, let REGARD_MIRROR name a server that "
    with pytest.raises(FetchError, match=message + r".*put one\.txt into .*small by hand"):
        fetch(NAME)
    assert left(place) == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (says(TEXT[:997], told=len(TEXT)), r"was cut short"),
        (says(TEXT[:997], told=len(TEXT), then=dies), r"was cut short"),
        (dies, r"does not answer \(.*\)"),
        (says(TEXT[:997], told=0), "does not give one.txt"),
    ],
    ids=["truncated", "dies midway", "dies at once", "truncated, no length told"],
)
def test_a_server_that_stops_leaves_nothing_behind(add, place, answer, message):
    add(answer=answer)
    with pytest.raises(FetchError, match=message):
        fetch(NAME)
    assert left(place) == []


def test_a_server_that_falls_silent_is_given_up(add, place, monkeypatch):
    monkeypatch.setattr(downloading, "TIMEOUT", 0.2)
    release = threading.Event()
    add(answer=says(TEXT[:997], told=len(TEXT), then=lambda handler: release.wait(20)))
    start = time.monotonic()
    with pytest.raises(FetchError, match=r"was cut short \(timed out\)"):
        fetch(NAME)
    assert time.monotonic() - start < 7
    release.set()
    assert left(place) == []


def test_nobody_there_is_told(add, place, server, monkeypatch):
    add()
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(FetchError, match=rf"{nobody}/small/one\.txt does not answer"):
            fetch(NAME, mirror=nobody)
    assert left(place) == []


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (None, f"gives {20 * len(TEXT)} bytes, where at most {len(TEXT) + 11} are expected"),
        (0, f"gives more than the {len(TEXT) + 11} bytes that are expected"),
    ],
    ids=["length told", "length not told"],
)
def test_a_body_without_end_is_cut_off(add, place, told, message, monkeypatch):
    monkeypatch.setattr(fetching, "MARGIN", 11)
    add(answer=says(TEXT * 20, told=told))
    with pytest.raises(FetchError, match=message):
        fetch(NAME)
    assert left(place) == []


def test_a_small_file_that_unpacks_without_end_is_cut_off(add, place):
    add("one.txt.gz", answer=says(gzip.compress(bytes(10_000_019))))
    with pytest.raises(FetchError, match=f"it holds more than the {len(TEXT)} bytes that it sho"):
        fetch(NAME)
    add("one.txt.xz", form=TarMember("a"), answer=says(archive(a=bytes(10_000_019))))
    with pytest.raises(FetchError, match=f"it holds more than the {len(TEXT)} bytes that it sho"):
        fetch(NAME)
    assert left(place) == []


@pytest.mark.parametrize("scheme", ["file://", "ftp://127.0.0.1", "data:,"])
def test_a_redirect_out_of_the_web_is_refused(add, place, scheme, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_bytes(TEXT)
    add(answer=leads(f"{scheme}{secret}"))
    with pytest.raises(FetchError, match=r"secret is not an address that begins with http:// or"):
        fetch(NAME)
    assert left(place) == []


def test_redirects_within_the_web_are_followed_but_not_for_ever(add, place, server):
    add(**{"/up/one.txt": leads("/moved"), "/moved": says(TEXT)})
    assert fetch(NAME) == place / NAME
    (place / NAME / "one.txt").unlink()
    server.answers["/moved"] = leads("/up/one.txt")
    with pytest.raises(FetchError, match="is redirected more than 5 times"):
        fetch(NAME)
    assert left(place) == []
