"""Metrics worked by hand, and what they refuse."""

import sys

import pytest
import torch

from regard.metrics import (
    alignment_error_rate,
    bleu,
    bleu_by_length,
    buckets,
    exact,
    exact_by_length,
    links,
)

CATS = [f"the cat number {number} sat on the red mat" for number in range(7)]


def test_exact_counts_whole_sentences():
    references = [("go", "left"), ("go", "right"), ("stop",)]
    assert exact([["go", "left"], ["go"], ["stop"]], references) == 2 / 3
    assert exact([("left", "go"), ("go", "right", "right"), ()], references) == 0
    assert exact(references, references) == 1


def test_exact_by_length_counts_each_bucket_by_itself():
    references = [("a",), ("b",), ("c",)]
    found = exact_by_length([("a",), ("x",), ("c",)], references, lengths=[3, 5, 13], width=5)
    assert found == [((1, 5, [0, 1]), 0.5), ((11, 15, [2]), 1.0)]


def test_buckets_begin_at_one_and_hold_their_longest():
    assert buckets([1, 7, 8, 14, 15, 0], width=7) == [
        (1, 7, [0, 1, 5]),
        (8, 14, [2, 3]),
        (15, 21, [4]),
    ]
    with pytest.raises(ValueError, match="1 or more, but width=0"):
        buckets([1], width=0)


def test_links_are_the_most_looked_at_words_and_special_positions_have_none():
    weights = torch.tensor(
        [
            [0.1, 0.2, 0.7, 0.0, 0.0],
            [0.5, 0.3, 0.1, 0.1, 0.0],
            [0.1, 0.1, 0.1, 0.4, 0.3],  # looks at the end of the source: no word, no link
            [0.9, 0.1, 0.0, 0.0, 0.0],  # the end of the target: left out
        ]
    )
    assert links(weights, target_words=3, source_words=3) == {(0, 2), (1, 0)}
    assert links(weights[:, :3], target_words=0, source_words=3) == frozenset()
    with pytest.raises(ValueError, match=r"row for each of the 5 target .* shape is \(4, 5\)"):
        links(weights, target_words=5, source_words=3)
    with pytest.raises(ValueError, match=r"column for each of the 7 source .* shape is \(4, 5\)"):
        links(weights, target_words=3, source_words=7)


def test_the_alignment_error_rate_of_two_sentences_worked_by_hand():
    found = [{(0, 2), (1, 0)}, {(0, 0)}]
    true = [{(0, 2), (1, 1), (2, 3)}, {(0, 0)}]
    # common 1 + 1, found 2 + 1, true 3 + 1: 1 - 2 * 2 / 7
    assert alignment_error_rate(found, true) == pytest.approx(3 / 7)
    assert alignment_error_rate(true, true) == 0
    assert alignment_error_rate([{(0, 1)}], [{(1, 0)}]) == 1


def test_alignments_that_cannot_be_compared_are_refused():
    with pytest.raises(ValueError, match="there are 1 sentences and 2 alignments"):
        alignment_error_rate([set()], [set(), set()])
    with pytest.raises(ValueError, match="no link"):
        alignment_error_rate([set()], [set()])


def test_bleu_of_the_reference_is_100_and_comes_with_its_signature():
    score, signature = bleu(CATS, CATS)
    assert score == pytest.approx(100)
    assert signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.")


def test_bleu_of_a_sentence_worked_by_hand():
    # n-grams right: 5 of 6, 3 of 5, 2 of 4, 1 of 3; as long as the reference
    score, _ = bleu(["the cat sat on a mat"], ["the cat sat on the mat"])
    assert score == pytest.approx(100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)


def test_bleu_by_length_scores_each_bucket_by_itself():
    hypotheses = [*CATS[:3], *["something else altogether, I fear"] * 4]
    found = bleu_by_length(hypotheses, CATS, lengths=[3, 5, 7, 11, 13, 12, 14], width=7)
    assert [(bucket.shortest, bucket.longest) for bucket, _ in found] == [(1, 7), (8, 14)]
    assert found[0][1] == bleu(CATS[:3], CATS[:3])
    assert found[1][1].score < 5


def test_the_way_to_find_words_is_in_the_signature_and_an_unknown_one_refused():
    assert "tok:char" in bleu(["서울역 으로"], ["서울역 으로"], tokenise="char").signature
    with pytest.raises(ValueError, match=r"one of 13a, char, .* but it is '14a'"):
        bleu(CATS, CATS, tokenise="14a")


def test_hypotheses_without_references_are_refused():
    for metric in (exact, bleu):
        with pytest.raises(ValueError, match="7 hypotheses and 5 references"):
            metric(CATS, CATS[:5])
        with pytest.raises(ValueError, match="0 hypotheses and 0 references"):
            metric([], [])


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(ImportError, match=r'pip install "regard\[text\]"'):
        bleu(CATS, CATS)
