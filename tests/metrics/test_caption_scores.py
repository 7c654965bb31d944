"""The captioners' scores: by hand, beside the script that papers use, and what they refuse."""

import shutil
import sys
from math import exp
from types import ModuleType

import pytest

from regard.metrics.captions import caption_bleu, caption_precision, cider, meteor

DOG = ["a", "dog", "runs", "over", "the", "green", "grass"]
BOY = ["a", "boy", "sits"]


def said(*texts):
    return [text.split() for text in texts]


def test_a_caption_that_is_one_of_its_references_has_all_points():
    assert caption_bleu([DOG], [[BOY, DOG]]) == pytest.approx((100, 100, 100, 100))


def test_bleu_of_a_sentence_worked_by_hand():
    # right: 5 of 6 words, 3 of 5 pairs, 2 of 4 triples, 1 of 3; as long as the reference
    found = caption_bleu(said("the cat sat on a mat"), [said("the cat sat on the mat")])
    shares = [5 / 6, 5 / 6 * 3 / 5, 5 / 6 * 3 / 5 * 2 / 4, 5 / 6 * 3 / 5 * 2 / 4 * 1 / 3]
    assert found == pytest.approx([100 * share ** (1 / n) for n, share in enumerate(shares, 1)])


def test_a_word_counts_as_often_as_in_the_reference_that_has_it_most():
    # "the": at most 2, not 1 + 2 of both together; no pair is right
    references = [said("the cat is on the mat", "there is a cat on the mat")]
    found = caption_bleu(said("the the the the the the the"), references)
    assert found[0] == pytest.approx(100 * 2 / 7)
    assert 0 < found[1] < 1e-5  # tiny constants, no smoothing


def test_the_penalty_takes_the_closest_reference_and_the_shorter_of_two_as_close():
    four = said("a b c d")
    assert caption_bleu(four, [said("a b c d e", "a b c d e f g h i")])[0] == pytest.approx(
        100 * exp(1 - 5 / 4)
    )
    # 3 and 5 words are as close: the shorter is taken, and there is no penalty
    assert caption_bleu(four, [said("a b c d e", "a b c")])[0] == pytest.approx(100)
    assert caption_precision(four, [said("a b c d e", "a b c d e f g h i")]) == pytest.approx(
        (100, 100, 100, 100)
    )


def test_counts_and_lengths_are_summed_over_images_before_they_are_divided():
    candidates = said("a b c d", "x y")
    references = [said("a b c d"), said("x z q r")]
    # words 4 + 1 of 4 + 2; pairs 3 + 0 of 3 + 1; lengths 6 against 8
    found = caption_bleu(candidates, references)
    assert found[0] == pytest.approx(100 * exp(1 - 8 / 6) * 5 / 6)
    assert found[1] == pytest.approx(100 * exp(1 - 8 / 6) * (5 / 6 * 3 / 4) ** 0.5)


def test_a_caption_without_words_scores_nothing():
    assert caption_bleu([[]], [[DOG]]) == pytest.approx((0, 0, 0, 0), abs=1e-4)
    assert caption_bleu([[], DOG], [[DOG], [DOG]])[0] == pytest.approx(100 * exp(1 - 2))


PIECES = ["a", "dog", "runs", "on", "the", "grass", "red", "ball", "with", "two", "men"]


def made_up(images):
    """Candidates and references of many lengths, one empty, the same in each run."""
    words = [PIECES[number * number % 11] for number in range(97 * images)]
    candidates, references = [], []
    for image in range(images):
        own = words[97 * image + image :]
        candidates.append(own[: image % 13])
        references.append([own[start : start + 3 + start % 7] for start in range(1 + image % 5)])
    return candidates, references


def as_tables(candidates, references):
    return (
        {image: list(map(" ".join, wordings)) for image, wordings in enumerate(references)},
        {image: [" ".join(candidate)] for image, candidate in enumerate(candidates)},
    )


@pytest.mark.parametrize("images", [1, 2, 7, 53])
def test_bleu_is_that_of_the_script_that_papers_use(images):
    script = pytest.importorskip(
        "pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed: regard[caption]"
    )
    candidates, references = made_up(images)
    theirs, _ = script.Bleu(4).compute_score(*as_tables(candidates, references), verbose=0)
    found = caption_bleu(candidates, references)
    assert found == pytest.approx([100 * score for score in theirs], abs=1e-6)


