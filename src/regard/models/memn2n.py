"""The end-to-end memory network: a question that asks a story again and again."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import embedding, linear, pad

from regard.attention import Attended, Attention, Hops, Memory
from regard.counts import check_counts
from regard.masks import blank, hide
from regard.models.pretrained import Pretrained
from regard.models.sentences import SentenceEncoding, check_words, distinct
from regard.normalisers import Normaliser
from regard.scores import Dot
from regard.shapes import Context, Mask, Query, Scores, Weights

Story = Int[Tensor, "batch slot word"]  # 0 = no word; a sentence of none is an empty slot
Question = Int[Tensor, "batch asked"]
Times = Int[Tensor, "batch slot"]  # 1 = the latest sentence, 2 = the one before; 0 = no time


class Wiring(NamedTuple):
    """Which table of embeddings is used where; ``keys`` and ``values`` have one for each hop."""

    tables: int  # how many there are
    question: int  # B
    keys: tuple[int, ...]  # A^1, A^2, ...
    values: tuple[int, ...]  # C^1, C^2, ...
    answer: int  # W, transposed


class Tying(nn.Module, ABC):
    """Which embeddings of the hops are the same."""

    @abstractmethod
    def wiring(self, hops: int) -> Wiring:
        """Which table is used where."""

    @abstractmethod
    def update(self, size: int) -> "Update":
        """The update that the paper has with this tying."""


class Adjacent(Tying):
    """What one hop blends is what the next one scores: A^{k+1} = C^k, B = A^1, W' = C^K."""

    def wiring(self, hops: int) -> Wiring:
        every = tuple(range(hops + 1))
        return Wiring(hops + 1, 0, every[:-1], every[1:], hops)

    def update(self, size: int) -> "Update":
        return Added()


class LayerWise(Tying):
    """The same A and C at every hop, as in a recurrent network; B and W are their own."""

    def wiring(self, hops: int) -> Wiring:
        return Wiring(4, 0, (1,) * hops, (2,) * hops, 3)

    def update(self, size: int) -> "Update":
        return Projected(size)


class Update(nn.Module, ABC):
    """What becomes of the question when something was seen."""

    @abstractmethod
    def forward(self, query: Query, context: Context) -> Query:
        """u^{k+1} of u^k and o^k."""


class Added(Update):
    """u^{k+1} = u^k + o^k."""

    def forward(self, query: Query, context: Context) -> Query:
        return query + context


class Projected(Update):
    """u^{k+1} = H u^k + o^k, as layer-wise tying wants it."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(0.1 * torch.randn(size, size))  # H

    def forward(self, query: Query, context: Context) -> Query:
        return linear(query, self.weight) + context

    def extra_repr(self) -> str:
        return f"size={len(self.weight)}"


class Rectified(Update):
    """ReLU of another update, from unit ``straight`` on; those before it stay linear.

    All units in the paper's best model for stories (d = 100), half of them in its language models.
    """

    def __init__(self, update: Update, straight: int = 0) -> None:
        super().__init__()
        if straight < 0:
            raise ValueError(f"straight is a number of units, 0 or more, but straight={straight}")
        self.update = update
        self.straight = straight

    def forward(self, query: Query, context: Context) -> Query:
        updated = self.update(query, context)
        if self.straight == 0:
            return updated.relu()
        kept, bent = updated.tensor_split([self.straight], dim=-1)
        return torch.cat([kept, bent.relu()], dim=-1)

    def extra_repr(self) -> str:
        return f"straight={self.straight}"


class LeakySoftmax(Normaliser):
    """Softmax over a memory of so many ``slots``; what falls to empty ones is lost.

    w_j = exp(s_j) / (e + sum_k exp(s_k)), e = slots - sentences: an empty slot's embedding is zero,
    hence its score, and it adds nothing. So a hop that finds nothing may leave the question as it
    is. The paper does not say so, but the released code works in this way, and its numbers need it.
    Empty slots are shown with weight zero; the weights of a row may sum to less than one.
    """

    def __init__(self, slots: int) -> None:
        super().__init__()
        if slots < 1:
            raise ValueError(f"a memory has one slot or more, but slots={slots}")
        self.slots = slots

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        length = scores.shape[-1]
        filled = scores.new_full((1,), length) if mask is None else mask.sum(-1, keepdim=True)
        return _leaked(scores, mask, (self.slots - filled).clamp(min=0).to(scores.dtype))

    def extra_repr(self) -> str:
        return f"slots={self.slots}"


class OneEmpty(Normaliser):
    """Softmax with one empty slot, w_j = exp(s_j) / (1 + sum_k exp(s_k)), however long the story.

    A hop that finds nothing may leave the question as it is, too, but has to prefer so: where many
    slots are empty, as ``LeakySoftmax`` has them, they outweigh a sentence that fits a little.
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        return _leaked(scores, mask, scores.new_ones(1))


def _leaked(scores: Scores, mask: Mask | None, empty: Tensor) -> Weights:
    """Softmax with one column more, which stands for all empty slots and is then left out."""
    column = empty.log().expand(*scores.shape[:-1], 1)  # that of none is -inf
    shares = torch.cat([hide(scores, mask), column], dim=-1).softmax(dim=-1)
    return blank(shares[..., : scores.shape[-1]], mask)


