"""A server of one's own, a folder for data sets, and data sets made up to be fetched."""

import http.server
import threading

import pytest
from serving import NAME, TEXT, Handler, digest, says

from regard.tasks.checksums import CHECKSUMS
from regard.tasks.sources import SOURCES, Download, File, Source


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.answers, running.asked, running.daemon_threads = {}, [], True
        running.url = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder into which data sets go, and no other."""
    monkeypatch.delenv("REGARD_MIRROR", raising=False)
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def add(server, place, monkeypatch):
    """Give the made-up data set ``small`` one more file, and the server its answers.

    The answer is the content, or what ``answer=`` says, or one for each path of the server.
    """

    def build(name="one.txt", content=TEXT, form=None, address=None, **answers):
        address = address or f"/up/{name}"
        for path, answer in answers.items() or [(address, says(content))]:
            server.answers[path if path.startswith("/") else address] = answer
        file = File(name, len(content), Download(server.url + address, form))
        files = (*SOURCES[NAME].files, file) if NAME in SOURCES else (file,)
        source = Source(NAME, "Small", "https://example.org", "CC0", 7, files)
        monkeypatch.setitem(SOURCES, NAME, source)
        sums = {**CHECKSUMS.get(NAME, {}), name: digest(content)}
        monkeypatch.setitem(CHECKSUMS, NAME, sums)

    return build
