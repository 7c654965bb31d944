"""Training steps of a memory network over words, at the paper's sizes for the Penn Treebank.

10,000 words, 200 of them remembered, 150 units, 7 hops, batches of 128; words come as often as in
texts. A step is forward, the loss, backward, clipping and plain descent; freed memory is kept.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import SGD

from measuring import Comparison, Work
from regard.models import MemoryLanguageModel
from regard.training.allocation import keep_memory

WORDS, SLOTS, SIZE, HOPS, BATCH, RATE, CLIP = 10_000, 200, 150, 7, 128, 0.01, 50 / 128


class EagerForeteller(nn.Module):
    """The same network as it is usually written: two embeddings, then products, hop by hop."""

    def __init__(self) -> None:
        super().__init__()
        self.keys, self.values = nn.Embedding(WORDS, SIZE), nn.Embedding(WORDS, SIZE)
        self.key_times, self.value_times = nn.Embedding(SLOTS, SIZE), nn.Embedding(SLOTS, SIZE)
        self.turn = nn.Linear(SIZE, SIZE, bias=False)
        self.to_output = nn.Linear(SIZE, WORDS, bias=False)
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.05)

    def forward(self, words: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Logits, and the weights of each hop."""
        times = torch.arange(SLOTS).flip(0)
        keys = self.keys(words) + self.key_times(times)
        values = self.values(words) + self.value_times(times)
        state = torch.full((len(words), SIZE), 0.1)
        seen = []
        for _ in range(HOPS):
            weights = torch.bmm(keys, state.unsqueeze(2)).squeeze(2).softmax(dim=1)
            found = torch.bmm(weights.unsqueeze(1), values).squeeze(1)
            straight, bent = (self.turn(state) + found).chunk(2, dim=1)
            state = torch.cat([straight, bent.relu()], dim=1)
            seen.append(weights)
        return self.to_output(state), seen


def training() -> tuple[Work, Work]:
    """One training step of either."""
    keep_memory()
    torch.manual_seed(0)
    often = 1 / torch.arange(1.0, WORDS + 1)  # Zipf's law
    words = often.multinomial(BATCH * SLOTS, replacement=True).view(BATCH, SLOTS)
    following = often.multinomial(BATCH, replacement=True)

    def learner(model: nn.Module) -> Work:
        weights = list(model.parameters())
        optimiser = SGD(weights, lr=RATE)

        def learn() -> Tensor:
            optimiser.zero_grad()
            loss = cross_entropy(model(words)[0], following)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(weights, CLIP)
            optimiser.step()
            return loss.detach()

        return learn

    ours = MemoryLanguageModel(
        vocabulary=WORDS, slots=SLOTS, size=SIZE, straight=SIZE // 2, hops=HOPS
    )
    return learner(EagerForeteller()), learner(ours)


EAGER = "eager, hop by hop"
OFF = (("REGARD_KERNELS", "off"),)
COMPARISONS = [
    Comparison("MemoryLanguageModel, Penn Treebank", EAGER, training, 3),
    Comparison("MemoryLanguageModel, Penn Treebank, no kernel", EAGER, training, environment=OFF),
]
