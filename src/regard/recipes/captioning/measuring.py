"""The numbers of a captioner on a test set."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from shutil import which
from warnings import warn

import torch
from jaxtyping import Float
from torch import Tensor

from regard.metrics import (
    attention_inside,
    caption_bleu,
    caption_precision,
    cider,
    exact,
    meteor,
    pointing_hits,
)
from regard.models import greedy
from regard.recipes.captioning.albums import Album
from regard.recipes.captioning.data import CaptionData
from regard.recipes.captioning.teller import Teller, Told
from regard.recipes.measured import Measured
from regard.tasks import BEGIN
from regard.tasks.captioned import words_alone

CLOSEST = "closest reference length"
UNPUNISHED = " without brevity penalty"
ALONE = " of words alone"  # without full stops and commas


def measure(teller: Teller, tests: Mapping[str, Album], beams: int) -> list[Measured]:
    """Every test set with the recipe's search and greedily, and how well the words point."""
    found: list[Measured] = []
    searches = {f"{beams} beams": teller}
    if beams > 1:
        searches["greedy"] = teller.searching(greedy)
    if not teller.data.one_is_right:
        _say_what_is_missing()
    for name, album in tests.items():
        for way, searching in searches.items():
            scope = "all" if searching is teller else way
            found += _of_words(searching.tell(album), album, name, scope, teller.data)
        if album.boxes(0):
            found += _of_looks(teller, album, name)
    return found


def _say_what_is_missing() -> None:
    """Tell that numbers are left out, before anybody waits for them."""
    if find_spec("pycocoevalcap") is None:
        warn('METEOR and CIDEr are left out; pip install "regard[caption]" has them', stacklevel=3)
    elif which("java") is None:
        warn("METEOR is left out, for it needs Java (java on the PATH)", stacklevel=3)


def _of_words(
    said: Sequence[Told], album: Album, name: str, scope: str, data: CaptionData
) -> list[Measured]:
    words = [told.words for told in said]
    if data.one_is_right:
        share = exact(words, [captions[0] for captions in album.captions])
        return [Measured(name, "exact", 100 * share, "%", "higher", scope)]
    note = f"{data.tokens}, {CLOSEST}"
    found = [
        *_of_grams("", caption_bleu(words, album.captions), name, scope, note),
        *_of_grams(UNPUNISHED, caption_precision(words, album.captions), name, scope, data.tokens),
    ]
    if data.punctuated:
        alone = [words_alone(each) for each in words]
        wanted = [list(map(words_alone, captions)) for captions in album.captions]
        how = f"tokens without a letter or digit dropped, {CLOSEST}"
        found += _of_grams(ALONE, caption_bleu(alone, wanted), name, scope, how)
    if find_spec("pycocoevalcap") is not None:
        score = cider(words, album.captions)
        found.append(Measured(name, "CIDEr", score, "CIDEr x 100", "higher", scope, note))
        if which("java") is not None:
            score = meteor(words, album.captions)
            found.append(Measured(name, "METEOR", score, "METEOR x 100", "higher", scope, note))
    return found


def _of_grams(
    how: str, scores: Sequence[float], name: str, scope: str, note: str
) -> list[Measured]:
    return [
        Measured(name, f"BLEU-{order}{how}", score, "BLEU", "higher", scope, note)
        for order, score in enumerate(scores, 1)
    ]


def _of_looks(teller: Teller, album: Album, name: str) -> list[Measured]:
    """How much of the looks of naming words lies on what they name, reference words forced."""
    inside, hits = [], []
    for place in range(len(album)):
        size = tuple(album.given([place]).sizes[0].tolist())
        weights = forced_weights(teller, album, place)
        boxes = album.boxes(place)
        inside.append(attention_inside(weights, boxes, size))
        hits.append(pointing_hits(weights, boxes, size))
    note = (
        "cells that the named thing's box touches, mean over the naming words of a caption and "
        "then over captions, reference forced"
    )
    return [
        Measured(name, "attention inside", sum(inside) / len(inside), "fraction", "higher",
                 note=note),
        Measured(name, "pointing", 100 * sum(hits) / len(hits), "%", "higher",
                 note="largest weight on the named thing"),
    ]  # fmt: skip


@torch.no_grad()
def forced_weights(teller: Teller, album: Album, place: int) -> Float[Tensor, "word row column"]:
    """Where each word of the reference looked."""
    encoded = teller.encode(album.given([place]))
    numbers = [BEGIN, *teller.words.encode(album.captions[place][0])]
    words = torch.tensor([numbers[:-1]], device=encoded.annotations.device)
    _, looks = teller.model.decoder(encoded, words)
    rows, columns = encoded.grid or (1, encoded.annotations.shape[1])
    weights = torch.cat([seen.weights for seen in looks], dim=-2)[0]
    return weights.cpu().reshape(-1, rows, columns)
