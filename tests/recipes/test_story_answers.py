"""Typed stories and questions: what is answered, what was looked at, and what is told."""

import json

import pytest
import torch
from torch.testing import assert_close

import regard
from regard.command import main

MARY = "Mary went to the garden. John went to the office. Where is Mary?"


def test_a_story_is_answered_in_the_terminal_with_its_hops(joint, capsys):
    assert main(["run", str(joint), MARY]) == 0
    printed = capsys.readouterr()
    assert printed.out.strip() == "garden"
    table = printed.err.splitlines()
    assert table[0].split() == ["hop", "1", "hop", "2", "hop", "3"]
    assert [line.split(".")[0] for line in table[1:3]] == [
        "Mary went to the garden", "John went to the office"
    ]  # fmt: skip
    looks = regard.load(joint)(MARY).weights
    assert [float(share) for share in table[1].split()[-3:]] == [
        pytest.approx(float(share), abs=0.006) for share in looks[:, 0]
    ]
    assert table[3].startswith("(empty slots)")
    columns = zip(*(map(float, line.split()[-3:]) for line in table[1:4]), strict=True)
    assert [sum(column) for column in columns] == [pytest.approx(1, abs=0.016)] * 3
    assert table[4].startswith("Where is Mary? garden (")


def test_a_program_gets_the_hops_as_numbers(joint, capsys):
    assert main(["run", str(joint), MARY, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["output"] == "garden"
    assert len(told["weights"]) == 3
    assert len(told["weights"][0]) == len(told["sentences"]) == 2
    for hop, empty in zip(told["weights"], told["empty"], strict=True):
        assert sum(hop) + empty == pytest.approx(1, abs=1e-4)


def test_a_file_of_numbered_stories_gives_a_line_for_each_question(joint, tmp_path, capsys):
    path = tmp_path / "stories.txt"
    path.write_text(
        "1 Mary went to the garden.\n2 Where is Mary?\tgarden\t1\n3 John went to the office.\n"
        "4 Where is John?\n1 Sandra moved to the kitchen.\n2 Where is Sandra?\n"
    )
    assert main(["run", str(joint), str(path)]) == 0
    printed = capsys.readouterr()
    assert printed.out.split() == ["garden", "office", "kitchen"]
    assert printed.err == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the story is empty"),
        ("Where is Mary?", "nothing is told before 'Where is Mary?'"),
        ("Mary went to the garden.", "there is no question at the end"),
        ("Zork. Blah?", "knows none of the words"),
        (f"{'mary ' * 20}. Where is Mary?", "sentence 1 has 20 words"),
    ],
)
def test_what_cannot_be_answered_is_told(joint, text, message, capsys):
    assert main(["run", str(joint), text]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("1 Mary went away.\n3 John went away.\n", "line 2: its number is 3, but it must be 2"),
        ("1 Where is Mary?\n", "line 1: a question before any sentence"),
        ("1 Mary went away.\n2 Where is Mary?\taway\t7\n", "line 2: the supporting fact '7'"),
    ],
)
def test_a_wrong_line_of_a_file_is_named(joint, tmp_path, lines, message, capsys):
    (tmp_path / "stories.txt").write_text(lines)
    assert main(["run", str(joint), str(tmp_path / "stories.txt")]) == 1
    assert message in capsys.readouterr().err


def test_what_was_asked_before_a_wrong_line_is_answered_and_its_file_is_named(
    joint, tmp_path, capsys
):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("1 Mary went to the garden.\n2 Where is Mary?\n")
    bad.write_text("1 John went to the office.\n3 Where is John?\n")
    assert main(["run", str(joint), str(good), str(bad)]) == 1
    printed = capsys.readouterr()
    assert printed.out.split() == ["garden"]
    assert f"{bad}, line 2: its number is 3" in printed.err


@pytest.mark.parametrize(
    ("story", "message"),
    [
        ("Anna went to the den.", "there is no question at the end, but 'Anna went to the den.'"),
        ("Where is Anna?", "the story is empty"),
        (f"{'mary ' * 20}. Where is Mary?", "sentence 1 has 20 words"),
        ("Mary went to the garden.\nZork! Where is Mary?", "does not know the word zork"),
    ],
)
def test_what_is_wrong_with_a_story_of_a_file_is_said_with_its_lines(
    joint, tmp_path, capsys, story, message
):
    path = tmp_path / "stories.txt"
    path.write_text(f"{MARY}\n\n{story}\n\n{MARY}\n")
    main(["run", str(joint), str(path)])
    printed = capsys.readouterr()
    where = "lines 3 to 4" if "\n" in story else "line 3"
    assert f"regard: {path}, {where}: " in printed.err
    assert message in printed.err
    assert printed.err.count("regard: ") == 1
    assert printed.out.split("\n")[0] == printed.out.split("\n")[2] == "garden"