class MemN2N(Pretrained):
    """Answers a question about a story in several hops over its sentences.

    m_i = sum_j l_j * A^k x_ij + T_A(i), c_i likewise by C^k and T_C, u^1 = sum_j l_j * B q_j,
    p = softmax(u . m_i), o = sum_i p_i c_i, u^{k+1} = u^k + o, answer = softmax(W u^{K+1}).
    End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015.
    https://arxiv.org/abs/1503.08895
    How words make a sentence, which tables are the same, how the question goes on and how it looks
    are parts. Linear start is ``weigh_by(Unchanged())`` for some epochs, then a softmax.

    As in the released code, the time of a sentence is one more word of it, so that T is tied as A
    and C are: row ``vocabulary`` of the tables is time 1, the latest, and the encoding says how
    much it counts. Word 0 is no word: its row is zero and gets no gradient, as an answer neither.
    Unlike in the released code, times are no answers.
    """

    def __init__(
        self,
        encoding: SentenceEncoding,
        tying: Tying | None = None,
        update: Update | None = None,
        look: Attention | None = None,
        *,
        vocabulary: int,
        slots: int = 50,
        size: int = 20,
        hops: int = 3,
    ) -> None:
        super().__init__(
            encoding=encoding,
            tying=tying,
            update=update,
            look=look,
            vocabulary=vocabulary,
            slots=slots,
            size=size,
            hops=hops,
        )
        check_counts("MemN2N", slots=slots, size=size, hops=hops)
        if vocabulary < 2:
            raise ValueError(f"word 0 is none, so vocabulary={vocabulary} holds no words; take 2")
        tying = Adjacent() if tying is None else tying
        self.vocabulary, self.slots, self.size = vocabulary, slots, size
        self.encoding = encoding
        self.wiring = tying.wiring(hops)
        self.hops = Hops(
            Attention(Dot()) if look is None else look,
            tying.update(size) if update is None else update,
        )
        # All tables side by side, (row, table, size): a lookup finds a word in each of them.
        self.tables = nn.Parameter(0.1 * torch.randn(vocabulary + slots, self.wiring.tables, size))
        with torch.no_grad():
            self.tables[0] = 0

    @property
    def look(self) -> Attention:
        """What every hop looks by."""
        return self.hops.look  # type: ignore[return-value]

    def weigh_by(self, normaliser: Normaliser) -> None:
        """Put another normaliser into the look; everything else stays as it is."""
        self.look.normaliser = normaliser

    def forward(
        self, story: Story, question: Question, times: Times | None = None
    ) -> tuple[Float[Tensor, "batch vocabulary"], list[Attended]]:
        """Logits of every word as the answer, and what each hop saw, (batch, 1, slot).

        Without ``times``, sentences are counted from the last one on.
        """
        check_words(story, question, self.vocabulary)
        filled = story.ne(0).any(dim=-1)
        times = latest_first(filled) if times is None else times
        self._check_times(times, filled)
        query, memories = self._remember(story, question, times, filled.unsqueeze(1))
        answer, looks = self.hops(query, memories)
        words = self.tables[1 : self.vocabulary, self.wiring.answer]
        return pad(linear(answer.squeeze(1), words), (1, 0)), looks

    def _remember(
        self, story: Story, question: Question, times: Times, mask: Mask
    ) -> tuple[Query, list[Memory]]:
        """The question, and what each hop finds; each distinct sentence is encoded once."""
        (batch, slots, width), length = story.shape, question.shape[1]
        widest = max(width, length)
        told = pad(story.flatten(0, 1), (0, widest - width))
        sentences, places = distinct(torch.cat([told, pad(question, (0, widest - length))]))
        flat = self.tables.flatten(1)
        words = embedding(sentences, flat, padding_idx=0).view(
            *sentences.shape, *self.tables.shape[1:]
        )
        encoded = self.encoding(words, sentences).flatten(1)  # sentence table*size
        shares = self.encoding.time_shares(self.size).to(flat).repeat(self.wiring.tables)
        timed = pad(flat[self.vocabulary :] * shares, (0, 0, 1, 0))  # time 0 is none
        said = encoded.index_select(0, places)
        rows = said[: batch * slots] + timed.index_select(0, times.flatten())
        tables = rows.view(batch, slots, *self.tables.shape[1:]).unbind(dim=2)
        # Empty slots are zero by themselves, so nothing is left for ``remember`` to silence.
        memories = [
            self.look.store(tables[key], tables[value], mask)
            for key, value in zip(self.wiring.keys, self.wiring.values, strict=True)
        ]
        asked = said[batch * slots :].view(batch, 1, *self.tables.shape[1:])
        return asked[:, :, self.wiring.question], memories

    def _check_times(self, times: Times, filled: Bool[Tensor, "batch slot"]) -> None:
        """Say what cannot be meant, before a wrong row is looked up."""
        if times.shape != filled.shape:
            raise ValueError(
                f"times has one number for each sentence, {tuple(filled.shape)}, but its shape is "
                f"{tuple(times.shape)}"
            )
        earliest, latest = map(int, times.aminmax()) if times.numel() else (0, 0)
        if earliest < 0:
            raise ValueError(f"a sentence has the time {earliest}; 1 is the latest, 0 is none")
        if latest > self.slots:
            raise ValueError(
                f"a sentence has the time {latest}, but slots={self.slots}; give the last "
                f"{self.slots} sentences of a story"
            )


def latest_first(filled: Bool[Tensor, "batch slot"]) -> Times:
    """The time of each sentence: 1 for the last one, 2 for the one before; 0 for empty slots."""
    return filled * filled.flip(1).cumsum(1).flip(1)
