"""Translation: every recipe is a system, data, a spelling and a course."""

from dataclasses import replace

from regard.recipes.course import Falling, WarmedUp
from regard.recipes.guiding import Guiding
from regard.recipes.spelling import Pieces, WholeWords
from regard.recipes.translation.common import CommonTranslation
from regard.recipes.translation.data import Directions, Files, KoreanEnglish, Multi30k, Tatoeba
from regard.recipes.translation.recipe import Translation
from regard.recipes.translation.systems import (
    GatedSizes,
    LocationAwareSystem,
    LuongSystem,
    RNNSearchSystem,
    Seq2SeqSystem,
    TransformerSystem,
)

_SMALL = GatedSizes(word_size=96, state_size=128, hidden_size=128, dropout=0.0)
_FORGETFUL = replace(_SMALL, forgetting=0.1)
_MIDDLE = GatedSizes(word_size=192, state_size=256, hidden_size=192, dropout=0.3)
_MINUTES = Falling(epochs=3, batch=64, rate=0.005, smoothing=0.0)
_HOUR = Falling(epochs=18, batch=64, rate=0.001, patience=40)
_HOUR_WARMED = WarmedUp(epochs=30, batch=128, rate=0.003, patience=40, warm_up=1_500)
_FOUR_THOUSAND = Pieces(entries=4_000)

TRANSLATIONS: dict[str, Translation | CommonTranslation] = {
    "rnnsearch-directions": Translation(
        "Korean directions into English with Bahdanau's attention, its looks taught; no download",
        RNNSearchSystem(_SMALL),
        Directions(),
        WholeWords(),
        _MINUTES,
        guiding=Guiding(guidance=0.3),
    ),
    "rnnsearch-located-directions": Translation(
        "the same with looks that know where the last one was, for longer sentences, too",
        LocationAwareSystem(_FORGETFUL),
        Directions(usual=40),
        WholeWords(),
        _MINUTES,
        guiding=Guiding(guidance=0.3),
    ),
    "seq2seq-directions": Translation(
        "the same without attention: one vector for the whole sentence",
        Seq2SeqSystem(_SMALL),
        Directions(),
        WholeWords(),
        _MINUTES,
    ),
    "luong-directions": Translation(
        "Korean directions into English with Luong's attention",
        LuongSystem(size=128, dropout=0.0),
        Directions(),
        WholeWords(),
        _MINUTES,
    ),
    "transformer-directions": Translation(
        "Korean directions into English with a small Transformer",
        TransformerSystem(size=64, heads=4, inner_size=256, layers=2, dropout=0.0),
        Directions(),
        WholeWords(),
        WarmedUp(epochs=8, batch=64, rate=0.004, smoothing=0.0, warm_up=500),
    ),
    "rnnsearch-multi30k": Translation(
        "captions of pictures, English into German, with Bahdanau's attention",
        RNNSearchSystem(_MIDDLE),
        Multi30k(),
        _FOUR_THOUSAND,
        _HOUR,
    ),
    "seq2seq-multi30k": Translation(
        "the same without attention",
        Seq2SeqSystem(_MIDDLE),
        Multi30k(),
        _FOUR_THOUSAND,
        _HOUR,
    ),
    "luong-multi30k": Translation(
        "captions of pictures, English into German, with Luong's attention",
        LuongSystem(size=320, reading="both-ways", dropout=0.2),
        Multi30k(),
        _FOUR_THOUSAND,
        Falling(epochs=16, batch=64, rate=0.002, patience=40),
    ),
    "transformer-multi30k": Translation(
        "captions of pictures, English into German, with a small Transformer",
        TransformerSystem(),
        Multi30k(),
        _FOUR_THOUSAND,
        _HOUR_WARMED,
    ),
    "common-multi30k": CommonTranslation(
        "one encoder of English and German, decoders into German and French",
        RNNSearchSystem(_MIDDLE),
        _FOUR_THOUSAND,
        Falling(epochs=3, batch=64, rate=0.002),
    ),
    "rnnsearch-tatoeba": Translation(
        "everyday sentences, English into French, with Bahdanau's attention",
        RNNSearchSystem(_MIDDLE),
        Tatoeba(),
        _FOUR_THOUSAND,
        Falling(epochs=2, batch=128, rate=0.002),
    ),
    "transformer-korean": Translation(
        "real Korean into English from the few free pairs there are: an honest low number",
        TransformerSystem(dropout=0.3),
        KoreanEnglish(),
        _FOUR_THOUSAND,
        WarmedUp(epochs=9, batch=128, rate=0.003, patience=40, warm_up=500),
    ),
    "rnnsearch-pairs": Translation(
        "your own pairs of sentences with Bahdanau's attention: --train FILE",
        RNNSearchSystem(_MIDDLE),
        Files(),
        _FOUR_THOUSAND,
        _HOUR,
    ),
    "transformer-pairs": Translation(
        "your own pairs of sentences with a small Transformer: --train FILE",
        TransformerSystem(),
        Files(),
        _FOUR_THOUSAND,
        _HOUR_WARMED,
    ),
}
