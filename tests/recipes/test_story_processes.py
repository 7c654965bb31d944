"""Restarts side by side: as many as there are processes, and none that waits."""

from concurrent.futures import Future
from contextlib import contextmanager
from types import SimpleNamespace

from regard.recipes.stories import teaching


def test_no_restart_waits_in_the_pool_where_it_would_begin_after_a_stop(monkeypatch):
    submitted, waited = [], []

    class Pool:
        def submit(self, work, trial):
            assert work is teaching.attempt
            submitted.append(Future())
            unfinished = [each for each in submitted if not each.done()]
            waited.append(len(unfinished) - 2)
            return submitted[-1]

    @contextmanager
    def workers(processes):
        assert processes == 2
        yield Pool()

    def first_ends(under_way, **_):
        first = next(iter(under_way))
        first.set_result(f"grade of {under_way[first][1]}")
        return {first}, set(under_way) - {first}

    monkeypatch.setattr(teaching, "_workers", workers)
    monkeypatch.setattr(teaching, "wait", first_ends)
    trials = ((f"task {seed}", SimpleNamespace(seed=seed)) for seed in range(5))
    ended = list(teaching.teach(trials, 2, "the same again"))
    assert ended == [(f"task {seed}", seed, f"grade of {seed}") for seed in range(5)]
    assert max(waited) == 0
