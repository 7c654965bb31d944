"""Two looks, printed and drawn: what a sentence's words look at, and a look-up by likeness.

The sentence. Each word looks at all words of its sentence with a Transformer's score, the scaled
inner product. Nothing is trained: a word's vector simply counts its letters and its pairs of
neighbouring letters, so words look at words that are spelled like them. "The" and "the" have the
same vector and cannot be told apart; a trained layer would look at meaning instead.

The look-up. Two boxes are known, of size 300 at a price of 30 and of size 400 at 40. What does a
box of size 360 cost? Each known box counts by its likeness to the asked size, 1 / distance, so the
answer is 2/5 of 30 and 3/5 of 40, which is 36.

Run it with ``python examples/lookup.py``; it writes lookup.png into the current folder.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor, nn

from regard import Attention, record
from regard.masks import causal
from regard.normalisers import Proportional
from regard.scores import InverseDistance, ScaledDot
from regard.viewing import draw, save

WORDS = ["The", "early", "bird", "catches", "the", "worm"]
SIZES = torch.tensor([[300.0], [400.0]])
PRICES = torch.tensor([[30.0], [40.0]])


def main() -> None:
    model = nn.ModuleDict(
        {
            "sentence": Attention(ScaledDot()),
            "boxes": Attention(InverseDistance(), Proportional()),
        }
    )
    vectors = spelling(WORDS)
    asked = torch.tensor([[360.0]])
    with record(model) as maps:
        model["sentence"](vectors)
        model["sentence"](vectors, mask=causal(len(WORDS)))
        answer = model["boxes"](asked, SIZES, PRICES).context.item()
    every, earlier = (look.weights for look in maps["sentence"])
    shares = maps["boxes"].weights[0].tolist()

    print("What each word (row) looks at (column), by likeness of spelling:\n")
    print_table(every, WORDS)
    print("\nThe same under a causal mask: no word sees a later one.\n")
    print_table(earlier, WORDS)
    print("\nBoxes of size 300 and 400 cost 30.0 and 40.0. What does a box of size 360 cost?")
    print(f"weights {shares[0]:.2f} and {shares[1]:.2f}, answer {answer:.1f}\n")
    print_prices(model["boxes"], [200, 310, 350, 390, 450])

    figure = Figure(figsize=(9.5, 8.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.35, 1), hspace=0.08, wspace=0.06)
    draw_sentence(figure.add_subplot(grid[0, 0]), every, "every word sees every word")
    draw_sentence(figure.add_subplot(grid[0, 1]), earlier, "causal: no word sees a later one")
    draw_prices(figure.add_subplot(grid[1, :]), model["boxes"], asked.item(), answer)
    print(f"\nThe picture is in {save(figure, 'lookup.png')}")


def spelling(words: Sequence[str]) -> Tensor:
    """Count each word's letters and pairs of letters, capitals and small letters alike."""
    counts = [
        Counter([*word, *(first + second for first, second in pairwise(word))])
        for word in (word.casefold() for word in words)
    ]
    parts = sorted({part for count in counts for part in count})
    return torch.tensor([[float(count[part]) for part in parts] for count in counts])


def print_table(weights: Tensor, words: Sequence[str]) -> None:
    print(" " * 8 + "".join(f"{word:>8}" for word in words))
    for word, row in zip(words, weights.tolist(), strict=True):
        cells = (f"{weight:8.2f}" if weight else f"{'0':>8}" for weight in row)
        print(f"{word:>8}" + "".join(cells))


def print_prices(look: nn.Module, sizes: Sequence[float]) -> None:
    prices = look(torch.tensor([[float(size)] for size in sizes]), SIZES, PRICES).context
    print("size  " + "".join(f"{size:8}" for size in sizes))
    print("price " + "".join(f"{price:8.2f}" for price in prices.flatten().tolist()))


def draw_sentence(axes: Axes, weights: Tensor, title: str) -> None:
    draw(axes, weights, WORDS, WORDS)
    axes.set_title(title, fontsize=10, pad=10)


def draw_prices(axes: Axes, look: nn.Module, asked: float, answer: float) -> None:
    sizes = torch.linspace(200, 500, 601).unsqueeze(-1)
    prices = look(sizes, SIZES, PRICES).context
    axes.plot(sizes.flatten(), prices.flatten(), color="0.25", linewidth=1.5)
    axes.plot(SIZES.flatten(), PRICES.flatten(), "o", color="black", label="the two known boxes")
    asked_for = f"size {asked:.0f}: 2/5 of 30 + 3/5 of 40 = {answer:.0f}"
    axes.plot(asked, answer, "o", color="#c1440e", label=asked_for)
    axes.set_xlabel("size asked for")
    axes.set_ylabel("price answered")
    axes.set_title("a look-up by likeness: each known box counts by 1 / distance", fontsize=10)
    axes.legend(frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
