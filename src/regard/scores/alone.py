"""Scores of one side alone: from the query by place, or from the key by what it is."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.scores.base import Score
from regard.shapes import Key, Mask, Query, Scores, broadcast

Places = Float[Tensor, "*#batch key 0"]
Saliency = Float[Tensor, "*#batch key 1"]


class FromQuery(Score):
    """Luong's location score: the query alone says how much it wants each place, scores = W q.

    Effective Approaches to Attention-based Neural Machine Translation, Luong, Pham, Manning
    2015, eq. (8) "location". https://arxiv.org/abs/1508.04025
    ``network`` turns a query into one score for each of a fixed number of ``places`` (as many as
    its last linear layer has outputs, unless said). Fewer keys use the first of them; keys beyond
    the last place are out of reach and get no weight.
    """

    def __init__(self, network: nn.Module, *, places: int | None = None) -> None:
        super().__init__()
        self.network = _module("FromQuery", network)
        self.places = _outputs(network) if places is None else places

    def prepare(self, key: Key) -> Places:
        """Nothing of the key but its place."""
        return key[..., :0]

    def compare(self, query: Query, prepared: Places) -> Scores:
        """The network's scores of the places where there are keys; 0 where it has none."""
        scores, length = self.network(query), prepared.shape[-2]
        if scores.shape[-1] != self.places:
            raise ValueError(
                f"FromQuery was made for {self.places} places, but its network gave "
                f"{scores.shape[-1]} scores; make it with places={scores.shape[-1]}"
            )
        known = nn.functional.pad(scores, (0, length - self.places))
        batch = broadcast(known.shape[:-2], prepared.shape[:-2])
        return known.expand(*batch, *known.shape[-2:])

    def reach(self, query: Query, prepared: Places) -> Mask | None:
        """The places that the network knows."""
        length = prepared.shape[-2]
        if length <= self.places:
            return None
        return (torch.arange(length, device=query.device) < self.places).unsqueeze(0)

    def extra_repr(self) -> str:
        return f"places={self.places}"


class FromKey(Score):
    """Attention without a query: each key says for itself how much it matters.

    ``network`` turns a key into one number, such as ``nn.Linear(size, 1)`` or a network with a
    hidden layer, a_i = v . tanh(W x_i + b). Every query gets the same scores.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = _module("FromKey", network)

    def prepare(self, key: Key) -> Saliency:
        """One number per key."""
        saliency: Tensor = self.network(key)
        if saliency.shape != (*key.shape[:-1], 1):
            raise ValueError(
                "FromKey needs a network that gives one number per key, shape "
                f"{(*key.shape[:-1], 1)}, but it gave {tuple(saliency.shape)}"
            )
        return saliency

    def compare(self, query: Query, prepared: Saliency) -> Scores:
        """The same scores for every query."""
        batch = broadcast(query.shape[:-2], prepared.shape[:-2])
        return prepared.mT.expand(*batch, query.shape[-2], -1)


def _module(kind: str, network: nn.Module) -> nn.Module:
    if not isinstance(network, nn.Module):
        raise TypeError(f"{kind} takes a network, such as nn.Linear(size, 1), but got {network!r}")
    return network


def _outputs(network: nn.Module) -> int:
    """How many numbers a network gives, by its last linear layer."""
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Linear)]
    if not layers:
        raise ValueError(
            f"FromQuery cannot tell how many places {network!r} scores; say it: places=50"
        )
    return layers[-1].out_features
