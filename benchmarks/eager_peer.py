"""RNNsearch as a tutorial writes it: plain PyTorch, everything inside the loop."""

import torch
from torch import Tensor, nn


class EagerTranslator(nn.Module):
    """The parts and sizes of ``RNNSearch``, with torch's gated unit in place of the paper's.

    Keys are projected anew at every step, and so are the words scored. Torch's unit has a second
    bias, so it has 9 ``size`` parameters more than ours in all: 3 for each of its three units.
    """

    def __init__(self, vocabulary: int, size: int) -> None:
        super().__init__()
        self.source_words = nn.Embedding(vocabulary, size)
        self.target_words = nn.Embedding(vocabulary, size)
        self.encoder = nn.GRU(size, size, batch_first=True, bidirectional=True)
        self.start = nn.Linear(size, size)
        self.from_query = nn.Linear(size, size, bias=False)
        self.from_key = nn.Linear(2 * size, size, bias=False)
        self.vector = nn.Linear(size, 1, bias=False)
        self.cell = nn.GRUCell(3 * size, size)
        self.to_pairs = nn.Linear(4 * size, 2 * size)
        self.to_words = nn.Linear(size, vocabulary)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Scores of the word after each of ``target``, (batch, target, vocabulary)."""
        annotations, last = self.encoder(self.source_words(source))
        state = torch.tanh(self.start(last[1]))  # the backward unit's, at the first word
        logits = []
        for word in self.target_words(target).unbind(1):
            context = self.look(state, annotations)
            state = self.cell(torch.cat([word, context], dim=1), state)
            pairs = self.to_pairs(torch.cat([state, context, word], dim=1))
            largest = pairs.view(len(pairs), -1, 2).amax(dim=-1)
            logits.append(self.to_words(largest))
        return torch.stack(logits, dim=1)

    def look(self, state: Tensor, annotations: Tensor) -> Tensor:
        """sum_j softmax_j(v . tanh(W s + U h_j)) h_j."""
        hidden = torch.tanh(self.from_query(state).unsqueeze(1) + self.from_key(annotations))
        weights = self.vector(hidden).squeeze(-1).softmax(dim=-1)
        return (weights.unsqueeze(1) @ annotations).squeeze(1)
