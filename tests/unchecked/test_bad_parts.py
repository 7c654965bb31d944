"""Parts refuse what cannot work, with what would."""

import re

import pytest
import torch
from torch import nn

from regard import Attention, Hops, Modulate, Pooling, ScoreFunction, Watch, WeightedSum
from regard.masks import causal, from_torch, padding, window
from regard.memory.addressing import interpolate, shift
from regard.normalisers import Gumbel, Mixed, Softmax
from regard.scores import Additive, Concat, Cosine, Dot, Euclidean, FromKey, FromQuery, General
from regard.windows import Predictive

Q, K = torch.randn(2, 3, 7), torch.randn(2, 5, 7)

CASES = {
    "distance of different sizes": (
        lambda: Euclidean()(Q, torch.randn(2, 5, 3)),
        ValueError,
        "the query has 7 and the key has 3",
    ),
    "general made for another query": (
        lambda: General(query_size=5, key_size=7)(Q, K),
        ValueError,
        "General was made for query_size=5, but the query has size 7; make it with query_size=7",
    ),
    "additive made for another key": (
        lambda: Attention(Additive(query_size=7, key_size=5, hidden_size=3))(Q, K),
        ValueError,
        "Additive was made for key_size=5, but the key has size 7",
    ),
    "concat made for another query": (
        lambda: Concat(query_size=5, key_size=7, hidden_size=3)(Q, K),
        ValueError,
        "Concat was made for query_size=5",
    ),
    "a size of zero": (
        lambda: Additive(query_size=0, key_size=7, hidden_size=3),
        ValueError,
        "Additive needs query_size above 0, but query_size=0",
    ),
    "a negative strength": (lambda: Cosine(-1.0), ValueError, "strength above 0, but strength=-1"),
    "a score by name": (
        lambda: Attention("dot"),
        TypeError,
        "score must be a Score, such as Dot(), but got 'dot'",
    ),
    "a class for a part": (
        lambda: Attention(Dot),
        TypeError,
        "score must be a Score, such as Dot(), but got the class Dot; make one: Dot(...)",
    ),
    "a normaliser for a blend": (
        lambda: Attention(Dot(), blend=Softmax()),
        TypeError,
        "blend must be a Blend, such as WeightedSum(), but got Softmax()",
    ),
    "a window that is a mask": (
        lambda: Attention(Dot(), window=causal(3)),
        TypeError,
        "window must be a Window, such as Predictive(",
    ),
    "a network that is none": (
        lambda: FromKey(7),
        TypeError,
        "FromKey takes a network, such as nn.Linear(size, 1), but got 7",
    ),
    "a network of two outputs": (
        lambda: FromKey(nn.Linear(7, 2))(Q, K),
        ValueError,
        "one number per key, shape (2, 5, 1), but it gave (2, 5, 2)",
    ),
    "an unknown argument": (
        lambda: Attention(Dot(), normalizer=Softmax()),
        TypeError,
        "unexpected keyword argument 'normalizer'",
    ),
    "a bias for a mask of torch": (
        lambda: from_torch(torch.randn(5, 5)),
        ValueError,
        "attn_mask holds numbers other than 0 and -inf: that is a bias",
    ),
    "two queries to modulate": (
        lambda: Attention(Dot(), blend=Modulate())(Q, K),
        ValueError,
        "there must be one query, but there are 3; WeightedSum()",
    ),
    "dropout of one": (
        lambda: WeightedSum(dropout=1.0),
        ValueError,
        "dropout must lie in [0, 1), but dropout=1.0",
    ),
    "no temperature": (lambda: Gumbel(0), ValueError, "temperature must be above 0"),
    "a share of two": (
        lambda: Mixed(Softmax(), Softmax(), 2),
        ValueError,
        "share must lie in [0, 1], but share=2",
    ),
    "no radius": (
        lambda: Predictive(query_size=7, radius=0),
        ValueError,
        "Predictive needs radius above 0, but radius=0",
    ),
    "a window for other queries": (
        lambda: Attention(Dot(), window=Predictive(query_size=5, radius=2))(Q, K),
        ValueError,
        "Predictive was made for query_size=5, but the query has size 7",
    ),
    "lengths that do not fit": (
        lambda: padding([2, 6], 5),
        ValueError,
        "length must hold the longest example, but length=5 and lengths go up to 6; take length=6",
    ),
    "lengths that are a mask": (
        lambda: padding(torch.ones(2, 5, dtype=torch.bool), 5),
        TypeError,
        "lengths must be whole numbers, one per example, but their type is torch.bool",
    ),
    "negative lengths": (lambda: padding([-1, 2], 5), ValueError, "lengths"),
    "a negative radius": (lambda: window(5, -1), ValueError, "radius=-1"),
    "a negative length": (lambda: causal(-1), ValueError, "query=-1"),
    "hops without a look": (
        lambda: Hops(Dot()),
        TypeError,
        "look must be a Look, such as Attention(Dot())",
    ),
    "one memory for hops": (
        lambda: Hops(Attention(Dot()))(Q, Attention(Dot()).remember(K)),
        TypeError,
        "memories must be a list with a Memory for each hop, but got one Memory; [memory] * 3",
    ),
    "an update that is none": (
        lambda: Hops(Attention(Dot()), 3),
        TypeError,
        "update must be a function, such as torch.add, or a list of modules, one for each hop, but "
        "got 3",
    ),
    "a class to mix": (
        lambda: Mixed(Softmax, Softmax()),
        TypeError,
        "first must be a Normaliser, such as Softmax(), but got <class",
    ),
    "a size that is no whole number": (
        lambda: General(query_size=5.0, key_size=7),
        TypeError,
        "General needs a whole number for query_size, but query_size=5.0",
    ),
    "a length that is no whole number": (
        lambda: causal(2.5),
        TypeError,
        "query must be a whole number, but query=2.5",
    ),
    "a network that hides its places": (
        lambda: FromQuery(nn.Identity()),
        ValueError,
        "FromQuery cannot tell how many places Identity() scores; say it: places=50",
    ),
    "a network of other places": (
        lambda: FromQuery(nn.Linear(7, 4), places=5)(Q, K),
        ValueError,
        "made for 5 places, but its network gave 4 scores; make it with places=4",
    ),
    "a mask of torch for each head": (
        lambda: from_torch(torch.ones(6, 5, 5, dtype=torch.bool)),
        ValueError,
        "attn_mask must have the shape (query, key), but it has (6, 5, 5)",
    ),
    "a bias for the filling": (
        lambda: from_torch(key_padding_mask=torch.tensor([[0.0, 0.5]])),
        ValueError,
        "key_padding_mask holds numbers other than 0 and -inf",
    ),
    "pooling of a list": (
        lambda: Pooling(Attention(FromKey(nn.Linear(7, 1))))([1.0]),
        TypeError,
        "key must be a tensor, but got list",
    ),
    "pooling without a look": (
        lambda: Pooling(FromKey(nn.Linear(7, 1))),
        TypeError,
        "look must be an Attention, such as Attention(FromKey(",
    ),
    "pooling with a score that needs a query": (
        lambda: Pooling(Attention(Dot()))(K),
        ValueError,
        "the query has 0 and the key has 7",
    ),
    "a decay of two": (lambda: ScoreFunction(decay=2), ValueError, "decay must lie in [0, 1]"),
    "axes named twice": (
        lambda: Watch("tape", ("slot", "slot")),
        ValueError,
        "axes must name every axis once",
    ),
    "a distribution of other axes": (
        lambda: Watch("tape", ("batch", "slot"))(torch.ones(3)),
        ValueError,
        "Watch('tape') expects the axes ('batch', 'slot'), but got a distribution of shape (3,)",
    ),
}


@pytest.mark.parametrize(("act", "kind", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_refused_with_what_would_work(act, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        act()


def test_weights_and_shifts_of_other_heads_are_refused():
    weights = torch.full((2, 3, 7), 1 / 7)
    with pytest.raises(ValueError, match=r"shifts of its own, but shifts are \(2, 1"):
        shift(weights, torch.ones(2, 1, 3) / 3)
    with pytest.raises(ValueError, match=r"by content are .*, 7\), but those of before .*6"):
        interpolate(weights, weights[..., 1:], torch.ones(2, 3, 1))
