"""The command about data: what is here, what is not, and the way to get it."""

import json

from regard.command import main


def test_data_that_is_not_here_is_named_with_the_way_to_get_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    assert main(["train", "luong-multi30k", "--to", str(tmp_path / "run")]) == 1
    assert "regard data get multi30k" in capsys.readouterr().err


def test_data_list_and_check_say_what_is_here(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    assert main(["data", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in rows} >= {"multi30k", "tatoeba_fra_eng", "korean_english"}
    assert main(["data", "check", "multi30k"]) == 1
    assert "missing" in capsys.readouterr().out
    assert main(["data", "get", "nothing"]) == 1
    assert "there is no data set 'nothing'" in capsys.readouterr().err
