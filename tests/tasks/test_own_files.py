"""The user's own pairs, and what is said when a file is not right."""

import gzip
import lzma

import pytest

from regard.tasks import Pair, read_pairs, read_table

GO = Pair(("시청", "으로", "가자"), ("Let's", "go"))
STAY = Pair(("여기",), ("Stay", "here", "."))
TABLE = "시청 으로 가자\tLet's go\n여기\tStay here .\n"


def write(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [TABLE, TABLE[:-1], TABLE.replace("\n", "\r\n"), "\ufeff" + TABLE, TABLE.replace(" ", "  ")],
    ids=["plain", "no last newline", "carriage returns", "byte order mark", "two spaces"],
)
def test_a_table_is_read(tmp_path, content):
    assert read_pairs(write(tmp_path / "pairs.tsv", content)) == [GO, STAY]


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_packed_files_are_unpacked_by_their_ending(tmp_path, ending, pack):
    path = write(tmp_path / f"pairs.tsv{ending}", pack(TABLE.encode()))
    assert read_pairs(path) == [GO, STAY]
    write(path, pack(TABLE.encode())[:-11])
    with pytest.raises(ValueError, match=rf"pairs.tsv\{ending} cannot be unpacked as its ending"):
        read_pairs(path)
    write(path, TABLE)
    with pytest.raises(ValueError, match="cut short or not be packed at all"):
        read_pairs(path)


def test_two_files_are_read_line_by_line(tmp_path):
    source = write(tmp_path / "train.ko", "시청 으로 가자\n여기\n")
    target = write(tmp_path / "train.en", "Let's go\nStay here .\n")
    assert read_pairs(source, target) == [GO, STAY]
    assert read_pairs(str(source), str(target)) == [GO, STAY]


def test_odd_separators_do_not_end_a_line(tmp_path):
    path = write(tmp_path / "pairs.tsv", "one\u2028two\tun\x0bdeux\n")
    assert read_pairs(path) == [Pair(("one", "two"), ("un", "deux"))]


def test_columns_are_picked_and_swapped(tmp_path):
    path = write(tmp_path / "pairs.tsv", "Stay here .\t여기\tsomebody\n")
    assert read_table(path, columns=(1, 0)) == [STAY]
    with pytest.raises(ValueError, match="line 1: 3 columns, but columns 2 and 4 are wanted"):
        read_table(path, columns=(1, 3))


def test_a_missing_file_is_named_with_its_near_names(tmp_path):
    write(tmp_path / "train.tsv", TABLE)
    write(tmp_path / "notes", TABLE)
    with pytest.raises(ValueError, match=r"no file .*trian\.tsv; its folder has train\.tsv$"):
        read_pairs(tmp_path / "trian.tsv")
    with pytest.raises(ValueError, match=r"no file .*x\.tsv, nor the folder .*nowhere$"):
        read_pairs(tmp_path / "nowhere" / "x.tsv")
    with pytest.raises(ValueError, match="is a folder; name a file in it"):
        read_pairs(tmp_path)


def test_files_of_different_lengths_are_told_with_both_numbers(tmp_path):
    source = write(tmp_path / "train.ko", "하나\n둘\n셋\n")
    target = write(tmp_path / "train.en", "one\ntwo\n")
    with pytest.raises(ValueError, match=r"train\.ko has 3 lines, but .*train\.en has 2; line by"):
        read_pairs(source, target)


@pytest.mark.parametrize("gap", ["\n", " \t \n", "\r\n"])
def test_an_empty_line_is_named(tmp_path, gap):
    path = write(tmp_path / "pairs.tsv", f"{TABLE}{gap}a\tb\n")
    with pytest.raises(ValueError, match=r"pairs\.tsv, line 3: the line is empty; .* delete it"):
        read_pairs(path)


@pytest.mark.parametrize(("line", "side"), [("\tb", "source"), ("a\t ", "target")])
def test_an_empty_side_is_named(tmp_path, line, side):
    path = write(tmp_path / "pairs.tsv", f"{TABLE}{line}\n")
    with pytest.raises(ValueError, match=rf"pairs\.tsv, line 3: the {side} sentence is empty"):
        read_pairs(path)


def test_a_wrong_encoding_is_named_with_line_and_byte(tmp_path):
    path = write(tmp_path / "pairs.tsv", TABLE.encode() + "thé\ttea\n".encode("latin-1"))
    expected = r"pairs\.tsv, line 3: byte 3 of the line \(0xe9\) is not UTF-8; save the file as"
    with pytest.raises(ValueError, match=expected):
        read_pairs(path)
    write(path, TABLE.encode("utf-16"))
    with pytest.raises(ValueError, match=r"line 1: byte 1 of the line \(0xff\) is not UTF-8"):
        read_pairs(path)


def test_a_table_with_one_or_three_columns_is_refused(tmp_path):
    path = write(tmp_path / "pairs.tsv", TABLE + "only one\n")
    with pytest.raises(ValueError, match=r"line 3: one column instead of two; .* as two files"):
        read_pairs(path)
    write(path, "a\tb\tc\n")
    with pytest.raises(ValueError, match="line 1: 3 columns instead of two; each line is a source"):
        read_pairs(path)


@pytest.mark.parametrize("content", ["", "\ufeff"])
def test_an_empty_file_is_refused(tmp_path, content):
    path = write(tmp_path / "pairs.tsv", content)
    with pytest.raises(ValueError, match=r"pairs\.tsv is empty; it needs one sentence on each"):
        read_pairs(path)
