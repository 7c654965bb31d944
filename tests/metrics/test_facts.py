"""Hops against the sentences that lead to the answer, counted by hand."""

import pytest
import torch

from regard.metrics import facts_found, facts_looked_at, facts_preferred

WEIGHTS = torch.tensor(
    [
        [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]],  # looks at 0, 2, 0
        [[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.1, 0.8, 0.1]],  # at 1 alone
        [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
    ]
)
FACTS = torch.tensor([[True, False, False], [False, True, True], [False, False, False]])


def test_hops_on_facts_are_counted_over_hops_and_questions_with_facts():
    assert facts_looked_at(WEIGHTS, FACTS) == pytest.approx((2 / 3 + 1) / 2)


def test_facts_are_found_by_the_largest_weight_of_some_hop():
    assert facts_found(WEIGHTS, FACTS) == pytest.approx((1 + 1 / 2) / 2)


def test_a_hop_that_leaves_most_of_its_weight_to_nothing_is_a_miss_where_that_counts():
    faint = WEIGHTS.clone()
    faint[0, 0] *= 0.5  # 0.35 on the fact, half of all on none
    faint[1, 2] *= 0.6  # 0.48 on a fact, 0.4 on none
    assert facts_preferred(faint, FACTS) == pytest.approx((1 / 3 + 1) / 2)
    assert facts_looked_at(faint, FACTS) == facts_looked_at(WEIGHTS, FACTS)
    assert facts_preferred(WEIGHTS, FACTS) == facts_looked_at(WEIGHTS, FACTS)


@pytest.mark.parametrize("metric", [facts_looked_at, facts_found, facts_preferred])
def test_without_any_fact_there_is_no_number(metric):
    with pytest.raises(ValueError, match="none of the 3 questions has a supporting fact"):
        metric(WEIGHTS, torch.zeros_like(FACTS))
