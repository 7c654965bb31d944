"""How a memory network learns stories: as the authors' code does it, batch by batch or all in one.

Batches are drawn with replacement, their losses are summed and not averaged, times are jittered,
the gradient of each matrix is held to a spectral norm of its own, and plain descent follows. Where
the kernel knows the parts of a model, a whole call is one compiled function.
"""

from collections.abc import Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy
import torch
from jaxtyping import Float, Int, Int64
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.attention import Attention
from regard.blends import WeightedSum
from regard.kernels import hops
from regard.kernels.hops import drawing, plain
from regard.models.memn2n import Added, LeakySoftmax, MemN2N, OneEmpty, Projected, Rectified
from regard.models.sentences import (
    BagOfWords,
    PositionEncoding,
    ReleasedPositionEncoding,
    Sentences,
    own_lengths,
)
from regard.models.stories import Stories
from regard.normalisers import Softmax, Unchanged
from regard.scores import Dot
from regard.windows import Everywhere

Draws = Int64[numpy.ndarray, "2"]  # the state of chance, changed in place: keep it to go on
Times = Int[Tensor, "batch slot"]


class Learned(NamedTuple):
    """How each epoch went, measured while learning."""

    losses: list[float]  # mean over the examples, in nats
    errors: list[float]  # share of wrong answers


def seeded(seed: int) -> Draws:
    """What is drawn by chance begins here."""
    return drawing.seeded(seed)


