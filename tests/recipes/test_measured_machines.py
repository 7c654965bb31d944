"""What is measured of machines: beside the best guesses, and on tapes that are too small."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.models import NTM, Recurrent
from regard.recipes.algorithms.measuring import measure
from regard.recipes.algorithms.tasks import Copying, Foretelling
from regard.recipes.endless.seeds import TESTING
from regard.tasks.algorithms import NGrams, best_bits, best_guesses

COUNT, LENGTH = 12, 30


class Answerer(nn.Module):
    """Something that has a parameter, as every model has."""

    def __init__(self):
        super().__init__()
        self.place = nn.Parameter(torch.zeros(1))


class Clueless(Answerer):
    def forward(self, inputs):
        return torch.zeros_like(inputs)


class BestGuesser(Answerer):
    """The optimal estimator, from inputs that are the bits one step late."""

    def forward(self, inputs):
        bits = torch.cat([inputs[:, 1:, 0], torch.zeros(len(inputs), 1)], dim=1)
        return best_guesses(bits).logit().unsqueeze(-1)


def numbers(model, practice, together=4):
    found = measure(model, practice, COUNT, together)
    return {each.metric: each for each in found}


def test_the_best_guesser_is_no_bit_above_the_best_guess():
    found = numbers(BestGuesser(), Foretelling(length=LENGTH))
    above = found["bits above the best guess"]
    assert abs(above.value) < 1e-4
    assert "standard error 0.000" in above.note
    assert found["bits per sequence"].value == pytest.approx(found["bits of the best guess"].value)


def test_the_difference_is_that_on_the_same_sequences():
    found = numbers(Clueless(), Foretelling(length=LENGTH), together=COUNT)
    bits = NGrams(LENGTH).draw(COUNT, torch.Generator().manual_seed(TESTING)).targets[..., 0]
    above = LENGTH - best_bits(bits)
    expected = {
        "bits per sequence": float(LENGTH),
        "bits of the best guess": float(best_bits(bits).mean()),
        "bits above the best guess": float(above.mean()),
    }
    assert {metric: found[metric].value for metric in expected} == pytest.approx(expected, rel=1e-5)
    error = float(above.std()) / COUNT**0.5
    assert found["bits above the best guess"].note.endswith(f"standard error {error:.3f}")


def test_the_best_bits_are_worked_by_hand():
    # Chances of a one by the counts so far: 1/2, 1/2, 1/2, 3/4, 1/4: right by 1/2 1/2 1/2 3/4 3/4.
    bits = torch.tensor([[0.0, 1, 0, 1, 0]])
    assert_close(best_bits(bits, context=1), 3 - 2 * torch.tensor([0.75]).log2())


def test_other_tasks_have_no_best_guess():
    class Echo(Answerer):
        def forward(self, inputs):
            return torch.zeros(*inputs.shape[:2], 8)

    assert set(numbers(Echo(), Copying(), together=COUNT)) == {"bits per sequence", "wrong bits"}


def test_a_test_that_is_too_long_for_the_tape_is_named():
    machine = NTM(Recurrent(9 + 3, 5), output_size=8, slots=40, word_size=3)
    with pytest.warns(UserWarning, match="have to be remembered") as said:
        measure(machine, Copying(), 2, 2)
    assert [str(each.message) for each in said] == [
        f"length {length}: {length} vectors have to be remembered, but the tape has 40 slots"
        for length in (120, 50)
    ]
