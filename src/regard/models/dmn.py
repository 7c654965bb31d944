"""Dynamic memory networks: a story is read once and looked over in several passes.

Each pass asks every fact with the question and with what is remembered so far, goes through the
facts in their order, and updates the memory; the answer is made of the last memory.
"""

from abc import ABC

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.attention import Attended, Attention, Hops
from regard.blends import AttentionRecurrence, GatedRecurrence
from regard.counts import check_counts
from regard.models.episodes import Answer, Choice, GatedUpdate, RectifiedUpdate
from regard.models.facts import Question, Reader, SentenceBySentence, Story, WordByWord
from regard.models.pretrained import Pretrained
from regard.models.sentences import SentenceEncoding
from regard.normalisers import Sigmoid, Softmax
from regard.scores import GateScore, InteractionScore
from regard.shapes import Number


class StoryAnswerer(Pretrained, ABC):
    """Anything that reads a story, passes over it several times and answers."""

    reader: Reader
    hops: Hops  # whose look asks with [m; q]
    answer: Answer
    passes: int

    def forward(
        self, story: Story, question: Question
    ) -> tuple[Float[Tensor, "batch *said answer"], list[Attended]]:
        """Scores of the answers, and what each pass saw: weights (batch, 1, sentence).

        Words are numbers from 1 on, sentences in the order in which they were told. 0 fills a
        sentence or question behind its words; a sentence of nothing else is not there, wherever it
        stands. A story may be empty.
        """
        read = self.reader(story, question)
        memory = self.hops.look.remember(read.facts, mask=read.mask)  # type: ignore[operator]
        asking = torch.cat([read.question, read.question], dim=-1).unsqueeze(1)  # m^0 = q
        found, looks = self.hops(asking, [memory] * self.passes)
        return self.answer(*found.squeeze(1).chunk(2, dim=-1)), looks


class DynamicMemory(StoryAnswerer):
    """Any reader, any look with any update, any answer."""

    def __init__(self, reader: Reader, hops: Hops, answer: Answer, *, passes: int = 3) -> None:
        check_counts("DynamicMemory", passes=passes)
        super().__init__(reader=reader, hops=hops, answer=answer, passes=passes)
        self.reader = reader
        self.hops = hops
        self.answer = answer
        self.passes = passes


class DMN(StoryAnswerer):
    """The dynamic memory network: gates by nine features around a gated recurrent unit.

    g = sigmoid(G(c, m, q)), h' = g GRU(c, h) + (1 - g) h, m' = GRU(h, m). Ask Me Anything: Dynamic
    Memory Networks, Kumar et al. 2016. https://arxiv.org/abs/1506.07285
    Another ``look`` may stand for that one, such as the paper's simpler episode, a sum of the facts
    by the softmax of their gates: ``Attention(GateScore(size))``. Deviations: always as many passes
    as ``passes``, without a fact that ends them; one answer is one choice of [m; q]; words and
    matrices start as in Xiong et al. 2016, but for recurrent ones, which start orthogonal.
    """

    def __init__(
        self,
        *,
        vocabulary: int,
        answers: int,
        size: int,
        passes: int = 3,
        dropout: Number = 0.0,
        look: Attention | None = None,
    ) -> None:
        check_counts("DMN", vocabulary=vocabulary, answers=answers, size=size, passes=passes)
        super().__init__(
            vocabulary=vocabulary,
            answers=answers,
            size=size,
            passes=passes,
            dropout=dropout,
            look=look,
        )
        self.passes = passes
        self.reader = WordByWord(vocabulary, size, dropout=dropout)
        gated = Attention(GateScore(size), Sigmoid(), GatedRecurrence(size))
        self.hops = Hops(gated if look is None else look, GatedUpdate(size))
        self.answer = Choice(size, answers, dropout=dropout)
        _start(self)


class DMNPlus(StoryAnswerer):
    """DMN+: sentences that exchange what they say, an attention GRU, a memory layer for each pass.

    g = softmax(Z(f, m, q)), h' = g n + (1 - g) h, m' = max(0, W^t [m; h; q] + b^t). Dynamic Memory
    Networks for Visual and Textual Question Answering, Xiong, Merity, Socher 2016.
    https://arxiv.org/abs/1603.01417 The paper's sizes on bAbI: size 80, 3 passes, dropout 0.1 (of
    the sentences and before the answer). ``encoding`` is how words make a sentence, the paper's if
    not given. Deviation: recurrent matrices start orthogonal.
    """

    def __init__(
        self,
        *,
        vocabulary: int,
        answers: int,
        size: int = 80,
        passes: int = 3,
        dropout: Number = 0.1,
        look: Attention | None = None,
        encoding: SentenceEncoding | None = None,
    ) -> None:
        check_counts("DMNPlus", vocabulary=vocabulary, answers=answers, size=size, passes=passes)
        super().__init__(
            vocabulary=vocabulary,
            answers=answers,
            size=size,
            passes=passes,
            dropout=dropout,
            look=look,
            encoding=encoding,
        )
        self.passes = passes
        self.reader = SentenceBySentence(vocabulary, size, dropout=dropout, encoding=encoding)
        attentive = Attention(InteractionScore(size), Softmax(), AttentionRecurrence(size))
        updates = [RectifiedUpdate(size) for _ in range(passes)]
        self.hops = Hops(attentive if look is None else look, updates)
        self.answer = Choice(size, answers, dropout=dropout)
        _start(self)


def _start(model: nn.Module) -> None:
    """Start all linear maps as Glorot and Bengio 2010, section 4.2.1; biases at zero."""
    for part in model.modules():
        if isinstance(part, nn.Linear):
            nn.init.xavier_uniform_(part.weight)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
