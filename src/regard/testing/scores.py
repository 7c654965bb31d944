"""What every score must do."""

from dataclasses import dataclass

import torch
from torch import Tensor, vmap

from regard.testing.case import Case, close, gradcheck, numbers

BATCH, QUERY, KEY = 2, 3, 5  # different primes, so that a swapped axis cannot pass


@dataclass(frozen=True)
class ScoreCase(Case):
    """A score and the sizes it was made for."""

    query_size: int = 7
    key_size: int = 7

    def inputs(self, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        """Queries and keys of fitting sizes."""
        query = numbers(BATCH, QUERY, self.query_size, seed=1, dtype=dtype)
        return query, numbers(BATCH, KEY, self.key_size, seed=2, dtype=dtype)


def scores_have_a_row_per_query_and_a_column_per_key(case: ScoreCase) -> None:
    """Shape (*batch, query, key), with any number of leading axes."""
    score, (query, key) = case.part(), case.inputs()
    assert score(query, key).shape == (BATCH, QUERY, KEY)
    assert score(query[0], key[0]).shape == (QUERY, KEY)
    assert score(query[None], key[None]).shape == (1, BATCH, QUERY, KEY)


def preparing_and_comparing_is_scoring(case: ScoreCase) -> None:
    """A decoder that prepares its keys once sees the same scores."""
    score, (query, key) = case.part(), case.inputs()
    prepared = score.prepare(key)
    rows = [score.compare(query[:, i : i + 1], prepared) for i in range(QUERY)]
    close(torch.cat(rows, dim=-2), score(query, key))


def each_pair_is_judged_for_itself(case: ScoreCase) -> None:
    """The score of a pair does not depend on who else is there."""
    score, (query, key) = case.part(), case.inputs()
    scores = score(query, key)
    for i in range(QUERY):
        for j in range(KEY):
            alone = score(query[:, i : i + 1], key[:, j : j + 1])
            close(alone, scores[:, i : i + 1, j : j + 1])


def examples_do_not_touch(case: ScoreCase) -> None:
    """A batch is its examples, one by one."""
    score, (query, key) = case.part(), case.inputs()
    apart = torch.stack([score(q, k) for q, k in zip(query, key, strict=True)])
    close(score(query, key), apart)


def gradients_are_right(case: ScoreCase) -> None:
    """Against differences, in float64."""
    score, (query, key) = case.part(), case.inputs()
    gradcheck(score, query, key)


def nan_stays_in_its_row(case: ScoreCase) -> None:
    """A broken query leaves the other queries alone."""
    score, (query, key) = case.part(), case.inputs()
    broken = query.clone()
    broken[0, 1] = float("nan")
    kept = torch.ones(BATCH, QUERY, dtype=torch.bool)
    kept[0, 1] = False
    close(score(broken, key)[kept], score(query, key)[kept])


def no_keys_no_scores(case: ScoreCase) -> None:
    """An empty key axis is no error."""
    score, (query, key) = case.part(), case.inputs()
    assert score(query, key[:, :0]).shape == (BATCH, QUERY, 0)


def lower_precision_agrees(case: ScoreCase) -> None:
    """float32 and bfloat16 are float64, rounded."""
    exact = case.part()(*case.inputs())
    close(case.part(torch.float32)(*case.inputs(torch.float32)).double(), exact, 1e-5)
    close(case.part(torch.bfloat16)(*case.inputs(torch.bfloat16)).double(), exact, 0.1)


def vmap_maps_it(case: ScoreCase) -> None:
    """torch.vmap over examples gives the batch."""
    score, (query, key) = case.part(), case.inputs()
    close(vmap(score)(query, key), score(query, key))


ScoreCase.guarantees = (
    scores_have_a_row_per_query_and_a_column_per_key,
    preparing_and_comparing_is_scoring,
    each_pair_is_judged_for_itself,
    examples_do_not_touch,
    gradients_are_right,
    nan_stays_in_its_row,
    no_keys_no_scores,
    lower_precision_agrees,
    vmap_maps_it,
)
