"""Fetching, checking and listing data sets, against a server on this machine."""

import errno
import gzip
import io
import lzma
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path
from zipfile import ZipFile

import pytest
from serving import NAME, OTHER, TEXT, archive, digest, left, says

from regard.tasks import fetching, folders
from regard.tasks.checksums import CHECKSUMS
from regard.tasks.downloading import FetchError
from regard.tasks.fetching import check, fetch, listing
from regard.tasks.forms import Plain, TarMember, TarMembers, ZipMember
from regard.tasks.sources import SOURCES, ByHand, Download, File, Source

REAL = ["multi30k", "tatoeba_fra_eng", "korean_english", "flickr8k", "babi", "ptb"]
MIRRORED = ["babi"]  # upstream is an archive without a commit; its checksum alone names the bytes


def test_a_file_is_fetched_as_it_is_and_its_progress_told(add, place):
    add()
    told = []
    assert fetch(NAME, progress=lambda *progress: told.append(progress)) == place / NAME
    assert (place / NAME / "one.txt").read_bytes() == TEXT
    assert left(place) == ["one.txt"]
    assert told[-1] == ("one.txt", len(TEXT), len(TEXT))


def test_fetching_goes_to_the_cache_unless_told_otherwise(add, place, monkeypatch):
    add()
    monkeypatch.setattr(folders, "cache_folder", lambda: place / "cache")
    monkeypatch.delenv("REGARD_DATA")
    assert fetch(NAME) == place / "cache" / NAME
    assert fetch(NAME, into=place / "given") == place / "given" / NAME
    assert [row.state for row in check(NAME, place / "given")] == ["right"]


def test_what_upstream_has_unpacked_or_in_an_archive_is_kept_packed(add, server, place):
    add("one.txt.xz", form=Plain())
    both = says(archive(**{"._two.txt": b"no", "two.txt": TEXT, "three.txt": OTHER}))
    add("two.txt.xz", TEXT, TarMember("two.txt"), "/up/all.tar.gz", answer=both)
    add("three.txt.gz", OTHER, TarMember("three.txt"), "/up/all.tar.gz", answer=both)
    fetch(NAME)
    assert lzma.decompress((place / NAME / "one.txt.xz").read_bytes()) == TEXT
    assert lzma.decompress((place / NAME / "two.txt.xz").read_bytes()) == TEXT
    assert gzip.decompress((place / NAME / "three.txt.gz").read_bytes()) == OTHER
    assert server.asked == ["/up/one.txt.xz", "/up/all.tar.gz"]  # once, for both its files
    assert left(place) == ["one.txt.xz", "three.txt.gz", "two.txt.xz"]
    assert not list(place.parent.rglob("two.txt"))


def test_a_member_of_a_zip_archive_is_kept_packed_and_what_lacks_it_is_told(add, place):
    packed = io.BytesIO()
    with ZipFile(packed, "w") as zipped:
        zipped.writestr("__MACOSX/one.txt", b"no")
        zipped.writestr("../ptb/one.txt", TEXT)
    add("one.txt.xz", TEXT, ZipMember("one.txt"), answer=says(packed.getvalue()))
    fetch(NAME)
    assert lzma.decompress((place / NAME / "one.txt.xz").read_bytes()) == TEXT
    assert left(place) == ["one.txt.xz"]
    add("two.txt.xz", OTHER, ZipMember("two.txt"), answer=says(packed.getvalue()))
    with pytest.raises(FetchError, match=r"two\.txt\.xz \(the archive has no file two\.txt"):
        fetch(NAME)
    add("two.txt.xz", OTHER, ZipMember("two.txt"), answer=says(b"<html>"))
    with pytest.raises(FetchError, match="it cannot be read as a zip archive"):
        fetch(NAME)