def test_cider_rewards_what_few_images_have():
    pytest.importorskip(
        "pycocoevalcap.cider.cider", reason="pycocoevalcap is not installed: regard[caption]"
    )
    references = [said("a dog", "a dog"), said("a cat", "a cat"), said("a boy", "a boy")]
    # words and pairs that one of three images has weigh log 3, "a" nothing; all are right, and of
    # the four orders two are there: 10 (1 + 1 + 0 + 0) / 4 = 5
    assert cider(said("a dog", "a cat", "a boy"), references) == pytest.approx(500)
    assert cider(said("a", "a", "a"), references) == pytest.approx(0, abs=1e-9)
    assert cider(said("a cat", "a boy", "a dog"), references) == pytest.approx(0, abs=1e-9)


@pytest.mark.timeout(1_200)  # Java reads a large table when it starts
def test_meteor_takes_stems_and_likes_the_right_words():
    pytest.importorskip(
        "pycocoevalcap.meteor.meteor", reason="pycocoevalcap is not installed: regard[caption]"
    )
    if not shutil.which("java"):
        pytest.skip("METEOR needs Java, which is not installed")
    references = [said("a dog runs on grass", "the dog is running"), said("a boy sits")]
    assert meteor(said("a dog runs on grass", "a boy sits"), references) == pytest.approx(100)
    # of the first, all words are right, one of them by its stem; of the second, none is there
    assert 20 < meteor(said("a dog running on grass", ""), references) < 80


@pytest.mark.parametrize("metric", [caption_bleu, caption_precision, cider, meteor])
def test_what_cannot_be_scored_is_refused(metric):
    with pytest.raises(ValueError, match="1 hypotheses and 2 references"):
        metric([DOG], [[DOG], [BOY]])
    with pytest.raises(ValueError, match="0 hypotheses and 0 references"):
        metric([], [])
    with pytest.raises(ValueError, match=r"image 1 needs one reference or more.* are \[\]"):
        metric([DOG, BOY], [[DOG], []])
    with pytest.raises(ValueError, match="image 0 has the text 'a dog'; split it first"):
        metric(["a dog"], [[DOG]])
    with pytest.raises(ValueError, match="image 0 has the text 'a dog'; split it first"):
        metric([DOG], [[DOG, "a dog"]])
    with pytest.raises(ValueError, match=r"image 0 needs one reference or more, .* 'a dog'"):
        metric([DOG], ["a dog"])
    for odd in ("a\nSCORE", "||| a", "", "a|||b"):
        with pytest.raises(ValueError, match=r"no white space and no .* image 1 has the word"):
            metric([DOG, BOY], [[DOG], [["a", odd]]])


@pytest.mark.parametrize(
    ("metric", "module"),
    [(cider, "pycocoevalcap.cider.cider"), (meteor, "pycocoevalcap.meteor.meteor")],
)
def test_without_the_package_the_extra_is_named(metric, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r'pycocoevalcap.* pip install "regard\[caption\]"'):
        metric([DOG], [[DOG]])


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """The package as far as METEOR needs it, in a folder without the Java program."""
    module = ModuleType("pycocoevalcap.meteor.meteor")
    module.__file__, module.METEOR_JAR = str(tmp_path / "meteor.py"), "meteor.jar"
    monkeypatch.setattr("regard.metrics.captions.import_module", lambda name: module)
    return tmp_path


def test_without_java_it_is_named(fake, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="there is no java on the PATH; install a Java runtime"):
        meteor([DOG], [[DOG]])


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Java is a shell script")
def test_a_java_program_that_stops_is_told_and_never_waited_for(fake, monkeypatch):
    java = fake / "java"
    java.write_text("#!/bin/sh\nread line\necho 1.0\nexit 1\n")
    java.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:/usr/bin:/bin")
    with pytest.raises(RuntimeError, match=r"gave no answer to .*EVAL 1\.0.* and was stopped; it"):
        meteor([DOG], [[DOG]])