def halving(epochs: int, rate: float, every: int | None = None) -> list[float]:
    """The rate of each epoch, halved at the start of every so-manieth one."""
    return [
        rate * 0.5 ** (0 if every is None else number // every) for number in range(1, epochs + 1)
    ]


def learn(
    model: MemN2N,
    stories: Stories,
    rates: Sequence[float],
    draws: Draws,
    *,
    batch: int = 32,
    clip: float = 40.0,
    noise: float = 0.1,
) -> Learned:
    """Train for as many epochs as there are rates, in place.

    An epoch is as many whole batches as there are examples. ``noise`` is the share of sentences by
    which the times of a story are stretched at most. Two calls of one epoch are one call of two.
    """
    _check(model, stories, batch)
    steps, network = len(stories.answer) // batch, _as_network(model, stories.sentences)
    frozen = any(not parameter.requires_grad for parameter in model.parameters())
    if network is not None and not frozen and hops.usable(*network[:2]):
        fused = hops.Network(*(_array(part) for part in network))
        rooms = numpy.full(len(rates), _room(model.look))
        course = hops.Course(numpy.array(rates, numpy.float64), rooms, batch, clip, noise)
        examples = hops.Examples(*(_array(part) for part in stories))
        losses, errors = hops.train(fused, examples, course, draws)
        for parameter in model.parameters():
            torch.autograd.graph.increment_version(parameter)  # looks of before are out of date
        return Learned(losses.tolist(), errors.tolist())
    stories, losses, errors = _without_gaps(stories), [], []
    for rate in rates:
        loss, wrong = 0.0, 0
        for _ in range(steps):
            drawn, times = draw(stories, draws, batch=batch, noise=noise, slots=model.slots)
            found = slopes(model, drawn, times, network)
            loss, wrong = loss + float(found.loss), wrong + int(found.wrong)
            _descend(found.slopes, rate, clip)
        losses.append(loss / (steps * batch))
        errors.append(wrong / (steps * batch))
    return Learned(losses, errors)


def draw(
    stories: Stories, draws: Draws, *, batch: int, noise: float, slots: int
) -> tuple[Stories, Times]:
    """Examples, with replacement, and when their sentences were said; see ``draw_times``.

    No slot is empty but at the end of a story.
    """
    state, chosen = draws.tolist(), [0] * batch
    drawing.draw_examples(state, len(stories.answer), chosen)
    drawn = stories.take(torch.tensor(chosen, device=stories.answer.device))
    counts = drawn.story.ne(0).sum(dim=1).tolist()
    longest = max(counts)
    times, gaps = numpy.zeros((batch, longest), numpy.int64), [0] * (ceil(longest * noise) + 1)
    for row, count in enumerate(counts):
        extra = drawing.draw_gaps(state, count, noise, gaps)
        said = list(range(count + extra, 0, -1))
        for gap in gaps[:extra]:
            said.remove(gap)
        times[row, :count] = said
    draws[:] = state
    found = torch.from_numpy(times.clip(max=slots)).to(stories.answer.device)
    return drawn._replace(story=drawn.story[:, :longest]), found


class Slopes(NamedTuple):
    """The summed loss of some examples, how many were answered wrongly, and the gradients."""

    loss: Float[Tensor, ""]
    wrong: Int[Tensor, ""]
    slopes: list[tuple[Float[Tensor, "..."], Float[Tensor, "..."]]]  # parameters, each with its own


def slopes(
    model: MemN2N, stories: Stories, times: Times, network: hops.Network | None = None
) -> Slopes:
    """Loss and gradients of all these examples: by the parts, or by ``network``, which is quicker.

    ``network`` is the same model as the kernel takes it.
    """
    room = _room(model.look)
    if network is not None and room is not None:
        loss, wrong, *found = _plainly(network, room, stories, times)
        pairs = zip((network.tables, network.turn), found, strict=True)
        return Slopes(loss, wrong, [pair for pair in pairs if pair[0].requires_grad])
    story, question = stories.sentences[stories.story], stories.sentences[stories.question]
    logits, _ = model(story, question, times)
    loss = cross_entropy(logits, stories.answer, reduction="sum")
    wrong = logits.argmax(dim=1).ne(stories.answer).sum()
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    gradients = torch.autograd.grad(loss, learning)
    return Slopes(loss.detach(), wrong, list(zip(learning, gradients, strict=True)))


def _without_gaps(stories: Stories) -> Stories:
    """The same with empty slots at the end alone."""
    order = stories.story.eq(0).int().argsort(dim=1, stable=True)
    return stories._replace(story=stories.story.gather(1, order))


def _check(model: MemN2N, stories: Stories, batch: int) -> None:
    """Refuse numbers that point nowhere: machine code would not notice."""
    if batch < 1:
        raise ValueError(f"a batch has one example or more, but batch={batch}")
    if len(stories.answer) < batch:
        raise ValueError(
            f"an epoch is made of whole batches, but batch={batch} and there are "
            f"{len(stories.answer)} examples; batch={max(1, len(stories.answer))} is the most"
        )
    words, slots = model.vocabulary, model.slots
    for name, part, limit, meant in (
        ("sentences", stories.sentences, words, f"a word of vocabulary={words}"),
        ("answer", stories.answer, words, f"a word of vocabulary={words}"),
        ("story", stories.story, len(stories.sentences), "one of its sentences"),
        ("question", stories.question, len(stories.sentences), "one of its sentences"),
    ):
        if part.numel() and not 0 <= int(part.min()) <= int(part.max()) < limit:
            raise ValueError(
                f"the {name} of stories go from {int(part.min())} to {int(part.max())}, but each "
                f"must be {meant}: 0 to {limit - 1}"
            )
    longest = int(stories.story.ne(0).sum(dim=1).max()) if stories.story.numel() else 0
    if longest > slots:
        raise ValueError(
            f"a story has {longest} sentences, but slots={slots}; pack(..., slots={slots}) keeps "
            "the last ones"
        )
    if stories.sentences[0].any():
        raise ValueError("sentence 0 stands for an empty slot, but it has words; see pack")


def _plainly(
    network: hops.Network, room: int, stories: Stories, times: Times
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    said = torch.cat([stories.story, stories.question.unsqueeze(1)], dim=1)
    used, places = torch.unique(said, return_inverse=True)
    sentences, shares = stories.sentences.index_select(0, used), network.shares
    if len(shares) > 1:
        shares = shares[own_lengths(sentences)]
    filled, rows, asked = stories.story > 0, places[:, :-1], places[:, -1]
    batch = plain.Batch(sentences, rows, filled, times, asked, stories.answer)
    return plain.slopes(network._replace(shares=shares), batch, room)


def _descend(
    slopes: list[tuple[Float[Tensor, "..."], Float[Tensor, "..."]]], rate: float, clip: float
) -> None:
    """Plain descent, the gradient of each matrix being no longer than ``clip``."""
    with torch.no_grad():
        for parameter, slope in slopes:
            parameter.sub_(_clipped(slope, clip), alpha=rate)


def _clipped(slope: Float[Tensor, "..."], clip: float) -> Float[Tensor, "..."]:
    """Each matrix of it shortened to a spectral norm of ``clip``, where it is longer.

    The root of the sum of squares is never less, so that it often says enough.
    """
    matrices = slope.reshape(len(slope), -1, slope.shape[-1])  # row matrix column
    if not bool((torch.linalg.vector_norm(matrices, dim=(0, 2)) > clip).any()):
        return slope
    norms = torch.linalg.matrix_norm(matrices, 2, dim=(0, 2))
    return (matrices * (clip / norms).clamp(max=1).unsqueeze(1)).view_as(slope)


def judge(model: MemN2N, stories: Stories, *, batch: int = 500) -> tuple[float, float]:
    """The mean loss in nats and the share of wrong answers, times as they were."""
    loss = wrong = 0.0
    with torch.no_grad():
        for start in range(0, len(stories.answer), batch):
            rows = slice(start, start + batch)
            logits, _ = model(*stories.pick(rows))
            right = stories.answer[rows]
            loss += float(cross_entropy(logits, right, reduction="sum"))
            wrong += int(logits.argmax(dim=1).ne(right).sum())
    return loss / len(stories.answer), wrong / len(stories.answer)


def _array(part: Any) -> Any:
    """A tensor as an array that shares its memory; numbers as they are."""
    return part.detach().numpy() if isinstance(part, Tensor) else part


def _as_network(model: MemN2N, sentences: Sentences) -> hops.Network | None:
    """The model as the kernel takes it, sharing its parameters; None where it knows them not."""
    encoding, straight = model.encoding, model.size
    update: Any = model.hops.update
    if type(update) is Rectified:
        update, straight = update.update, update.straight
    known = (BagOfWords, PositionEncoding, ReleasedPositionEncoding)
    if (
        type(model) is not MemN2N
        or type(update) not in (Added, Projected)
        or type(encoding) not in known
        or _room(model.look) is None
    ):
        return None
    tables, wiring = model.tables, model.wiring
    turn = update.weight if type(update) is Projected else tables.new_zeros(0, model.size)
    roles = [wiring.question, wiring.answer, *wiring.keys, *wiring.values]
    shares = encoding.shares(sentences.shape[1], model.size).to(tables)
    time_shares = encoding.time_shares(model.size).to(tables)
    return hops.Network(
        tables,
        turn.unsqueeze(1),
        roles,
        shares.repeat(1, 1, wiring.tables),
        time_shares.repeat(wiring.tables),
        model.vocabulary,
        straight,
    )


def _room(look: nn.Module) -> int | None:
    """How the kernel calls the normaliser of a look; None where it knows the look not."""
    if (
        type(look) is not Attention
        or type(look.score) is not Dot
        or type(look.blend) is not WeightedSum
        or look.blend.drops
        or type(look.window) is not Everywhere
    ):
        return None
    if type(look.normaliser) is LeakySoftmax:
        return look.normaliser.slots
    return {OneEmpty: -2, Unchanged: -1, Softmax: 0}.get(type(look.normaliser))