def test_an_archive_is_kept_with_some_of_its_members_the_same_whoever_packed_it(tmp_path):
    form = TarMembers(("top/b/two", "top/a/one"), modified=1_009)
    kept = []
    for number, order in enumerate([("b/two", "a/one", "a/three"), ("a/one", "c", "b/two")]):
        with tarfile.open(tmp_path / f"{number}.tar.gz", "w:gz") as packed:
            for name in order:
                entry = tarfile.TarInfo(f"top/{name}")
                entry.size, entry.mtime, entry.uid, entry.mode = len(name), number, number, 0o600
                packed.addfile(entry, io.BytesIO(name.encode()))
        kept.append(b"".join(form.read(tmp_path / f"{number}.tar.gz")))
    assert kept[0] == kept[1]
    with tarfile.open(fileobj=io.BytesIO(kept[0])) as found:
        names = [(entry.name, entry.mtime, entry.isdir()) for entry in found]
        assert names == [
            ("top", 1_009, True),
            ("top/b", 1_009, True),
            ("top/b/two", 1_009, False),
            ("top/a", 1_009, True),
            ("top/a/one", 1_009, False),
        ]
        assert found.extractfile("top/b/two").read() == b"b/two"
    with pytest.raises(ValueError, match="the archive has no file top/d"):
        list(TarMembers(("top/a/one", "top/d"), modified=0).read(tmp_path / "0.tar.gz"))


@pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"), reason="REGARD_DATA is not set: no real archive to repack"
)
def test_the_archive_of_babi_repacked_is_the_one_that_is_kept(tmp_path):
    """Upstream has other members besides; those that are kept give the checksum again."""
    (file,) = SOURCES["babi"].files
    kept = folders.data_file("babi", file.name)
    with (
        tarfile.open(kept) as old,
        tarfile.open(tmp_path / "all.tar", "w") as new,
    ):
        for entry in reversed(old.getmembers()):
            new.addfile(entry, old.extractfile(entry) if entry.isreg() else None)
            entry.name = entry.name.replace("/en", "/shuffled")
            new.addfile(entry, old.extractfile(entry) if entry.isreg() else None)
    assert (
        digest(b"".join(file.origin.form.read(tmp_path / "all.tar")))
        == CHECKSUMS["babi"][file.name]
    )


def test_an_archive_that_is_none_or_lacks_the_file_is_told(add, place):
    add("one.txt.xz", form=TarMember("one.txt"), answer=says(archive(two=TEXT)))
    with pytest.raises(FetchError, match=r"does not give one\.txt\.xz \(the archive has no file o"):
        fetch(NAME)
    add("one.txt.xz", form=TarMember("one.txt"), answer=says(b"<html>"))
    with pytest.raises(FetchError, match="it cannot be read as a tar archive"):
        fetch(NAME)
    assert left(place) == []


def test_what_is_there_and_right_is_skipped_and_what_is_wrong_is_fetched_again(add, place, server):
    add("one.txt")
    add("two.txt.gz", OTHER, answer=says(gzip.compress(OTHER)))
    add("three.txt", OTHER)
    (place / NAME).mkdir()
    (place / NAME / "one.txt").write_bytes(TEXT)
    (place / NAME / "two.txt.gz").write_bytes(gzip.compress(OTHER)[:-7])
    states = {row.file: row.state for row in check(NAME)}
    assert states == {"one.txt": "right", "two.txt.gz": "wrong", "three.txt": "missing"}
    fetch(NAME)
    assert server.asked == ["/up/two.txt.gz", "/up/three.txt"]
    assert [(row.state, row.path.parent) for row in check(NAME)] == [("right", place / NAME)] * 3
    assert fetch(NAME, mirror="nowhere") == place / NAME  # nobody is asked


def test_a_mirror_is_a_folder_of_data_sets_and_has_what_no_address_gives(
    add, place, server, monkeypatch
):
    add("one.txt.xz", form=Plain())
    made = File("made.txt", len(OTHER), ByHand("it is made by cooking"))
    files = (*SOURCES[NAME].files, made)
    monkeypatch.setitem(SOURCES, NAME, Source(NAME, "Small", "", "CC0", 7, files))
    monkeypatch.setitem(CHECKSUMS[NAME], "made.txt", digest(OTHER))
    with pytest.raises(
        FetchError, match=r"no address gives made\.txt: it is made by cooking; put it into .*small"
    ):
        fetch(NAME)
    assert left(place) == ["one.txt.xz"]  # the others are there all the same
    server.answers["/data/small/made.txt"] = says(OTHER)
    monkeypatch.setenv("REGARD_MIRROR", f"{server.url}/data/")
    fetch(NAME)
    server.answers["/data/small/one.txt.xz"] = says(lzma.compress(TEXT, preset=1))
    fetch(NAME, into=place / "again")
    assert {row.state for row in check(NAME, place / "again")} == {"right"}
    with pytest.raises(FetchError, match=r"file:///data is not an address that begins with http"):
        fetch(NAME, into=place / "never", mirror="file:///data")
    assert not (place / "never").exists()


