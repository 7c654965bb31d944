"""Muon: matrices go the same way far in every direction; all else is changed as by Adam."""

from functools import partial

import pytest
import torch
from test_resuming import assert_same_end, never_stopped, stopped
from torch import nn
from torch.testing import assert_close
from trainee import Repeating, run, schedule

from regard.halting import HaltingUnit
from regard.models import AdaptiveComputation, LongShort
from regard.training import Linear, Muon, Steps
from regard.training.muon import orthogonal


def test_directions_of_any_strength_become_about_as_strong():
    torch.manual_seed(0)
    left, right = (torch.linalg.qr(torch.randn(2, 17, 17)).Q for _ in range(2))
    strengths = torch.logspace(0, -2, 17)  # a hundred times as strong as the weakest
    turned = left.mT @ orthogonal(left @ (strengths.unsqueeze(-1) * right)) @ right.mT
    found = turned.diagonal(dim1=1, dim2=2)
    assert ((found > 0.5) & (found < 1.4)).all()
    assert_close(turned, torch.diag_embed(found), atol=1e-4, rtol=0)  # and no other directions
    assert not orthogonal(torch.zeros(1, 17, 17)).any()


def test_an_iteration_is_the_polynomial_of_the_singular_values_worked_by_hand():
    # 3 / 5 and 4 / 5 of the length: 3.4445 x - 4.775 x^3 + 2.0315 x^5
    found = orthogonal(torch.diag(torch.tensor([3.0, -4.0])).unsqueeze(0), iterations=1)
    assert_close(found[0], torch.diag(torch.tensor([1.1932696, -0.9764819])), atol=1e-5, rtol=0)


def test_each_gate_of_a_recurrent_matrix_is_turned_by_itself():
    torch.manual_seed(0)
    matrix = nn.Parameter(torch.randn(3 * 17, 17))
    before, slope = matrix.detach().clone(), torch.randn(3 * 17, 17)
    slope[17:34] *= 1e4
    optimiser = Muon([matrix], matrix_rate=0.5, momentum=0.75)
    for _ in range(2):  # g + 0.75 g, then g + 0.75 (0.75 g + g): the same direction
        matrix.grad = slope.clone()
        optimiser.step()
    each = torch.cat([orthogonal(part.unsqueeze(0))[0] for part in slope.chunk(3)])
    assert_close(matrix.detach(), before - 2 * 0.5 * each, atol=1e-4, rtol=0)


def test_squares_side_by_side_are_turned_as_their_transpose_is_where_they_are_chosen():
    torch.manual_seed(0)
    slope = torch.randn(17, 3 * 17)
    wide, tall = nn.Parameter(torch.zeros(17, 3 * 17)), nn.Parameter(torch.zeros(3 * 17, 17))
    wide.grad, tall.grad = slope, slope.mT.contiguous()
    Muon([wide, tall], matrix_rate=0.5, matrices=[wide, tall]).step()
    assert bool(wide.any())
    assert_close(wide, tall.mT)


def test_what_is_not_chosen_is_changed_as_by_adam():
    table, square = (nn.Parameter(torch.ones(17, 17)) for _ in range(2))
    groups = Muon([table, square], matrices=[square]).param_groups
    assert [[id(each) for each in group["params"]] for group in groups] == [
        [id(square)],
        [id(table)],
    ]


def test_what_is_not_made_of_squares_cannot_be_chosen():
    odd = nn.Parameter(torch.ones(18, 17))
    with pytest.raises(ValueError, match=r"one of matrices has the shape \(18, 17\)"):
        Muon([odd], matrices=[odd])


def test_momentum_remembers_earlier_gradients():
    slopes = torch.eye(17), torch.eye(17).roll(1, 0)
    matrix = nn.Parameter(torch.zeros(17, 17))
    optimiser = Muon([matrix], matrix_rate=1.0, momentum=0.5)
    for slope in slopes:
        matrix.grad = slope.clone()
        optimiser.step()
    ahead = slopes[1] + 0.5 * (slopes[1] + 0.5 * slopes[0])
    wanted = -orthogonal(slopes[0].unsqueeze(0))[0] - orthogonal(ahead.unsqueeze(0))[0]
    assert_close(matrix.detach(), wanted, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    "shape", [(17,), (3, 17), (17, 3), (17, 34), (18, 17), (2, 17, 17), (17, 1)]
)
def test_all_else_is_changed_as_by_adam(shape):
    torch.manual_seed(0)
    one, two = (nn.Parameter(torch.ones(shape)) for _ in range(2))
    muon, adam = Muon([one], rate=0.1), torch.optim.Adam([two], lr=0.1)
    for _ in range(5):
        one.grad = torch.randn(shape)
        two.grad = one.grad.clone()
        muon.step()
        adam.step()
    assert_close(one, two)


def test_a_parameter_without_a_gradient_is_left_alone():
    square, vector = nn.Parameter(torch.ones(17, 17)), nn.Parameter(torch.ones(3))
    Muon([square, vector]).step()
    assert bool((square == 1).all())
    assert bool((vector == 1).all())


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"rate": 0.0}, "rate must be above 0 and finite, but it is 0.0"),
        ({"matrix_rate": -1.0}, "matrix_rate must be above 0 and finite, but it is -1.0"),
        ({"rate": float("inf")}, "rate must be above 0 and finite, but it is inf"),
        ({"momentum": 1.0}, r"momentum must lie in \[0, 1\), but it is 1.0"),
        ({"betas": (0.9, 2.0)}, r"each of betas must lie in \[0, 1\), but it is 2.0"),
    ],
)
def test_strange_knobs_are_named(knobs, message):
    with pytest.raises(ValueError, match=message):
        Muon([nn.Parameter(torch.ones(17, 17))], **knobs)


def test_no_parameters_are_refused():
    with pytest.raises(ValueError, match="there is no parameter to change"):
        Muon([])


def test_a_state_brings_its_momenta_along():
    square, vector = nn.Parameter(torch.ones(17, 17)), nn.Parameter(torch.ones(3))
    given = Muon([square, vector], momentum=0.5, betas=(0.8, 0.9)).state_dict()
    other = Muon([square, vector])
    other.load_state_dict(given)
    assert other.param_groups[0]["momentum"] == 0.5
    assert other.param_groups[1]["betas"] == (0.8, 0.9)


def test_of_a_network_that_ponders_the_gates_over_its_state_are_turned():
    model = AdaptiveComputation(LongShort(5, 17), HaltingUnit(17), output_size=3)
    optimiser = Muon(model.parameters())
    matrices = {id(each) for each in optimiser.param_groups[0]["params"]}
    assert [name for name, each in model.named_parameters() if id(each) in matrices] == [
        "cell.cell.weight_hh"
    ]


def test_both_rates_fall_as_the_schedule_says(tmp_path):
    experiment, rates = Repeating(dropout=0.0), []

    class Watched(Muon):
        def step(self, closure=None):
            rates.append([group["lr"] for group in self.param_groups])
            return super().step(closure)

    plan = schedule(
        4, optimiser=partial(Watched, rate=0.01, matrix_rate=0.04), rate=Linear(Steps(5))
    )
    run(tmp_path / "run", experiment, plan)
    assert rates == [pytest.approx([0.04 * left, 0.01 * left]) for left in (0.8, 0.6, 0.4, 0.2)]


def test_a_run_that_goes_on_ends_as_one_that_was_never_stopped(tmp_path):
    knobs = {"optimiser": partial(Muon, rate=0.01, matrix_rate=0.03)}
    assert_same_end(never_stopped(tmp_path, **knobs), stopped(tmp_path, **knobs))
