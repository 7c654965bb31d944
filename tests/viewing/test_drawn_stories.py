"""Pictures of hops over a story: every sentence, every weight, the question and its answer."""

import torch

from regard.viewing import StorySheet, show_story

WEIGHTS = torch.tensor([[0.25, 0.0], [0.75, 0.125], [0.0, 0.875]])
SENTENCES = ["Mary went out.", "John $ate$ it.", "x" * 80]


def sheet(**more):
    return StorySheet(
        "a title", WEIGHTS, SENTENCES, ["hop 1", "hop 2"],
        question="Where is Mary?", answer="out", **more,
    )  # fmt: skip


def texts(figure):
    (axes,) = figure.axes
    return {text.get_text(): text for text in (*axes.texts, *figure.texts)}


def test_every_weight_is_written_beside_its_sentence():
    figure = show_story(sheet())
    written = texts(figure)
    assert {"Mary went out.", "John $ate$ it.", "0.25", "0.75", "0.12", "0.88"} <= set(written)
    (axes,) = figure.axes
    by_place = {text.get_position(): text.get_text() for text in axes.texts}
    assert by_place[0, 1] == "0.75"  # hop 1, second sentence
    assert by_place[1, 2] == "0.88"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["hop 1", "hop 2"]
    assert axes.images[0].get_array().tolist() == WEIGHTS.tolist()


def test_the_question_stands_below_with_its_answer():
    assert "Where is Mary? out" in texts(show_story(sheet()))


def test_long_sentences_are_cut_and_none_is_read_as_a_formula():
    figure = show_story(sheet())
    assert "x" * 63 + "…" in texts(figure)
    figure.canvas.draw()  # a sign of money begins no formula
    assert not texts(figure)["John $ate$ it."].get_parse_math()


def test_sentences_that_lead_to_the_answer_are_bold():
    written = texts(show_story(sheet(supporting=[1])))
    assert written["John $ate$ it."].get_weight() == "bold"
    assert written["Mary went out."].get_weight() == "normal"
