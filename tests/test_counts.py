"""What is counted is a whole number of one or more, wherever a part or a model is made."""

import pytest

from regard.halting import FixedSteps, HaltingUnit
from regard.models import (
    NTM,
    AdaptiveComputation,
    Elman,
    FeedForward,
    Gated,
    LongShort,
    PlainLSTM,
    Recurrent,
)

TOO_FEW = {
    "given_size": [FeedForward, Recurrent, Elman, Gated, LongShort],
    "size": [FeedForward, Recurrent, Elman, Gated, LongShort],
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for name, kinds in TOO_FEW.items() for kind in kinds]
)
def test_a_unit_of_nothing_is_refused(kind, name):
    message = f"{kind.__name__}: {name} must be 1 or more, but {name}=0"
    with pytest.raises(ValueError, match=message):
        kind(**{"given_size": 5, "size": 3, name: 0})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HaltingUnit(0), "HaltingUnit: size must be 1 or more, but size=0"),
        (lambda: FixedSteps(-1), "FixedSteps: steps must be 1 or more, but steps=-1"),
        (
            lambda: PlainLSTM(input_size=3, output_size=2, size=5, layers=0),
            "PlainLSTM: layers must be 1 or more, but layers=0",
        ),
        (
            lambda: NTM(Recurrent(24, 6), output_size=0),
            "NTM: output_size must be 1 or more, but output_size=0",
        ),
        (
            lambda: AdaptiveComputation(Elman(5, 3), HaltingUnit(3), output_size=0),
            "AdaptiveComputation: output_size must be 1 or more, but output_size=0",
        ),
    ],
)
def test_nothing_at_all_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
