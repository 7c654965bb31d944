"""The memory network as a language model: the words so far are its memory."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import embedding

from regard.attention import Attended, Attention, Hops
from regard.counts import check_counts
from regard.models.memn2n import Projected, Rectified
from regard.models.pretrained import Pretrained
from regard.models.rereading import Found, one_kernel
from regard.scores import Dot

QUERY = 0.1  # every number of the question that is always asked


class MemoryLanguageModel(Pretrained):
    """Tells the next word from the words before it, in several hops over them.

    m_i = A x_i + T_A(i), c_i = C x_i + T_C(i), u^1 = (0.1, ..., 0.1), u^{k+1} = H u^k + o^k, in
    which the units from ``straight`` on are rectified; next word = softmax(W u^{K+1}).
    End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015, section 5.
    https://arxiv.org/abs/1503.08895 A, C and H are the same at every hop. All weights begin as
    N(0, 0.05^2). Its sizes for the Penn Treebank: 150, half of them straight; 100 to 200 slots, 6
    or 7 hops. Time 1 is here the last word, so that fewer words than slots are fewer times.
    """

    def __init__(
        self,
        look: Attention | None = None,
        *,
        vocabulary: int,
        slots: int = 100,
        size: int = 150,
        straight: int = 75,
        hops: int = 6,
    ) -> None:
        super().__init__(
            look=look, vocabulary=vocabulary, slots=slots, size=size, straight=straight, hops=hops
        )
        check_counts("MemoryLanguageModel", slots=slots, size=size, hops=hops)
        self.count, self.size = hops, size
        self.hops = Hops(
            Attention(Dot()) if look is None else look, Rectified(Projected(size), straight)
        )
        self.words = nn.Parameter(torch.empty(vocabulary, 2 * size))  # A and C side by side
        self.times = nn.Parameter(torch.empty(slots, 2 * size))  # T_A and T_C
        self.to_output = nn.Linear(size, vocabulary, bias=False)
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.05)

    def forward(
        self, words: Int[Tensor, "batch slot"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], list[Attended]]:
        """Logits of the word that follows, and what each hop saw, (batch, 1, slot)."""
        slots = len(self.times)
        if words.shape[1] > slots:
            raise ValueError(
                f"there are {words.shape[1]} words, but slots={slots}; give the last {slots}"
            )
        fused = one_kernel(self.hops, self.count, QUERY, words, self.words, self.times)
        found, looks = self._hop_by_hop(words) if fused is None else fused
        return self.to_output(found.squeeze(1)), looks

    def _hop_by_hop(self, words: Int[Tensor, "batch slot"]) -> Found:
        """By the parts, one after the other."""
        latest_last = self.times[: words.shape[1]].flip(0)
        key, value = (embedding(words, self.words) + latest_last).chunk(2, dim=-1)
        query = key.new_full((len(words), 1, self.size), QUERY)
        memory = self.hops.look.remember(key, value)  # type: ignore[operator]
        return self.hops(query, [memory] * self.count)
