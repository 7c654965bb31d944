"""The equations that the compiled functions equal, hop by hop in torch, for second derivatives.

``regard.models.MemoryLanguageModel`` holds them for reading, part by part.
"""

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear


def reread(
    table: Tensor,
    times: Tensor,
    turn: Tensor,
    words: Tensor,
    straight: int,
    hops: int,
    asked: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The last state, and contexts, scores and weights of each hop; see the package."""
    key, value = (embedding(words, table) + times.flip(0)).chunk(2, dim=-1)
    state = key.new_full((len(words), len(turn)), asked)
    seen = []
    for _ in range(hops):
        scores = (key @ state.unsqueeze(-1)).squeeze(-1)
        weights = scores.softmax(dim=-1)
        context = (weights.unsqueeze(1) @ value).squeeze(1)
        kept, bent = (linear(state, turn) + context).tensor_split([straight], dim=-1)
        state = torch.cat([kept, bent.relu()], dim=-1)
        seen.append((context, scores, weights))
    contexts, scored, shares = (torch.stack(each, dim=1) for each in zip(*seen, strict=True))
    return state, contexts, scored, shares
