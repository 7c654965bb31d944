"""Every part of the library, as cases for the guarantees. A new part joins its list."""

from torch import nn

from regard.attention import Attention, MultiHead
from regard.blends import AttentionRecurrence, GatedRecurrence, Modulate, Pick, WeightedSum
from regard.normalisers import (
    Entmax15,
    Gumbel,
    Hard,
    Mixed,
    Proportional,
    Sigmoid,
    Softmax,
    Sparsemax,
    StraightThrough,
    Unchanged,
)
from regard.scores import (
    Additive,
    Concat,
    Cosine,
    Distance,
    Dot,
    Euclidean,
    FromKey,
    FromQuery,
    GateScore,
    General,
    InteractionScore,
    InverseDistance,
    ScaledDot,
)
from regard.testing.blends import BlendCase
from regard.testing.looks import LookCase
from regard.testing.normalisers import NormaliserCase
from regard.testing.scores import ScoreCase
from regard.windows import Predictive

PLACES = "its scores belong to places in the sequence"
ORDER = "it goes through the values in their order"
DRAWN = "a choice has no gradient; ScoreFunction trains through it"
INSIDE = "its parts are inside, behind the projections; the look inside is checked by itself"


def _additive() -> Additive:
    return Additive(query_size=7, key_size=3, hidden_size=13)


def _concat() -> Concat:
    return Concat(query_size=7, key_size=3, hidden_size=13)


def _from_query() -> FromQuery:
    return FromQuery(nn.Linear(7, 4))  # one place fewer than there are keys


def _interaction() -> InteractionScore:
    return InteractionScore(3, hidden_size=13)


SCORES = (
    ScoreCase("Dot", Dot),
    ScoreCase("ScaledDot", ScaledDot),
    ScoreCase("General", lambda: General(query_size=7, key_size=3), key_size=3),
    ScoreCase("Additive", _additive, key_size=3),
    ScoreCase("Concat", _concat, key_size=3),
    ScoreCase("Cosine", lambda: Cosine(strength=2.0)),
    ScoreCase("Euclidean", Euclidean),
    ScoreCase("InverseDistance", InverseDistance),
    ScoreCase("FromQuery", _from_query, {"each_pair_is_judged_for_itself": PLACES}),
    ScoreCase("FromKey", lambda: FromKey(nn.Linear(7, 1))),
    ScoreCase(
        "Distance",
        lambda: Distance(0.5),
        {
            "each_pair_is_judged_for_itself": PLACES,
            "preparing_and_comparing_is_scoring": "a row alone stands at the last key",
            "gradients_are_right": "it depends on no tensor",
        },
    ),
    ScoreCase("GateScore", lambda: GateScore(3, hidden_size=13), query_size=6, key_size=3),
    ScoreCase("InteractionScore", _interaction, query_size=6, key_size=3),
    ScoreCase("Dot + Euclidean", lambda: Dot() + Euclidean()),
)

NORMALISERS = (
    NormaliserCase("Softmax", Softmax),
    NormaliserCase("Sparsemax", Sparsemax),
    NormaliserCase("Entmax15", Entmax15),
    NormaliserCase("Sigmoid", Sigmoid),
    NormaliserCase("Proportional", Proportional),
    NormaliserCase("Unchanged", Unchanged),
    NormaliserCase("Hard", Hard, {"gradients_are_right": DRAWN}),
    NormaliserCase("Gumbel", lambda: Gumbel(0.7)),
    NormaliserCase(
        "StraightThrough",
        lambda: StraightThrough(Softmax()),
        {"gradients_are_right": "by design the gradient is that of the soft weights"},
    ),
    NormaliserCase("Mixed", lambda: Mixed(Hard(), Softmax()), {"gradients_are_right": DRAWN}),
)

BLENDS = (
    BlendCase("WeightedSum", WeightedSum),
    BlendCase("Modulate", Modulate, queries=1),
    BlendCase("Pick", Pick),
    BlendCase("GatedRecurrence", lambda: GatedRecurrence(5, value_size=7)),
    BlendCase("AttentionRecurrence", lambda: AttentionRecurrence(5, value_size=7)),
)


def _with_score(case: ScoreCase) -> LookCase:
    """An attention by this score."""
    return LookCase(
        f"Attention({case.name})",
        lambda: Attention(case.make()),
        {"the_order_of_keys_does_not_matter": PLACES} if case.name == "FromQuery" else {},
        query_size=case.query_size,
        key_size=case.key_size,
    )


def _with_normaliser(case: NormaliserCase) -> LookCase:
    """An attention by this normaliser."""
    name = f"Attention(ScaledDot, {case.name})"
    return LookCase(name, lambda: Attention(ScaledDot(), case.make()), dict(case.without))


LOOKS = (
    *(_with_score(case) for case in SCORES if case.name != "Distance"),
    *(_with_normaliser(case) for case in NORMALISERS if case.name != "Softmax"),
    LookCase(  # enough hidden units for the fused kernel to be worth its while
        "Attention(Additive), by the kernel",
        lambda: Attention(Additive(query_size=7, key_size=3, hidden_size=8783)),
        key_size=3,
    ),
    LookCase(
        "Attention(ScaledDot + Distance)",
        lambda: Attention(ScaledDot() + Distance(0.3)),
        {
            "the_order_of_keys_does_not_matter": PLACES,
            "the_order_of_queries_does_not_matter": PLACES,
            "more_forbidden_keys_change_nothing": "positions are aligned at the last key",
        },
    ),
    LookCase(
        "Attention(Dot, window=Predictive)",
        lambda: Attention(Dot(), window=Predictive(query_size=7, radius=2)),
        {
            "the_order_of_keys_does_not_matter": PLACES,
            "gradients_are_right": "a key that enters the window does so at once",
        },
    ),
    LookCase(
        "Attention(GateScore, Sigmoid, GatedRecurrence)",
        lambda: Attention(GateScore(3), Sigmoid(), GatedRecurrence(5, value_size=11)),
        {"the_order_of_keys_does_not_matter": ORDER},
        query_size=6,
        key_size=3,
    ),
    LookCase(
        "Attention(InteractionScore, Softmax, AttentionRecurrence)",
        lambda: Attention(InteractionScore(3), Softmax(), AttentionRecurrence(5, value_size=11)),
        {"the_order_of_keys_does_not_matter": ORDER},
        query_size=6,
        key_size=3,
    ),
    LookCase(
        "MultiHead(Attention(ScaledDot))",
        lambda: MultiHead(Attention(ScaledDot()), size=12, heads=3, key_size=7, value_size=11),
        {"weights_are_those_used": INSIDE, "a_fused_path_agrees_with_the_plain_one": INSIDE},
        query_size=12,
    ),
    LookCase(
        "MultiHead(Attention(ScaledDot)), grouped",
        lambda: MultiHead(
            Attention(ScaledDot()), size=12, heads=6, key_heads=2, key_size=7, value_size=11
        ),
        {"weights_are_those_used": INSIDE, "a_fused_path_agrees_with_the_plain_one": INSIDE},
        query_size=12,
    ),
    LookCase(
        "MultiHead(Attention(Additive))",
        lambda: MultiHead(
            Attention(Additive(query_size=4, key_size=4, hidden_size=5)),
            size=12, heads=3, key_size=7, value_size=11,
        ),
        {"weights_are_those_used": INSIDE, "a_fused_path_agrees_with_the_plain_one": INSIDE},
        query_size=12,
    ),
)  # fmt: skip

CASES = (*SCORES, *NORMALISERS, *BLENDS, *LOOKS)
