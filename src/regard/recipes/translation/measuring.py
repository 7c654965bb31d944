"""The numbers of a translator on a test set."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from regard.metrics import alignment_error_rate, bleu, buckets, exact, links
from regard.recipes.measured import Measured
from regard.recipes.translation.interpreter import Interpreter, Translated, encode
from regard.tasks import Pair, collate

BY_LENGTH = 4  # source words that a bucket of lengths spans


def measure(interpreter: Interpreter, tests: Mapping[str, Sequence[Pair]]) -> list[Measured]:
    """All numbers of the test sets, and those of all sentences together by their length."""
    found: list[Measured] = []
    all_said: list[Translated] = []
    all_pairs: list[Pair] = []
    for name, pairs in tests.items():
        said = interpreter.translate([pair.source for pair in pairs])
        found += _numbers(interpreter, said, pairs, name)
        all_said += said
        all_pairs += pairs
    for bucket in buckets([len(pair.source) for pair in all_pairs], BY_LENGTH):
        said = [all_said[place] for place in bucket.positions]
        pairs = [all_pairs[place] for place in bucket.positions]
        scope = f"{bucket.shortest}-{bucket.longest} words"
        found.append(replace(in_bleu(said, pairs, "by length"), scope=scope))
        if interpreter.data.has_alignment:
            found.append(replace(in_exactness(said, pairs, "by length"), scope=scope))
    return found


def _numbers(
    interpreter: Interpreter, said: Sequence[Translated], pairs: Sequence[Pair], name: str
) -> list[Measured]:
    score = in_bleu(said, pairs, name)
    if not interpreter.data.has_alignment:
        return [score]
    found = [in_exactness(said, pairs, name)]
    if said[0].aligned:
        found.append(in_alignment(interpreter, pairs, name))
    return [*found, score]


def in_bleu(said: Sequence[Translated], pairs: Sequence[Pair], name: str) -> Measured:
    """BLEU as sacrebleu counts it, on the text as it is."""
    score = bleu([each.text for each in said], [" ".join(pair.target) for pair in pairs])
    return Measured(name, "BLEU", score.score, "BLEU", "higher", note=score.signature)


def in_exactness(said: Sequence[Translated], pairs: Sequence[Pair], name: str) -> Measured:
    """The share of sentences that are right to the last word."""
    share = exact([each.words for each in said], [pair.target for pair in pairs])
    return Measured(name, "exact", 100 * share, "%", "higher")


def in_alignment(interpreter: Interpreter, pairs: Sequence[Pair], name: str) -> Measured:
    """How far the looks are from the true alignment, with the true words put in the mouth."""
    found = []
    for start in range(0, len(pairs), 64):
        some = pairs[start : start + 64]
        weights = forced_weights(interpreter, some)
        found += [
            links(row, len(pair.target), len(pair.source))
            for row, pair in zip(weights, some, strict=True)
        ]
    truth = [pair.alignment for pair in pairs]
    rate = alignment_error_rate(found, truth)  # type: ignore[arg-type]
    return Measured(
        name,
        "alignment error rate",
        100 * rate,
        "%",
        "lower",
        note="largest weight of each target word, reference words forced",
    )


@torch.no_grad()
def forced_weights(
    interpreter: Interpreter, pairs: Sequence[Pair]
) -> list[Float[Tensor, "target source"]]:
    """What each word of the reference saw, sentence by sentence."""
    batch = collate([interpreter.pair(pair) for pair in pairs])
    encoded, decoder = encode(interpreter.model, batch), interpreter.model.decoder
    _, looks = decoder(encoded, batch.target_in.to(encoded.annotations.device))
    return list(decoder.alignments(looks).cpu())  # type: ignore[operator]
