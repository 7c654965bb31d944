"""The readers of the real data sets: on small files everywhere, on the real ones where they are."""

import gzip
import hashlib
import lzma
import os
from zipfile import ZipFile

import pytest

from regard.tasks import (
    Pair,
    cache_folder,
    data_file,
    data_folder,
    folders,
    korean_english,
    multi30k,
    split_by_source,
    tatoeba_french,
)
from regard.tasks.checksums import CHECKSUMS

real = pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"),
    reason="REGARD_DATA is not set: line counts and checksums of the real files are left out",
)
FRENCH = (
    "Go.\tVa !\nGo.\tVas-y.\ngo!\tBouge !\nHello.\tBonjour.\nStop.\tArrête.\nWait!\tAttends !\n"
)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Small files in the layout of the real ones, with their own checksums."""
    content = {
        "multi30k/val.en.gz": gzip.compress(b"A dog runs.\nTwo men.\n"),
        "multi30k/val.de.gz": gzip.compress("Ein Hund läuft.\nZwei Männer.\n".encode()),
        "korean_english/tatoeba_kor_eng_2022.tsv.xz": lzma.compress("Go.\t가.\tCM\n".encode()),
        "korean_english/jhe-koen-dev.ko.xz": lzma.compress("가자.\n".encode()),
        "korean_english/jhe-koen-dev.en.xz": lzma.compress(b"Let's go.\n"),
    }
    for name, data in content.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "tatoeba_fra_eng").mkdir()
    with ZipFile(tmp_path / "tatoeba_fra_eng" / "fra-eng.zip", "w") as archive:
        archive.writestr("_about.txt", "about")
        archive.writestr("fra.txt", FRENCH)
    for path in tmp_path.rglob("*.*"):
        unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
        checksum = hashlib.sha256(unpack(path.read_bytes())).hexdigest()
        monkeypatch.setitem(CHECKSUMS[path.parent.name], path.name, checksum)
    monkeypatch.delenv("REGARD_DATA", raising=False)
    return tmp_path


def test_captions_are_read_in_both_directions(small):
    dog = ("A", "dog", "runs."), ("Ein", "Hund", "läuft.")
    assert multi30k("val", folder=small)[0] == Pair(*dog)
    assert multi30k("val", "de", "en", folder=small)[0] == Pair(*reversed(dog))
    assert len(multi30k("val", folder=small)) == 2


def test_korean_comes_before_english_in_tables_and_parallel_files(small):
    assert korean_english("tatoeba", small) == [Pair(("가.",), ("Go.",))]
    assert korean_english("school-dev", small) == [Pair(("가자.",), ("Let's", "go."))]


def test_unknown_names_are_refused_with_those_that_work(small):
    with pytest.raises(ValueError, match=r"part must be one of train, val, .* but it is 'valid'"):
        multi30k("valid", folder=small)
    with pytest.raises(ValueError, match="language must be one of en, de, fr, but it is 'cs'"):
        multi30k("val", "en", "cs", folder=small)
    with pytest.raises(ValueError, match=r"name must be one of tatoeba, python, .* it is 'news'"):
        korean_english("news", small)
    with pytest.raises(ValueError, match="no data set 'multi'; there are multi30k, tatoeba_fra"):
        data_folder("multi", small)
    with pytest.raises(ValueError, match=r"multi30k has no file 'val\.cs\.gz'; it has test_2016"):
        data_file("multi30k", "val.cs.gz", small)


def test_no_english_sentence_is_in_two_sets_and_none_is_lost(small):
    sets = tatoeba_french(valid=1, test=1, folder=small)
    english = [{"".join(pair.source).strip("!.").lower() for pair in pairs} for pairs in sets]
    assert all(english)
    assert sum(map(len, english)) == len(set.union(*english)) == 4  # go, hello, stop, wait
    assert sum(map(len, sets)) == 6


def test_a_split_depends_on_the_seed_and_not_on_the_order():
    pairs = [Pair((f"word{number}",), (str(number),)) for number in range(101)]
    first = split_by_source(pairs, valid=11, test=13, seed=3)
    assert [len(pairs) for pairs in first] == [77, 11, 13]
    again = split_by_source(reversed(pairs), valid=11, test=13, seed=3)
    assert [sorted(pairs) for pairs in again] == [sorted(pairs) for pairs in first]
    assert split_by_source(pairs, valid=11, test=13, seed=2).test != first.test
    with pytest.raises(
        ValueError, match=r"nothing is left .* and valid=100 and test=1 take all of them"
    ):
        split_by_source(pairs, valid=100, test=1, seed=0)


def test_the_folder_is_the_one_given_then_that_of_the_variable_then_the_cache(
    small, tmp_path_factory, monkeypatch
):
    other = tmp_path_factory.mktemp("other")
    (other / "regard" / "data" / "multi30k").mkdir(parents=True)
    monkeypatch.setattr(folders.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(other))
    assert cache_folder() == other / "regard" / "data"
    assert data_folder("multi30k") == other / "regard" / "data" / "multi30k"
    monkeypatch.setenv("REGARD_DATA", str(small))
    assert data_folder("multi30k") == small / "multi30k"
    assert data_folder("multi30k", other / "regard" / "data") == cache_folder() / "multi30k"


def test_missing_data_name_the_command_that_gets_them(small, monkeypatch):
    empty = small / "multi30k"
    for where, origin in [("folder", "that was given"), ("variable", "that REGARD_DATA names")]:
        monkeypatch.setenv("REGARD_DATA", str(empty) if where == "variable" else "")
        with pytest.raises(ValueError, match=f"{origin}.*; fetch it by: regard data get multi30k"):
            multi30k("val", folder=empty if where == "folder" else None)
    (small / "multi30k" / "val.de.gz").unlink()
    with pytest.raises(
        ValueError, match=r"no file .*val\.de\.gz; fetch it by: regard data get mul"
    ):
        multi30k("val", folder=small)


def test_a_file_with_the_wrong_checksum_is_never_read(small):
    path = small / "multi30k" / "val.de.gz"
    assert len(multi30k("val", folder=small)) == 2
    path.write_bytes(gzip.compress(b"Ein Hund.\nZwei.\n"))
    with pytest.raises(ValueError, match=r"val\.de\.gz is not the file that it should be: its sha"):
        multi30k("val", folder=small)


def test_a_file_that_was_packed_anew_is_the_same_file_and_a_torn_one_is_not(small):
    path = small / "multi30k" / "val.de.gz"
    content = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(content, compresslevel=1, mtime=7))
    assert len(multi30k("val", folder=small)) == 2
    path.write_bytes(path.read_bytes()[:-11])
    with pytest.raises(
        ValueError, match=r"val\.de\.gz cannot be unpacked .* again by: regard data get multi30k"
    ):
        multi30k("val", folder=small)


def test_a_file_is_summed_once(small, monkeypatch):
    multi30k("val", folder=small)
    monkeypatch.setattr(folders.hashlib, "sha256", None)
    assert len(multi30k("val", folder=small)) == 2


def test_an_archive_without_its_member_says_what_it_has(small, monkeypatch):
    path = small / "tatoeba_fra_eng" / "fra-eng.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("../fra.txt", FRENCH)
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setitem(CHECKSUMS["tatoeba_fra_eng"], path.name, checksum)
    with pytest.raises(ValueError, match=r"fra-eng\.zip has no fra\.txt; it has \.\./fra\.txt"):
        tatoeba_french(folder=small)
    assert not (small / "fra.txt").exists()


@real
@pytest.mark.parametrize(
    ("part", "count"),
    [
        ("train", 29_000),
        ("val", 1_014),
        ("test_2016_flickr", 1_000),
        ("test_2017_flickr", 1_000),
        ("test_2017_mscoco", 461),
        ("test_2018_flickr", 1_071),
    ],
)
def test_every_part_of_multi30k_has_its_pairs(part, count):
    assert len(multi30k(part, "en", "de")) == len(multi30k(part, "fr", "en")) == count


@real
def test_tatoeba_has_its_pairs_in_sets_without_a_common_sentence():
    sets = tatoeba_french(valid=1_009, test=2_003)
    assert sum(map(len, sets)) == 142_787
    assert 2_003 <= len(sets.test) < 2_003 + 70
    assert 1_009 <= len(sets.valid) < 1_009 + 70
    english = [{pair.source for pair in pairs} for pairs in sets]
    assert not english[0] & english[1]
    assert not english[0] & english[2]
    assert not english[1] & english[2]


@real
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tatoeba", 3_833),
        ("python", 28_233),
        ("news-dev", 1_000),
        ("news-test", 2_000),
        ("school-dev", 720),
        ("school-eval", 720),
    ],
)
def test_every_korean_source_has_its_pairs(name, count):
    pairs = korean_english(name)
    assert len(pairs) == count
    hangul = [any("가" <= letter <= "힣" for letter in "".join(pair.source)) for pair in pairs]
    assert sum(hangul) > 0.99 * count
