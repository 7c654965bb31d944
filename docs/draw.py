"""Draw the pictures of the documentation into docs/pictures. Running it twice gives the same bytes.

Scores are shown on one small example: three queries that point east, north and west, and five keys
that point east, twice as far east, north, twice as far north, and west.
"""

import math
from collections.abc import Iterator
from pathlib import Path

import torch
from matplotlib.figure import Figure
from torch import nn

from regard import (
    Attention,
    AttentionRecurrence,
    GatedRecurrence,
    Hops,
    Modulate,
    MultiHead,
    Pick,
    Pooling,
)
from regard.blends import Recurrence
from regard.masks import causal, padding, window
from regard.normalisers import (
    Entmax15,
    Gumbel,
    Hard,
    Mixed,
    Normaliser,
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
    Score,
)
from regard.shapes import Mask, Query, Weights
from regard.viewing import draw, save, show, show_mask
from regard.windows import Predictive

PICTURES = Path(__file__).parent / "pictures"

QUERY = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
QUERY_WORDS = ["east", "north", "west"]
KEY = torch.tensor([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 2.0], [-1.0, 0.0]])
KEY_WORDS = ["east", "2 east", "north", "2 north", "west"]
ROW = torch.tensor([[-1.0, 0.0, 0.5, 1.5, 2.0]])
DRAWS = 6


