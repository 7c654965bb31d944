"""Whether hops look at the sentences that lead to an answer."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

Hops = Float[Tensor, "question hop sentence"]
Facts = Bool[Tensor, "question sentence"]


def facts_looked_at(weights: Hops, supporting: Facts) -> float:
    """Precision at 1: the share of hops whose largest weight is on a supporting fact.

    The mean over the hops of a question and over questions; those without a known fact are left
    out. Of each hop the largest weight on a sentence counts, however small it is: a hop that leaves
    most of its weight to no sentence at all is judged by the rest. See ``facts_preferred``.

    >>> weights = torch.tensor([[[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]]])
    >>> facts_looked_at(weights, torch.tensor([[True, False, False]]))
    0.5
    """
    known = _known(weights, supporting)
    first = weights[known].argmax(dim=-1)
    return float(supporting[known].gather(1, first).double().mean())


def facts_preferred(weights: Hops, supporting: Facts) -> float:
    """As ``facts_looked_at``, but a hop whose largest weight is on no sentence is a miss.

    What the weights of a hop lack to one is on no sentence, as where a softmax has empty slots.

    >>> weights = torch.tensor([[[0.9, 0.1, 0.0], [0.2, 0.1, 0.0]]])
    >>> facts_preferred(weights, torch.tensor([[True, False, False]]))
    0.5
    """
    nowhere = (1 - weights.sum(dim=-1, keepdim=True)).clamp(min=0)
    none = torch.zeros_like(supporting[:, :1])
    return facts_looked_at(
        torch.cat([weights, nowhere], dim=-1), torch.cat([supporting, none], dim=-1)
    )


def facts_found(weights: Hops, supporting: Facts) -> float:
    """Recall at 1: the share of supporting facts on which the largest weight of some hop is.

    The mean over the facts of a question and over questions.

    >>> weights = torch.tensor([[[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]]])
    >>> facts_found(weights, torch.tensor([[True, True, False]]))
    0.5
    """
    known = _known(weights, supporting)
    facts = supporting[known]
    seen = torch.zeros_like(facts).scatter_(1, weights[known].argmax(dim=-1), True)
    found = (seen & facts).sum(dim=1) / facts.sum(dim=1)
    return float(found.double().mean())


def _known(weights: Hops, supporting: Facts) -> Bool[Tensor, " question"]:
    """Which questions have a fact and somewhere to look."""
    known = supporting.any(dim=1)
    if not bool(known.any()):
        raise ValueError(
            f"none of the {len(supporting)} questions has a supporting fact to compare "
            f"{weights.shape[1]} hops with"
        )
    return known
