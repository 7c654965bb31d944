"""The tasks to be pondered: what is asked, what is right, and how hard it can be."""

import pytest
import torch
from torch import Generator, tensor
from torch.testing import assert_close

from regard.tasks.pondering import GATES, Addition, Logic, Parity, SortNumbers
from regard.tasks.pondering.logic import answers
from regard.tasks.pondering.parity import pose as pose_vectors
from regard.tasks.pondering.sorting import pose as pose_numbers

TASKS = [Parity(), Logic(), Addition(), SortNumbers()]
every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)


def seeded(seed=0):
    return Generator().manual_seed(seed)


@every_task
def test_a_batch_has_the_sizes_of_its_task_and_repeats_with_its_seed(task):
    posed, again, other = (task.draw(3, seeded(seed)) for seed in (0, 0, 1))
    assert posed.inputs.shape[::2] == (3, task.input_size)
    assert posed.inputs.shape[:2] == posed.targets.shape[:2] == (3, len(posed.counts))
    assert not posed.targets[:, ~posed.counts].any()
    choices = task.choices(torch.randn(3, len(posed.counts), task.output_size))
    assert choices.shape[:3] == posed.targets.shape
    assert int(posed.targets.max()) < choices.shape[3]
    assert torch.equal(posed.inputs, again.inputs)
    assert posed.inputs.shape != other.inputs.shape or not torch.equal(posed.inputs, other.inputs)


@every_task
def test_nothing_is_harder_than_it_can_be(task):
    with pytest.raises(ValueError, match="drawn with a difficulty of"):
        task.draw_hard(task.difficulties[-1] + 1, 2, seeded())


def test_the_sizes_are_the_papers():
    sizes = [(task.input_size, task.output_size) for task in TASKS]
    assert sizes == [(64, 1), (102, 1), (50, 66), (2, 15)]


def test_a_yes_is_as_likely_as_the_sigmoid_says():
    outputs = torch.randn(2, 3, 1)
    likely = Parity().choices(outputs).softmax(dim=-1)
    assert_close(likely[..., 0, 1], outputs[..., 0].sigmoid())


def test_parity_counts_the_ones_and_not_the_minus_ones():
    vectors = tensor([[1.0, -1, 0, 1], [1, 0, -1, -1], [0, 0, 0, -1]])  # two, one, none
    assert pose_vectors(vectors).targets.flatten().tolist() == [0, 1, 0]


def test_parity_is_true_of_what_is_drawn():
    posed = Parity().draw(300, seeded())
    vectors = posed.inputs[:, 0]
    assert set(vectors.unique().tolist()) == {-1, 0, 1}
    bits = vectors.count_nonzero(dim=1)
    assert (int(bits.min()), int(bits.max())) == (1, 64)
    for vector, odd in zip(vectors.tolist(), posed.targets.flatten().tolist(), strict=True):
        assert odd == vector.count(1.0) % 2


def test_the_difficulty_of_parity_is_the_bits_and_they_stand_anywhere():
    posed = Parity().draw_hard(5, 500, seeded())
    assert posed.inputs.count_nonzero(dim=2).unique().tolist() == [5]
    often = (posed.inputs != 0).float().mean(dim=(0, 1))
    assert_close(often, torch.full((64,), 5 / 64), atol=0.06, rtol=0)


def test_beyond_its_places_a_vector_is_zero():
    posed = Parity(64, (1, 5), places=7).draw(500, seeded())
    assert posed.inputs.shape == (500, 1, 64)
    used = posed.inputs.abs().sum(dim=(0, 1))
    assert (used[:7] > 0).all()
    assert (used[7:] == 0).all()
    assert set(posed.inputs.count_nonzero(dim=2).flatten().tolist()) == {1, 2, 3, 4, 5}


def test_gates_are_what_their_names_say():
    told = {
        "NOR": lambda p, q: not (p or q),
        "Xq": lambda p, q: not p and q,
        "ABJ": lambda p, q: p and not q,
        "XOR": lambda p, q: p != q,
        "NAND": lambda p, q: not (p and q),
        "AND": lambda p, q: p and q,
        "XNOR": lambda p, q: p == q,
        "if/then": lambda p, q: q if p else True,
        "then/if": lambda p, q: p if q else True,
        "OR": lambda p, q: p or q,
    }
    assert list(told) == list(GATES)
    for name, table in GATES.items():
        columns = [(True, True), (True, False), (False, True), (False, False)]
        assert "".join("T" if told[name](p, q) else "F" for p, q in columns) == table


def test_a_sequence_of_gates_worked_by_hand():
    # b0 b1 = 0 1; Xq(1, 0) = F: b2 = 0; OR(0, 1) = T: b3 = 1, the first target.
    # Then b0 = 1 from before, b1 = 0; if/then(0, 1) = T: b2 = 1, the second.
    names = list(GATES)
    bits = tensor([[[0, 1], [0, 0]]])
    gates = tensor([[[names.index("Xq"), names.index("OR")], [names.index("if/then"), 0]]])
    used = tensor([[[True, True], [True, False]]])
    assert answers(bits, gates, used).tolist() == [[1, 1]]
    # ABJ(1, 0) = T, ABJ(1, 1) = F: which operand is which shows in the gates that are not even.
    abj = tensor([[[names.index("ABJ"), names.index("ABJ")]]])
    assert answers(bits[:, :1], abj, used[:, :1]).tolist() == [[0]]


