"""A model that is not yet what it is to become is judged, and neither kept nor given up."""

from trainee import Repeating, curve, run, schedule


class Becoming(Repeating):
    """Ready from its third validation on."""

    @property
    def ready(self):
        return self.validations > 2


def test_what_was_better_before_it_was_ready_does_not_count(tmp_path):
    experiment = Becoming(validation=[0.1, 0.2, 3.0, 2.0, 2.5])
    outcome = run(tmp_path, experiment, schedule(20, patience=2))
    assert (outcome.best, outcome.best_step) == (2.0, 16)
    assert outcome.reason == "the end of the schedule"  # two that were not ready tire no patience
    judged = [line["validation"]["loss"] for line in curve(tmp_path) if "validation" in line]
    assert judged == [0.1, 0.2, 3.0, 2.0, 2.5]
