"""Input that cannot work is refused with what is wrong and what would work."""

import re

import pytest
import torch
from torch import nn

import regard
from regard import Attention, MultiHead, record
from regard.masks import causal
from regard.scores import Additive, Dot, FromQuery

Q, K, V = torch.randn(2, 3, 7), torch.randn(2, 5, 7), torch.randn(2, 5, 11)
LOOK, MANY = Attention(Dot()), MultiHead(Attention(Dot()), size=12, heads=3)
WORDS = torch.randn(2, 5, 12)

CASES = {
    "dot of different sizes": (
        lambda: LOOK(Q, torch.randn(2, 5, 3)),
        ValueError,
        "Dot multiplies query and key coordinate by coordinate, so their sizes must be equal, but "
        "the query has 7 and the key has 3; General(query_size=7, key_size=3)",
    ),
    "a float mask": (
        lambda: LOOK(Q, K, V, torch.zeros(3, 5)),
        TypeError,
        "mask must be boolean, True = may attend, but its type is torch.float32; numbers to add to "
        "the scores are a Score",
    ),
    "an integer mask for heads": (
        lambda: MANY(WORDS, mask=torch.ones(5, 5, dtype=torch.long)),
        TypeError,
        "mask must be boolean, True = may attend, but its type is torch.int64",
    ),
    "a mask that is a list": (
        lambda: LOOK(Q, K, V, [[True] * 5]),
        TypeError,
        "mask must be a boolean tensor, but got list",
    ),
    "a mask for other keys": (
        lambda: LOOK(Q, K, V, causal(3)),
        ValueError,
        "mask must have the shape (*batch, query or 1, key) with 5 keys, but it has (3, 3)",
    ),
    "a mask (batch, key)": (
        lambda: LOOK(Q, K, V, torch.ones(2, 5, dtype=torch.bool)),
        ValueError,
        "mask must broadcast to (*batch, query, key) = (2, 3, 5), but it has (2, 5); a mask "
        "(batch, key) becomes one by mask.unsqueeze(-2)",
    ),
    "a mask of more examples": (
        lambda: LOOK(Q, K, V, torch.ones(4, 3, 5, dtype=torch.bool)),
        ValueError,
        "mask must have leading axes that broadcast with the keys', (2,), but it has the shape "
        "(4, 3, 5)",
    ),
    "a mask of one axis": (
        lambda: LOOK(Q, K, V, torch.ones(5, dtype=torch.bool)),
        ValueError,
        "with 5 keys, but it has (5,)",
    ),
    "values without keys": (
        lambda: LOOK(Q, K, V[:, :3]),
        ValueError,
        "every key needs its own value, but there are 5 keys (key (2, 5, 7)) and 3 values",
    ),
    "batches that do not fit": (
        lambda: LOOK(torch.randn(3, 3, 7), K, V),
        ValueError,
        "query and value must have leading axes that broadcast, but query has (3, 3, 7)",
    ),
    "keys of whole numbers": (
        lambda: LOOK(Q, torch.ones(2, 5, 7, dtype=torch.long)),
        TypeError,
        "key must hold floating-point numbers, but its type is torch.int64; key.float() converts",
    ),
    "types that differ": (
        lambda: LOOK(Q.double(), K),
        TypeError,
        "query is torch.float64 and value is torch.float32",
    ),
    "a query without a sequence": (
        lambda: LOOK(torch.randn(7), K[0]),
        ValueError,
        "query must have the shape (*batch, query, size), but it has (7,); query.unsqueeze(-2)",
    ),
    "a query that is no tensor": (
        lambda: LOOK([[1.0]], K),
        TypeError,
        "query must be a tensor, but got list",
    ),
    "a value beside a memory": (
        lambda: LOOK(Q, LOOK.remember(K), V),
        TypeError,
        "a Memory holds its values already; leave value out",
    ),
    "an unknown argument of heads": (
        lambda: MultiHead(Attention(Dot()), size=12, heads=3, batch_first=True),
        TypeError,
        "unexpected keyword argument 'batch_first'",
    ),
    "heads that do not divide": (
        lambda: MultiHead(Attention(Dot()), size=10, heads=4),
        ValueError,
        "size must split evenly over heads, but size=10 and heads=4; the nearest sizes that do "
        "are 8 and 12",
    ),
    "no heads": (
        lambda: MultiHead(Attention(Dot()), size=10, heads=0),
        ValueError,
        "size=10 and heads=0",
    ),
    "groups that do not divide": (
        lambda: MultiHead(Attention(Dot()), size=12, heads=6, key_heads=4),
        ValueError,
        "heads=6 and key_heads=4; with 6 heads, key_heads may be one of [1, 2, 3, 6]",
    ),
    "heads over a score": (
        lambda: MultiHead(Dot(), size=12, heads=3),
        TypeError,
        "look must be an Attention, such as Attention(ScaledDot())",
    ),
    "a word of another size": (
        lambda: MANY(torch.randn(2, 5, 10)),
        ValueError,
        "MultiHead was made for a query of size 12, but the query has (2, 5, 10); make it with "
        "size=10",
    ),
    "a key of another size": (
        lambda: MANY(WORDS, torch.randn(2, 5, 10)),
        ValueError,
        "MultiHead was made for a key of size 12, but the key has (2, 5, 10); make it with "
        "key_size=10",
    ),
    "extra keys of torch": (
        lambda: MultiHead.from_torch(nn.MultiheadAttention(12, 3, add_bias_kv=True)),
        ValueError,
        "add_bias_kv or add_zero_attn",
    ),
    "a head that is not there": (
        lambda: _record_head([7]),
        ValueError,
        "heads asks for [7], but this look has 3, from 0",
    ),
    "a number for heads to record": (
        lambda: _record_head(1),
        TypeError,
        "heads must be a list of numbers, such as [1], not 1",
    ),
    "a model that is none": (
        lambda: record("model").__enter__(),
        TypeError,
        "model must be a Module, such as a model that contains looks, but got 'model'",
    ),
    "a list for a mask with a memory": (
        lambda: MANY(WORDS, MANY.remember(WORDS), mask=[[True]]),
        TypeError,
        "mask must be a boolean tensor, but got list",
    ),
    "another module of torch": (
        lambda: MultiHead.from_torch(nn.Linear(2, 2)),
        TypeError,
        "module must be a MultiheadAttention",
    ),
    "keys of other batches": (
        lambda: LOOK(Q, torch.randn(3, 5, 7), torch.randn(5, 7)),
        ValueError,
        "query and key must have leading axes that broadcast",
    ),
    "a folder that is no run": (
        lambda: regard.load("."),
        ValueError,
        "'.' is not a run folder: there is no file",
    ),
    "a run that is not there": (
        lambda: regard.load("nowhere"),
        ValueError,
        "there is no run 'nowhere'; give the folder that regard train wrote",
    ),
}


def _record_head(head):
    with record(MANY, heads=head):
        MANY(WORDS)


@pytest.mark.parametrize(("act", "kind", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_refused_with_what_would_work(act, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        act()


def test_no_keys_give_a_zero_context():
    for score in (
        Dot(),
        Additive(query_size=7, key_size=7, hidden_size=3),
        FromQuery(nn.Linear(7, 2)),
    ):
        seen = Attention(score)(Q, K[:, :0], V[:, :0])
        assert seen.context.shape == (2, 3, 11)
        assert not seen.context.any()
        assert seen.weights.shape == (2, 3, 0)


def test_nan_in_a_query_shows_in_its_own_row_alone():
    for score in (Dot(), Additive(query_size=7, key_size=7, hidden_size=3)):
        query = Q.clone()
        query[0, 1, 2] = float("nan")
        seen = Attention(score)(query, K, V)
        assert seen.context.isnan().any(dim=-1).tolist() == [[False, True, False], [False] * 3]
        assert seen.weights.isnan().any(dim=-1).tolist() == [[False, True, False], [False] * 3]