def test_logic_is_true_of_what_is_drawn():
    posed = Logic().draw_hard(7, 20, seeded())
    names = list(GATES)
    assert posed.inputs.shape == (20, 5, 102)
    assert not posed.inputs[:, 1:, 0].any()
    for rows, right in zip(posed.inputs.int().tolist(), posed.targets[..., 0], strict=True):
        carried = rows[0][0]
        for row, target in zip(rows, right.tolist(), strict=True):
            before, now = carried, row[1]
            chunks = [row[2 + 10 * place : 12 + 10 * place] for place in range(10)]
            assert [sum(chunk) for chunk in chunks] == [1] * 7 + [0] * 3
            for chunk in chunks[:7]:
                table = GATES[names[chunk.index(1)]]
                column = [(1, 1), (1, 0), (0, 1), (0, 0)].index((now, before))
                before, now = now, int(table[column] == "T")
            assert now == target
            carried = now


def test_sums_worked_by_hand():
    # 07 and 5 and 93: 7, 12, 105
    task = Addition((1, 3), (1, 2))
    posed = task.pose(tensor([[[0, 7], [5, 0], [9, 3]]]), tensor([[2, 1, 2]]))
    assert task.places == 3  # 3 * 99 = 297
    assert posed.counts.tolist() == [False, True, True]
    assert posed.targets.tolist() == [[[0, 0, 0], [1, 2, 10], [1, 0, 5]]]
    assert posed.inputs[0, 0].nonzero().flatten().tolist() == [0, 17]
    assert posed.inputs[0, 1].nonzero().flatten().tolist() == [5]


def test_the_first_number_may_be_asked_for_too():
    digits, lengths = tensor([[[0, 7], [5, 0]]]), tensor([[2, 1]])
    posed = Addition((1, 3), (1, 2), asked_from=1).pose(digits, lengths)
    assert posed.counts.tolist() == [True, True]
    assert posed.targets.tolist() == [[[7, 10, 10], [1, 2, 10]]]


def test_addition_is_true_of_what_is_drawn():
    posed = Addition().draw_hard(4, 30, seeded())
    assert posed.inputs.shape == (30, 3, 50)
    for rows, right in zip(posed.inputs.tolist(), posed.targets.tolist(), strict=True):
        total = 0
        for number, (row, target) in enumerate(zip(rows, right, strict=True)):
            assert sum(row) == 4
            total += int("".join(str(row[10 * p : 10 * p + 10].index(1)) for p in range(4)))
            if number:
                said = "".join(str(digit) for digit in target if digit != 10)
                assert said == str(total)
                assert target == [*map(int, str(total)), *[10] * (6 - len(str(total)))]


def test_the_largest_sum_has_its_place():
    task = Addition()
    posed = task.pose(torch.full((1, 5, 5), 9), torch.full((1, 5), 5))
    assert posed.targets[0, -1].tolist() == [4, 9, 9, 9, 9, 5]


def test_a_sum_of_nothing_is_a_zero():
    posed = Addition().pose(torch.zeros(1, 2, 5, dtype=torch.long), torch.full((1, 2), 3))
    assert posed.targets[0, 1].tolist() == [0, 10, 10, 10, 10, 10]


def test_sorting_says_places_in_ascending_order_after_the_flag():
    posed = pose_numbers(tensor([[0.5, -1.0, 2.0]]))
    assert posed.inputs.tolist() == [[[0.5, 0], [-1, 0], [2, 1], [0, 0], [0, 0], [0, 0]]]
    assert posed.targets[0, :, 0].tolist() == [0, 0, 0, 1, 0, 2]
    assert posed.counts.tolist() == [False] * 3 + [True] * 3


def test_sorting_draws_every_length_of_its_range():
    generator = seeded()
    lengths = {SortNumbers((2, 5)).draw(1, generator).inputs.shape[1] // 2 for _ in range(100)}
    assert lengths == {2, 3, 4, 5}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Parity(8, (0, 8)), "bits must be 1 or more"),
        (lambda: Parity(8, (1, 5), 9), "there are 9 of 8"),
        (
            lambda: Parity(8, (1, 9)),
            "9 bits need as many places",
        ),
        (lambda: Logic(gates=(3, 2)), "3 to 2"),
        (lambda: Addition(digits=(0, 2)), "digits must be 1 or more"),
        (lambda: SortNumbers((3, 2)), "3 to 2"),
    ],
)
def test_sizes_that_cannot_be_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Logic((1, 2), (1, 5), places=4), "5 gates want as many places, but places=4"),
        (lambda: Addition((1, 2), (1, 5), width=4), "5 digits want as many places, but width=4"),
        (lambda: SortNumbers((2, 5), places=4), "5 numbers want as many places, but places=4"),
    ],
)
def test_a_task_does_not_outgrow_its_places(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_sums_beyond_what_can_be_counted_are_refused():
    longest = Addition((1, 5), (18, 18))
    nines = torch.full((1, 5, 18), 9)
    posed = longest.pose(nines, torch.full((1, 5), 18))
    said = "".join(str(digit) for digit in posed.targets[0, -1].tolist() if digit < 10)
    assert said == str(5 * (10**18 - 1))
    with pytest.raises(ValueError, match=r"5 numbers of 19 digits may come to .*; take up to 18"):
        Addition((1, 5), (1, 19))
