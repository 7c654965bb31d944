"""How networks practise: which optimiser, at which rates, and when these fall."""

import torch
from torch import nn

from regard.recipes import RECIPES, turn, values_of
from regard.recipes.endless import Turning
from regard.training import Moment, Muon


def moment(step):
    return Moment(step=step, epochs=0.0, seconds=0.0, setbacks=0)


def test_a_turning_course_has_a_rate_for_recurrent_matrices_and_one_for_all_else():
    descent = Turning(steps=10, rate=0.002, matrix_rate=0.05, clip=3.0).descent()
    square, vector = nn.Parameter(torch.zeros(17, 17)), nn.Parameter(torch.zeros(17))
    optimiser = descent.optimiser([vector, square])
    assert isinstance(optimiser, Muon)
    told = [(group["lr"], group["params"]) for group in optimiser.param_groups]
    assert [(rate, len(params)) for rate, params in told] == [(0.05, 1), (0.002, 1)]
    assert told[0][1][0] is square
    assert descent.clip == 3.0
    assert [descent.rate(moment(step)) for step in (0, 5, 10)] == [1.0, 0.5, 0.0]


def test_sorting_is_practised_so_with_halting_and_without():
    for name in ("act-sort", "lstm-sort-numbers"):
        recipe = RECIPES[name]
        assert isinstance(recipe.course, Turning)
        turned = turn(recipe, {"matrix_rate": 0.5})
        assert values_of(turned)["matrix_rate"] == 0.5
        cell = recipe.system.cell.build(3)
        groups = recipe.course.descent().optimiser(list(cell.parameters())).param_groups
        assert [tuple(each.shape) for each in groups[0]["params"]] == [(1024, 256)]