def test_control_c_leaves_nothing_behind(add, place):
    add()

    def interrupt(*progress):
        assert len(left(place)) == 1  # the part
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(NAME, progress=interrupt)
    assert left(place) == []


KILLED = """
import sys
from regard.tasks import fetching, sources
from regard.tasks.checksums import CHECKSUMS

file = sources.File("one.txt", {size}, sources.Download("{url}"))
sources.SOURCES["small"] = sources.Source("small", "", "", "", 7, (file,))
CHECKSUMS["small"] = {{"one.txt": "{digest}"}}
fetching.fetch("small", progress=lambda *progress: print("halfway", flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed in another way there")
def test_a_process_that_is_killed_leaves_no_file_under_its_name(add, place, server):
    release = threading.Event()
    add(answer=says(TEXT[:997], told=len(TEXT), then=lambda handler: release.wait(60)))
    url = f"{server.url}/up/one.txt"
    code = KILLED.format(size=len(TEXT), url=url, digest=digest(TEXT))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"halfway\n"
        process.send_signal(signal.SIGKILL)
    release.set()
    (part,) = left(place)
    assert part.startswith(".part-")
    assert [row.state for row in check(NAME)] == ["missing"]
    server.answers["/up/one.txt"] = says(TEXT)
    long_ago = time.time() - fetching.ABANDONED - 7
    os.utime(place / NAME / part, (long_ago, long_ago))
    fetch(NAME)
    assert left(place) == ["one.txt"]


@pytest.mark.parametrize("form", [None, Plain()], ids=["downloading", "packing"])
def test_a_full_disk_is_told_and_leaves_nothing_behind(add, place, form, monkeypatch):
    add("one.txt" if form is None else "one.txt.xz", form=form)

    class Full(io.FileIO):
        def write(self, piece):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if form is None:
        monkeypatch.setattr(Path, "open", lambda path, mode: Full(str(path), mode))
    else:
        monkeypatch.setitem(fetching.PACKED, ".xz", Full)
    with pytest.raises(
        FetchError, match=r"^\S*small cannot be written to \(the disk is full\).*REGARD_DATA name"
    ) as told:
        fetch(NAME)
    assert "try later" not in str(told.value)
    monkeypatch.undo()
    assert left(place) == []


def test_a_folder_that_cannot_be_made_is_told(add, place):
    add()
    (place / NAME).write_text("in the way")
    with pytest.raises(FetchError, match=r"small cannot be written to .*exists"):
        fetch(NAME)


def test_the_list_says_what_is_here(add, place):
    add()
    add("two.txt", OTHER)
    here = {row.name: row for row in listing()}
    assert list(here) == [*REAL, NAME]
    assert here[NAME][1:] == ("Small", "CC0", "https://example.org", 7, 2, 0, None)
    (place / NAME).mkdir()
    (place / NAME / "two.txt").write_bytes(OTHER)
    assert listing()[-1][5:] == (2, 1, place / NAME)
    with pytest.raises(ValueError, match="no data set 'smal'; there are multi30k, tatoeba_fra_eng"):
        fetch("smal")


def test_every_file_with_a_checksum_has_a_source_of_one_commit():
    assert list(SOURCES) == list(CHECKSUMS)
    for name, source in SOURCES.items():
        assert source.name == name
        assert {file.name for file in source.files} == set(CHECKSUMS[name])
        for file in source.files:
            if isinstance(file.origin, Download) and name not in MIRRORED:
                assert file.origin.url.startswith("https://raw.githubusercontent.com/")
                assert len(file.origin.url.split("/")[5]) == 40


@pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"), reason="REGARD_DATA is not set: no real file to measure"
)
def test_the_sizes_of_the_real_files_are_those_of_the_table():
    for name, source in SOURCES.items():
        paths = {file.name: folders.data_file(name, file.name) for file in source.files}
        assert sum(path.stat().st_size for path in paths.values()) == source.size
        for file in source.files:
            assert sum(map(len, folders.unpacked(paths[file.name]))) == file.size


def test_fetching_needs_no_torch():
    code = "import sys, regard.tasks.fetching; print({'torch', 'numpy'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert printed.stdout == b"set()\n"