def main(folder: Path = PICTURES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for pictures in (masks, scores, normalisers, looks):
        for name, figure in pictures():
            save(figure, folder / f"{name}.svg")


def masks() -> Iterator[tuple[str, Figure]]:
    pictures: dict[str, Mask] = {
        "causal": causal(6),
        "causal-longer": causal(3, 6),
        "padding": padding([4, 6], 6).expand(-1, 6, -1),
        "window": window(6, radius=1),
        "causal-and-padding": causal(6) & padding([4, 6], 6),
        "causal-and-window": causal(6) & window(6, radius=2),
        "empty": causal(6) & padding([0, 3], 6),
    }
    for name, mask in pictures.items():
        yield f"mask-{name}", show_mask(mask)


def scores() -> Iterator[tuple[str, Figure]]:
    sizes = {"query_size": 2, "key_size": 2}
    torch.manual_seed(0)
    pictures: dict[str, tuple[Score, Normaliser]] = {
        "dot": (Dot(), Softmax()),
        "scaled-dot": (ScaledDot(), Softmax()),
        "general": (quarter_turn(), Softmax()),
        "additive": (Additive(**sizes, hidden_size=8), Softmax()),
        "concat": (Concat(**sizes, hidden_size=8), Softmax()),
        "cosine": (Cosine(strength=2.0), Softmax()),
        "euclidean": (Euclidean(), Softmax()),
        "inverse-distance": (InverseDistance(epsilon=0.5), Proportional()),
        "from-query": (FromQuery(nn.Linear(2, 5)), Softmax()),
        "from-key": (FromKey(nn.Linear(2, 1)), Softmax()),
        "distance": (Distance(slope=0.5), Softmax()),
        "sum": (ScaledDot() + Distance(slope=0.5), Softmax()),
    }
    for name, (score, normaliser) in pictures.items():
        yield f"score-{name}", scores_and_weights(Attention(score, normaliser))
    asking = torch.cat([QUERY, QUERY], dim=-1)  # what is remembered at first is the question
    for name, gate in {"gate": GateScore(2), "interaction": InteractionScore(2)}.items():
        yield f"score-{name}", scores_and_weights(Attention(gate, Sigmoid()), asking)


def quarter_turn() -> General:
    """Set W to turn keys from east to north, so that a query likes what lies to its right."""
    score = General(query_size=2, key_size=2)
    with torch.no_grad():
        score.to_query.weight.copy_(torch.tensor([[0.0, -1.0], [1.0, 0.0]]))
    return score


def scores_and_weights(look: Attention, query: Query = QUERY) -> Figure:
    """Draw what a look makes of the example: its scores on the left, its weights on the right."""
    with torch.no_grad():
        seen = look(query, KEY)
        numbers, weights = seen.scores, seen.weights
    figure = Figure(figsize=(5.8, 2.3), layout="constrained")
    left, right = figure.subplots(1, 2)
    scale = (math.floor(numbers.min().item()), math.floor(numbers.max().item()) + 1)
    draw(left, numbers, QUERY_WORDS, KEY_WORDS, scale=scale)
    draw(right, weights, QUERY_WORDS, KEY_WORDS)
    left.set_title("scores", fontsize=9)
    right.set_title("weights", fontsize=9)
    return figure


def normalisers() -> Iterator[tuple[str, Figure]]:
    steady: dict[str, Normaliser] = {
        "softmax": Softmax(),
        "sparsemax": Sparsemax(),
        "entmax15": Entmax15(),
        "sigmoid": Sigmoid(),
        "proportional": Proportional(),
        "unchanged": Unchanged(),
    }
    drawing: dict[str, Normaliser] = {
        "hard": Hard(),
        "gumbel": Gumbel(temperature=0.5),
        "straight-through": StraightThrough(Gumbel(temperature=0.5)),
        "mixed": Mixed(Hard(), Softmax(), 0.5),
    }
    for name, normaliser in steady.items():
        yield f"normaliser-{name}", bars(normaliser, panels=2)
    for name, normaliser in drawing.items():
        figure = bars(normaliser, panels=3)
        add_draws(figure, normaliser)
        yield f"normaliser-{name}", figure


def bars(normaliser: Normaliser, panels: int) -> Figure:
    """Draw one row of scores and, beside it, the weights that it turns into."""
    figure = Figure(figsize=(2.1 * panels, 1.7), layout="constrained")
    weights = normaliser.eval()(ROW)
    for place, (title, row) in enumerate([("scores", ROW[0]), ("weights", weights[0])]):
        axes = figure.add_subplot(1, panels, place + 1)
        axes.bar(range(len(row)), row.tolist(), color="0.6" if title == "scores" else "0.15")
        for key, number in enumerate(row.tolist()):
            text = str(int(number)) if number == int(number) else f"{number:.2f}"
            above = max(number, 0.0)
            axes.text(key, above, text, fontsize=7, ha="center", va="bottom")
        axes.axhline(0, color="0.45", linewidth=0.6)
        axes.set_title(title, fontsize=9)
        axes.set_ylim(min(-0.05, row.min().item() * 1.1), max(1.2, row.max().item() * 1.2))
        axes.set_yticks([])
        axes.set_xticks(range(len(row)))
        axes.tick_params(length=0, labelsize=7)
        axes.spines[:].set_visible(False)
    return figure


def add_draws(figure: Figure, normaliser: Normaliser) -> None:
    """Add what the normaliser does in training: several draws from the same row, one to a line."""
    torch.manual_seed(1)
    drawn = normaliser.train()(ROW.expand(DRAWS, 1, -1)).squeeze(1)
    axes = figure.add_subplot(1, 3, 3)
    axes.pcolormesh(drawn.numpy(), cmap="gray", vmin=0, vmax=1, edgecolors="0.45", linewidth=0.4)
    axes.invert_yaxis()
    axes.set_title(f"{DRAWS} draws in training", fontsize=9)
    axes.set_xticks(
        [key + 0.5 for key in range(drawn.shape[1])], labels=map(str, range(drawn.shape[1]))
    )
    axes.set_yticks([])
    axes.tick_params(length=0, labelsize=7)
    axes.spines[:].set(color="0.45", linewidth=0.4)


@torch.no_grad()
def looks() -> Iterator[tuple[str, Figure]]:
    yield "window-predictive", show(predicted(), QUERY_WORDS, scale=(0.0, 0.2))
    torch.manual_seed(0)
    many = MultiHead(Attention(ScaledDot()), size=8, heads=2)
    yield "heads", show(many(torch.randn(5, 8)).weights)
    yield "heads-grouped", grouped()
    pooled = Pooling(Attention(FromKey(nn.Linear(2, 1))))(KEY).weights
    yield "pooling", show(pooled, ["(no query)"], KEY_WORDS)
    look = Attention(Dot())
    _, seen = Hops(look)(QUERY[:1], [look.remember(KEY)] * 3)
    hops = torch.cat([hop.weights for hop in seen])
    yield "hops", show(hops, ["hop 0", "hop 1", "hop 2"], KEY_WORDS)
    yield "blend-weighted-sum", look_up(Attention(InverseDistance(), Proportional()))
    yield "blend-pick", look_up(Attention(InverseDistance(), Hard().eval(), Pick()))
    yield "blend-modulate", modulated()
    yield "blend-gated-recurrence", walked(GatedRecurrence(3, value_size=2))
    yield "blend-attention-recurrence", walked(AttentionRecurrence(3, value_size=2))


def predicted() -> Weights:
    """Weigh 16 keys that all fit alike, through a window whose prediction is set by hand."""
    window = Predictive(query_size=2, radius=4)
    window.from_query.weight.copy_(torch.eye(2))
    window.to_place.weight.copy_(torch.tensor([[2.0, 0.0]]))  # the more to the east, the later
    return Attention(Dot(), window=window)(QUERY, torch.zeros(16, 2)).weights


def grouped() -> Figure:
    """Find which keys each head looks at: with all others blanked, only its own give scores."""
    many = MultiHead(Attention(ScaledDot()), size=8, heads=4, key_heads=2)
    words = torch.randn(5, 8)
    memory = many.remember(words)
    used = []
    for head in range(2):
        alone = torch.zeros_like(memory.value)
        alone[head] = 1
        seen = many(words, memory._replace(prepared=memory.prepared * alone))
        used.append(seen.scores.abs().sum(dim=(-2, -1)) > 0)
    rows, columns = [f"head {head}" for head in range(4)], ["keys 0", "keys 1"]
    return show_mask(torch.stack(used, dim=-1), rows, columns)


def look_up(look: Attention) -> Figure:
    """Draw the blend of two values as the query moves past their keys."""
    keys, values = torch.tensor([[300.0], [400.0]]), torch.tensor([[30.0], [40.0]])
    queries = torch.linspace(200, 500, 151).unsqueeze(-1)
    contexts = look(queries, keys, values).context
    figure = Figure(figsize=(4.2, 2.1), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(queries.flatten().tolist(), contexts.flatten().tolist(), color="0.25")
    axes.plot(keys.flatten().tolist(), values.flatten().tolist(), "o", color="black")
    axes.set_xlabel("query", fontsize=8)
    axes.set_ylabel("context", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def modulated() -> Figure:
    """Draw five values of two coordinates before and after each is scaled by its own weight."""
    gate = FromKey(nn.Linear(2, 1, bias=False))
    for parameter in gate.parameters():
        parameter.copy_(torch.tensor([[2.0, 0.0]]))  # the more to the east, the more it matters
    scaled = Attention(gate, Sigmoid(), Modulate())(QUERY[:1], KEY).context
    figure = Figure(figsize=(4.2, 2.6), layout="constrained")
    for place, (title, values) in enumerate([("values", KEY), ("values times weights", scaled)]):
        axes = figure.add_subplot(1, 2, place + 1)
        draw(axes, values, KEY_WORDS, ["x", "y"], scale=(-2.0, 2.0))
        axes.set_title(title, fontsize=9)
    return figure


def walked(blend: Recurrence) -> Figure:
    """Draw five values, their weights, and the three numbers of the state after each of them."""
    weights = torch.tensor([[1.0, 0.0, 0.5, 0.0, 1.0]])
    states = blend.states(weights, KEY)[0]
    figure = Figure(figsize=(5.4, 2.6), layout="constrained")
    columns = [
        ("values", KEY, ["x", "y"], (-2.0, 2.0)),
        ("weights", weights.T, [""], (0.0, 1.0)),
        ("state after it", states, ["0", "1", "2"], (-1.0, 1.0)),
    ]
    for place, (title, numbers, names, scale) in enumerate(columns):
        axes = figure.add_subplot(1, 3, place + 1)
        draw(axes, numbers, KEY_WORDS, names, scale=scale)
        axes.set_title(title, fontsize=9)
    return figure


if __name__ == "__main__":
    main()
