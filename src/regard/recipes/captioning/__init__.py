"""Captions: every recipe is a captioner, images, words and a course."""

from regard.recipes.captioning.attentions import HardDraws, Soft
from regard.recipes.captioning.data import DrawnScenes
from regard.recipes.captioning.photographs import Flickr8k, OwnPictures
from regard.recipes.captioning.recipe import Captioning
from regard.recipes.captioning.systems import CaptionerSystem
from regard.recipes.course import Falling
from regard.recipes.guiding import Guiding
from regard.recipes.searching import Searching
from regard.recipes.spelling import WholeWords

_SMALL = {"annotation_size": 96, "word_size": 64, "state_size": 128, "hidden_size": 64}
_MINUTES = Falling(epochs=5, batch=64, rate=0.003, smoothing=0.0, patience=20)
_TAUGHT = Guiding(guidance=0.3)
_PLAIN_BEAMS = Searching(beams=5, length_power=0.0)  # chosen on Flickr8k's dev images
_SOFT_FIRST = HardDraws(soft_epochs=7, tell_by="expectation")
_HOUR = Falling(epochs=10, batch=64, rate=0.0005, smoothing=0.1)
_STEADY_HOUR = Falling(epochs=10, batch=64, rate=0.0005, smoothing=0.1, average=500)  # an epoch


def _table_one(*values: float) -> dict[str, float]:
    """A row of table 1 of Xu et al. 2015; its BLEU, without brevity penalty, stands by both."""
    *bleu, meteor = values
    own = {f"BLEU-{order}": value for order, value in enumerate(bleu, 1)}
    alike = {f"{name} without brevity penalty": value for name, value in own.items()}
    return {**own, **alike, "METEOR": meteor}


CAPTIONS: dict[str, Captioning] = {
    "captions-scenes": Captioning(
        "drawn scenes into captions with soft attention, its looks taught; no download",
        CaptionerSystem(Soft(penalty=0.0), **_SMALL, dropout=0.0),
        DrawnScenes(),
        WholeWords(),
        _MINUTES,
        guiding=_TAUGHT,
    ),
    "captions-scenes-hard": Captioning(
        "the same with hard attention: one cell is drawn for each word",
        CaptionerSystem(HardDraws(), **_SMALL, dropout=0.0),
        DrawnScenes(),
        WholeWords(),
        _MINUTES,
        guiding=_TAUGHT,
    ),
    "captions-flickr8k": Captioning(
        "photographs into captions with soft, doubly stochastic attention",
        CaptionerSystem(Soft()),
        Flickr8k(),
        WholeWords(smallest_count=3),
        _HOUR,
        _PLAIN_BEAMS,
        published=_table_one(67.0, 44.8, 29.9, 19.5, 18.93),
    ),
    "captions-flickr8k-hard": Captioning(
        "the same with hard attention",
        CaptionerSystem(_SOFT_FIRST),
        Flickr8k(),
        WholeWords(smallest_count=3),
        _STEADY_HOUR,
        _PLAIN_BEAMS,
        published=_table_one(67.0, 45.7, 31.4, 21.3, 20.30),
    ),
    "captions-pictures": Captioning(
        "your own images with soft attention: --captions FILE --images FOLDER",
        CaptionerSystem(Soft()),
        OwnPictures(),
        WholeWords(smallest_count=3),
        _HOUR,
        _PLAIN_BEAMS,
    ),
    "captions-pictures-hard": Captioning(
        "the same with hard attention",
        CaptionerSystem(_SOFT_FIRST),
        OwnPictures(),
        WholeWords(smallest_count=3),
        _HOUR,
        _PLAIN_BEAMS,
    ),
}
