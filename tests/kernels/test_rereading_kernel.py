"""The fused hops over words equal their equations, forward and backward."""

import pytest
import torch
from torch.testing import assert_close

from regard.kernels.rereading import Tables, operators, passes, plain, reread, usable

WORDS, SLOTS, SIZE, HOPS, BATCH, STRAIGHT, ASKED = 11, 7, 5, 3, 2, 2, 0.1
CLOSE = {torch.float32: {"rtol": 2e-4, "atol": 2e-5}, torch.float64: {"rtol": 1e-9, "atol": 1e-11}}


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def drawn(dtype=torch.float64, batch=BATCH, length=SLOTS, size=SIZE, words=WORDS):
    """Tables, with as many times as words, and the words themselves."""
    torch.manual_seed(0)
    shapes = (words, 2 * size), (length, 2 * size), (size, size)
    tables = [torch.randn(shape, dtype=dtype).div_(size**0.5).requires_grad_() for shape in shapes]
    return tables, torch.randint(words, (batch, length))


def by_kernel(words, straight=STRAIGHT, hops=HOPS):
    return lambda *tables: tuple(reread(Tables(*tables), words, straight, hops, ASKED))


def by_equations(words, straight=STRAIGHT, hops=HOPS):
    return lambda *tables: plain.reread(*tables, words, straight, hops, ASKED)


def learn(way, tables):
    """All that is shown, and gradients of a sum of it with mixed signs."""
    made = way(*tables)
    slopes = [
        torch.linspace(-1, 2, each.numel(), dtype=each.dtype).view(each.shape) for each in made
    ]
    return *made, *torch.autograd.grad(made, tables, slopes)


def same(ours, theirs, dtype=torch.float64):
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine, other, **CLOSE[dtype])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("length", [1, 2, SLOTS])
@pytest.mark.parametrize("straight", [0, STRAIGHT, SIZE, SIZE + 1])
def test_what_is_seen_and_gradients_are_those_of_the_equations(dtype, length, straight, runs):
    tables, words = drawn(dtype, length=length)
    ways = by_kernel(words, straight), by_equations(words, straight)
    same(*(learn(way, tables) for way in ways), dtype)
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("batch", "length", "size", "hops"), [(1, 1, 1, 1), (37, 13, 3, 2), (3, 5, 131, 9)]
)
def test_any_size_is_that_of_the_equations(batch, length, size, hops, runs):
    tables, words = drawn(batch=batch, length=length, size=size)
    ways = by_kernel(words, size // 2, hops), by_equations(words, size // 2, hops)
    same(*(learn(way, tables) for way in ways))
    assert len(runs) == 1


@pytest.mark.parametrize("shown", range(4))
def test_a_gradient_of_one_thing_that_is_shown_is_that_of_the_equations(shown):
    tables, words = drawn()
    ways = by_kernel(words), by_equations(words)
    found, expected = (
        torch.autograd.grad(way(*tables)[shown].sin().sum(), tables, materialize_grads=True)
        for way in ways
    )
    same(found, expected)


def test_gradients_pass_gradcheck_twice(runs):
    tables, words = drawn(size=3, length=2, words=4)
    assert torch.autograd.gradcheck(by_kernel(words, 1, 2), tables)
    assert torch.autograd.gradgradcheck(by_kernel(words, 1, 2), tables)
    assert len(runs) > 1


def test_many_gradients_at_once_are_each_of_them(runs):
    tables, words = drawn()
    made = by_kernel(words)(*tables)[0]
    slopes = torch.randn(3, *made.shape, dtype=torch.float64)
    together = torch.autograd.grad(made, tables, slopes, is_grads_batched=True, retain_graph=True)
    for index, slope in enumerate(slopes):
        alone = torch.autograd.grad(made, tables, slope, retain_graph=True)
        same([each[index] for each in together], alone)
    assert len(runs) == 1


def test_slopes_that_were_given_are_left_as_they_are():
    tables, words = drawn()
    made = by_kernel(words)(*tables)
    slopes = [torch.randn_like(each) for each in made]
    copies = [each.clone() for each in slopes]
    torch.autograd.grad(made, tables, slopes)
    assert all(map(torch.equal, slopes, copies))


def test_a_word_that_stands_everywhere_gets_all_its_slopes():
    tables, words = drawn()
    words.fill_(4)
    same(learn(by_kernel(words), tables), learn(by_equations(words), tables))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_large_scores_stay_numbers(dtype):
    tables, words = drawn(dtype)
    with torch.no_grad():
        tables[0][:, :SIZE] *= 1e4
    ours = learn(by_kernel(words), tables)
    assert all(each.isfinite().all() for each in ours)
    assert_close(ours[3].sum(dim=-1), torch.ones(BATCH, HOPS, dtype=dtype))


def test_a_broken_word_does_not_touch_examples_without_it_and_stays_visible(runs):
    tables, words = drawn(batch=3)
    words[words == 4] = 5
    expected = by_kernel(words)(*tables)[0]
    words[1, 0] = 4
    with torch.no_grad():
        tables[0][4, 0] = float("nan")
    found = by_kernel(words)(*tables)
    assert_close(found[0][[0, 2]], expected[[0, 2]])
    assert found[0][1].isnan().all()
    for mine, other in zip(
        learn(by_kernel(words), tables), learn(by_equations(words), tables), strict=True
    ):
        assert_close(mine, other, equal_nan=True)


def test_threads_change_no_bit():
    tables, words = drawn(torch.float32, batch=67, length=101, size=61)
    threads = torch.get_num_threads()
    made = []
    for number in (1, 2):
        torch.set_num_threads(number)
        # Products by torch may be summed in another order by more threads; what is compiled, not.
        made.append(learn(by_kernel(words), tables)[:5])
    torch.set_num_threads(threads)
    assert all(map(torch.equal, *made))


def test_what_the_kernel_cannot_take_is_known():
    tables, words = drawn()
    good = Tables(*tables)
    assert usable(good, words)
    assert usable(good, words.int())
    for strange in (
        words.short(),
        words - WORDS,
        words + WORDS,
        words[:0],
        words[:, :0],
        torch.cat([words, words], dim=1),  # more than there are times
        words.to("meta"),
    ):
        assert not usable(good, strange)
    assert not usable(good._replace(turn=tables[2][:, 1:]), words)
    assert not usable(good._replace(turn=tables[2].float()), words)
