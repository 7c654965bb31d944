"""The name of a file that is not there is an error, not a sentence to translate."""

import pytest

from regard.command import main
from regard.command.using import check_text


@pytest.mark.parametrize("command", ["run", "show"])
def test_a_missing_file_is_not_taken_for_a_sentence(command, capsys, tmp_path):
    missing = str(tmp_path / "missing.txt")
    assert main([command, "rnnsearch-directions", missing]) != 0
    assert f"there is no file {missing}" in capsys.readouterr().err


def test_sentences_and_files_that_are_there_are_left_alone(tmp_path):
    there = tmp_path / "there.txt"
    there.write_text("시청 으로 가자\n", encoding="utf-8")
    for text in (str(there), "read missing.txt aloud", "시청", "e.g."):
        check_text(text)
    with pytest.raises(ValueError, match=r"there is no file gone\.TSV"):
        check_text("gone.TSV")
