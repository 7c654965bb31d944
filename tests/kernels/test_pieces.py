"""How the additive kernel cuts its work: every row once, and the same results on any threads."""

import pytest
import torch

from regard.kernels import threads
from regard.kernels.additive import operators, pieces


def draw(batch, query, key, hidden=13, dim=7):
    torch.manual_seed(0)
    shapes = (batch, query, hidden), (batch, key, hidden), (hidden,), (batch, key, dim)
    return [torch.randn(shape, requires_grad=True) for shape in shapes]


def test_pieces_cover_every_row_once():
    for batch, query, key in ((7, 3, 5), (3, 257, 509), (2, 3, 100_003), (1, 5, 1)):
        seen = torch.zeros(batch, query, dtype=torch.int64)
        for piece in pieces.cut(batch, query, key):
            for rows in piece.tiles:
                seen[piece.batch, rows] += 1
        assert torch.equal(seen, torch.ones_like(seen))


@pytest.mark.parametrize("kernels", ["on", "off"])
def test_results_do_not_depend_on_the_number_of_threads(kernels, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", kernels)
    monkeypatch.setattr(threads, "WORTHWHILE", 0)
    inputs = draw(batch=5, query=103, key=109)
    results = []
    before = torch.get_num_threads()
    try:
        for count in (1, 2, 3):
            torch.set_num_threads(count)
            context = operators.ATTENTION(*inputs, None, None)[0]
            results.append((context, *torch.autograd.grad(context.square().sum(), inputs)))
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], other, strict=True))