def test_numbered_lines_are_read_by_a_program_as_in_a_file(joint):
    told = "1 Mary went to the garden.\n2 Where is Mary?\n3 John went to the office.\n4 {}?\n"
    found = regard.load(joint)(told.format("Where is John"))
    assert (found.answer, found.remarks()) == ("office", [])
    assert found.sentences == ("Mary went to the garden.", "John went to the office.")
    with pytest.raises(ValueError, match="line 2: its number is 3, but it must be 2"):
        regard.load(joint)("1 Mary went to the garden.\n3 Where is Mary?")


@pytest.mark.parametrize("content", ["\n", "1 Mary went to the garden.\n"])
def test_a_file_without_a_question_is_said_to_have_none(joint, tmp_path, capsys, content):
    path = tmp_path / "none.txt"
    path.write_text(content)
    assert main(["run", str(joint), str(path)]) == 1
    assert f"{path} has no question" in capsys.readouterr().err


def test_a_folder_is_not_read_as_a_story(joint, tmp_path, capsys):
    assert main(["run", str(joint), str(tmp_path)]) == 1
    assert f"{tmp_path} is a folder; give the files in it" in capsys.readouterr().err


def test_a_story_may_be_typed_on_several_lines(joint, capsys):
    assert main(["run", str(joint), MARY.replace(". ", ".\n")]) == 0
    assert main(["run", str(joint), MARY.replace(". ", "; ")]) == 0
    assert capsys.readouterr().out.split() == ["garden", "garden"]


def test_a_picture_comes_with_the_same_remarks(joint, capsys, tmp_path):
    text = "John went to the zoo. Where is John?"
    assert main(["show", str(joint), text, "--to", str(tmp_path / "zoo.html")]) == 0
    assert "does not know the word zoo" in capsys.readouterr().err


def test_unknown_words_and_forgotten_sentences_are_said(joint, capsys):
    slots = regard.load(joint).networks["all tasks"].entry.sizes.slots
    text = f"{'John went to the zoo. ' * (slots + 2)}Where is John?"
    assert main(["run", str(joint), text]) == 0
    told = capsys.readouterr().err
    assert "does not know the word zoo: it reads as if nothing stood there" in told
    assert f"remembers the last {slots} sentences; the first 2 are forgotten" in told


def test_a_story_is_drawn_and_put_into_a_page(joint, tmp_path):
    sheet = regard.load(joint).sheet(MARY)
    assert sheet.weights.shape == (3, 3)
    assert sheet.rows[2] == "(empty slots)"
    assert_close(sheet.weights.sum(dim=0), torch.ones(3))
    assert sheet.answer == "garden"
    for name in ("story.svg", "story.html"):
        assert main(["show", str(joint), MARY, "--to", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 1_000
    assert "Mary went to the garden." in (tmp_path / "story.html").read_text()


def test_sentences_that_lead_to_the_answer_are_known_where_the_story_says_them(
    joint, tmp_path, monkeypatch
):
    from regard.viewing import StorySheet

    drawn = []
    made = StorySheet.__post_init__
    monkeypatch.setattr(
        StorySheet, "__post_init__", lambda sheet: (drawn.append(sheet), made(sheet))[1]
    )
    path = tmp_path / "stories.txt"
    path.write_text(
        "1 Mary went to the garden.\n2 John went to the office.\n3 Where is John?\toffice\t2\n"
        "4 Where is Mary?\n"
    )
    for inputs in ([str(path)], [MARY], []):  # a file, a typed story, those that show draws itself
        assert main(["show", str(joint), *inputs, "--to", str(tmp_path / "page.html")]) == 0
    assert [sheet.supporting for sheet in drawn[:3]] == [(1,), (), ()]
    assert len(drawn) == 8
    assert all(sheet.supporting for sheet in drawn[3:])


def test_facts_that_are_forgotten_are_not_marked(joint):
    slots = regard.load(joint).networks["all tasks"].entry.sizes.slots
    lines = [f"{number} John went to the office." for number in range(1, slots + 3)]
    story = "\n".join([*lines, f"{slots + 3} Where is John?\toffice\t1 2 4"])
    assert regard.load(joint)(story).supporting == (1,)


def test_looks_have_the_same_order_as_the_sentences(joint):
    answered = regard.load(joint)(
        "John went to the office. Mary went to the garden. Where is Mary?"
    )
    assert answered.weights.argmax(dim=1).tolist() == [1, 1, 1]
    assert bool((answered.weights.sum(dim=1) <= 1 + 1e-5).all())
    assert isinstance(answered.weights, torch.Tensor)
