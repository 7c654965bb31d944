"""A captioner as tutorials write it: plain PyTorch, the cells projected anew for every word."""

import torch
from torch import Tensor, nn


class EagerCaptioner(nn.Module):
    """The parts and sizes of ``Captioner`` over given annotations, everything inside the loop."""

    def __init__(self, vocabulary: int, size: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, size)
        self.to_hidden = nn.Linear(size, size)
        self.to_cell = nn.Linear(size, size)
        self.from_query = nn.Linear(size, size, bias=False)
        self.from_key = nn.Linear(size, size, bias=False)
        self.vector = nn.Linear(size, 1, bias=False)
        self.to_gate = nn.Linear(size, 1)
        self.cell = nn.LSTMCell(2 * size, size)
        self.from_features = nn.Linear(2 * size, size)
        self.to_words = nn.Linear(size, vocabulary)

    def forward(self, annotations: Tensor, captions: Tensor) -> Tensor:
        """Scores of the word after each of ``captions``."""
        state = self.begin(annotations)
        logits = []
        for word in captions.unbind(1):
            scores, state = self.step(annotations, word, state)
            logits.append(scores)
        return torch.stack(logits, dim=1)

    def begin(self, annotations: Tensor) -> tuple[Tensor, Tensor]:
        """The first state."""
        mean = annotations.mean(dim=1)
        return torch.tanh(self.to_hidden(mean)), torch.tanh(self.to_cell(mean))

    def step(
        self, annotations: Tensor, word: Tensor, state: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """One word further."""
        hidden, cell = state
        mixed = torch.tanh(self.from_key(annotations) + self.from_query(hidden).unsqueeze(1))
        weights = self.vector(mixed).softmax(dim=1)
        context = (weights * annotations).sum(dim=1) * torch.sigmoid(self.to_gate(hidden))
        embedded = self.words(word)
        hidden, cell = self.cell(torch.cat([embedded, context], dim=1), (hidden, cell))
        deep = embedded + self.from_features(torch.cat([hidden, context], dim=1))
        return self.to_words(torch.tanh(deep)), (hidden, cell)

    @torch.no_grad()
    def greedy(self, annotations: Tensor, begin: int, length: int) -> Tensor:
        """``length`` words, each the likeliest."""
        state = self.begin(annotations)
        word = torch.full((len(annotations),), begin)
        words = []
        for _ in range(length):
            scores, state = self.step(annotations, word, state)
            word = scores.argmax(dim=1)
            words.append(word)
        return torch.stack(words, dim=1)
