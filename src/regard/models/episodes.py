"""What happens to a memory after each look at the facts, and how an answer is made of it.

A query is [m; q], the memory and the question joined, as the scores of ``regard.scores.gates`` ask.
"""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.shapes import Number

Asking = Float[Tensor, "batch query both"]  # [m; q]
Episode = Float[Tensor, "batch query size"]
Vector = Float[Tensor, "batch size"]


class GatedUpdate(nn.Module):
    """m' = GRU(e, m), the same unit after every look.

    Ask Me Anything: Dynamic Memory Networks, Kumar et al. 2016, section 2.3.
    https://arxiv.org/abs/1506.07285
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.unit = nn.GRUCell(size, size)

    def forward(self, query: Asking, context: Episode) -> Asking:
        memory, question = query.chunk(2, dim=-1)
        following = self.unit(context.flatten(0, 1), memory.flatten(0, 1))
        return torch.cat([following.view_as(memory), question], dim=-1)


class RectifiedUpdate(nn.Module):
    """m' = max(0, W [m; e; q] + b): one for each look, where they are not tied.

    Dynamic Memory Networks for Visual and Textual Question Answering, Xiong, Merity, Socher 2016,
    section 3.3. https://arxiv.org/abs/1603.01417
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.from_all = nn.Linear(3 * size, size)

    def forward(self, query: Asking, context: Episode) -> Asking:
        question = query.chunk(2, dim=-1)[1]
        following = self.from_all(torch.cat([query, context], dim=-1)).relu()
        return torch.cat([following, question], dim=-1)


class Answer(nn.Module, ABC):
    """Makes logits of what is remembered and of the question."""

    @abstractmethod
    def forward(self, memory: Vector, question: Vector) -> Float[Tensor, "batch *said answer"]:
        """Scores of all answers, or of all words at each place of an answer."""


class Choice(Answer):
    """One of all answers: W [m; q] + b."""

    def __init__(self, size: int, answers: int, *, dropout: Number = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.to_answer = nn.Linear(2 * size, answers)

    def forward(self, memory: Vector, question: Vector) -> Float[Tensor, "batch answer"]:
        return self.to_answer(self.dropout(torch.cat([memory, question], dim=-1)))


class Utterance(Answer):
    """Several words, one after the other.

    a_0 = m, a_t = GRU([y_{t-1}, q], a_{t-1}), y_t = softmax(W_a a_t), up to ``longest`` words. Ask
    Me Anything: Dynamic Memory Networks, Kumar et al. 2016, section 2.4.
    https://arxiv.org/abs/1506.07285 What is fed back is the distribution over words that the unit
    itself has given, in training, too; before the first word it is zero.
    """

    def __init__(self, size: int, vocabulary: int, longest: int) -> None:
        super().__init__()
        if longest < 1:
            raise ValueError(f"an answer has one word or more, but longest={longest}")
        self.longest = longest
        self.unit = nn.GRUCell(vocabulary + size, size)
        self.to_word = nn.Linear(size, vocabulary)

    def forward(self, memory: Vector, question: Vector) -> Float[Tensor, "batch said word"]:
        state, words = memory, memory.new_zeros(len(memory), self.to_word.out_features)
        said = []
        for _ in range(self.longest):
            state = self.unit(torch.cat([words, question], dim=-1), state)
            said.append(self.to_word(state))
            words = said[-1].softmax(dim=-1)
        return torch.stack(said, dim=1)

    def extra_repr(self) -> str:
        return f"longest={self.longest}"
