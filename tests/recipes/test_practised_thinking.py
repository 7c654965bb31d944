"""How a network that ponders practises: lessons, what steps cost, shares of a batch."""

import pytest
import torch
from torch.testing import assert_close

from regard.models import Pondered
from regard.recipes.endless import STEPS_TO_AN_EPOCH, Quick
from regard.recipes.pondering.experiment import Pupil, Thinking
from regard.recipes.pondering.systems import Adaptive, Price, SimpleCell
from regard.recipes.pondering.tasks import ParityPractice


def thinking(penalty=0.0, free=0.0, **settings):
    torch.manual_seed(0)
    practice = ParityPractice(numbers=8, first_numbers=2, enough=0.85)
    model = Pupil(Adaptive(SimpleCell(5)).build(practice.task()))
    course = Quick(**{"batch": 3, "steps": 1_000, **settings})
    return Thinking(model, practice, course, Price(penalty, free))


class Knowing(torch.nn.Module):
    """Answers rightly while a vector has no more than so many numbers, and never after that."""

    known = 0

    def __init__(self):
        super().__init__()
        self.register_parameter("somewhere", torch.nn.Parameter(torch.zeros(0)))

    def forward(self, inputs):
        odd = (inputs > 0).sum(dim=-1, keepdim=True) % 2
        strange = inputs[..., self.known :].count_nonzero(dim=-1).unsqueeze(-1) > 0
        ones = torch.ones(inputs.shape[:2])
        return Pondered(10.0 * (2 * (odd != strange) - 1), ones, ones)


def numbers_of(batches):
    return int(batches[7].inputs.count_nonzero(dim=2).max())


def test_lessons_come_as_the_network_knows_enough_and_a_run_that_goes_on_keeps_its_own():
    experiment = thinking(batch=200)
    experiment.model.model = Knowing()
    assert numbers_of(experiment.epoch(1)) == 2  # what it does not know yet
    Knowing.known = 4
    assert numbers_of(experiment.epoch(1)) == 2  # asked for again in the middle of the epoch
    assert numbers_of(experiment.epoch(2)) == 5
    kept = experiment.model.state_dict()
    Knowing.known = 8
    other = thinking(batch=200)
    other.model.model = Knowing()
    other.model.load_state_dict(kept)
    assert torch.equal(other.epoch(2)[3].inputs, experiment.epoch(2)[3].inputs)
    assert numbers_of(other.epoch(2)) == 5
    assert numbers_of(other.epoch(3)) == 8


def test_time_costs_what_the_penalty_says():
    batch = thinking().epoch(1)[0]
    free, dear = thinking().loss(batch), thinking(penalty=0.5).loss(batch)
    ponder = thinking().model(batch.inputs).ponder.sum()
    assert_close(dear.total - free.total, 0.5 * ponder)
    assert dear.count == 3
    assert_close(torch.tensor(free.metrics["nats"]), free.total.detach())


def test_steps_are_free_at_first_and_halting_stays_as_it_was_drawn():
    epochs = 4  # of 250 updates, in the first half of which steps cost nothing
    experiment = thinking(penalty=0.5, free=0.5, steps=epochs * STEPS_TO_AN_EPOCH)
    unit = experiment.model.model.halting.to_probability.weight
    costs, learned = [], []
    for number in range(1, epochs + 1):
        batch = experiment.epoch(number)[0]
        loss = experiment.loss(batch)
        costs.append(loss.total.item() - loss.metrics["nats"])
        unit.grad = None
        loss.total.backward()
        learned.append(bool(unit.grad.any()))
    assert costs[:2] == pytest.approx([0, 0], abs=1e-6)
    assert min(costs[2:]) > 0.5
    assert learned == [False, False, True, True]


def test_a_batch_is_shared_out_by_its_sequences():
    experiment = thinking()
    batch = experiment.epoch(1)[0]
    parts = [experiment.shard(batch, rank, 2) for rank in range(2)]
    assert torch.equal(torch.cat([part.inputs for part in parts]), batch.inputs)
    assert all(torch.equal(part.counts, batch.counts) for part in parts)
    assert experiment.shard(batch, 3, 4) is None
