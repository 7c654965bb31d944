"""A memory network as it is usually written in eager PyTorch: every hop embeds the whole memory."""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

CLIP, NOISE = 40.0, 0.1


class EagerMemory(nn.Module):
    """Adjacent tying and released position encoding; a memory of a fixed number of slots."""

    def __init__(self, *, vocabulary: int, slots: int, size: int, hops: int, longest: int) -> None:
        super().__init__()
        self.words = nn.ModuleList(
            nn.Embedding(vocabulary, size, padding_idx=0) for _ in range(hops + 1)
        )
        self.times = nn.ModuleList(
            nn.Embedding(slots + 1, size, padding_idx=0) for _ in range(hops + 1)
        )
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.1)
            parameter.data[0] = 0
        k = torch.arange(1, size + 1) - (size + 1) / 2
        j = torch.arange(1, longest + 2).unsqueeze(1) - (longest + 2) / 2
        shares = 1 + 4 * k * j / (size * (longest + 1))
        self.shares: Tensor
        self.time_shares: Tensor
        self.register_buffer("shares", shares[:-1])
        self.register_buffer("time_shares", shares[-1])

    def forward(self, story: Tensor, question: Tensor, times: Tensor) -> Tensor:
        """Logits of every word; a time of 0 is an empty slot."""
        state = (self.words[0](question) * self.shares).sum(dim=1)
        empty = times == 0
        for hop in range(len(self.words) - 1):
            keys = self.sentences(hop, story, times)
            values = self.sentences(hop + 1, story, times)
            scores = torch.bmm(keys, state.unsqueeze(2)).squeeze(2)
            weights = torch.softmax(scores.masked_fill(empty, -1e9), dim=1)
            state = state + torch.bmm(weights.unsqueeze(1), values).squeeze(1)
        last: nn.Embedding = self.words[-1]  # type: ignore[assignment]
        return state @ last.weight.t()

    def sentences(self, table: int, story: Tensor, times: Tensor) -> Tensor:
        """The memory by one table."""
        words = (self.words[table](story) * self.shares).sum(dim=2)
        return words + self.times[table](times) * self.time_shares


def jittered(filled: Tensor) -> Tensor:
    """Times from the latest on, with gaps; 0 where nothing is."""
    batch, slots = filled.shape
    counts = filled.sum(dim=1, keepdim=True)
    most = (counts * NOISE).ceil()
    spread = counts + (torch.rand(batch, 1) * (most + 1)).long()
    places = torch.arange(2 * slots)
    chance = torch.rand(batch, 2 * slots).masked_fill(places >= spread, 2.0)
    taken = chance.argsort(dim=1).argsort(dim=1) < counts  # as many as there are sentences
    order = (taken * (places + 1)).sort(dim=1, descending=True).values[:, :slots]
    return (order.clamp(max=slots) * filled).long()


def learn(model: EagerMemory, examples: tuple[Tensor, Tensor, Tensor], rate: float) -> Tensor:
    """One step on a batch of 32: draw, forward, backward, clip, update."""
    stories, questions, answers = examples
    rows = torch.randint(len(answers), (32,))
    story = stories[rows]
    times = jittered(story.ne(0).any(dim=2))
    model.zero_grad()
    loss = cross_entropy(model(story, questions[rows], times), answers[rows], reduction="sum")
    loss.backward()  # type: ignore[no-untyped-call]
    with torch.no_grad():
        for parameter in model.parameters():
            nn.utils.clip_grad_norm_(parameter, CLIP)
            parameter.sub_(rate * parameter.grad)  # type: ignore[operator]
            parameter[0] = 0
    return loss.detach()
