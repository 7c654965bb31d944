"""Whether looks are taught where to look, as a knob."""

from dataclasses import dataclass

from regard.recipes.knobs import NOT_NEGATIVE, knob


@dataclass(frozen=True)
class Guiding:
    """Whether looks are taught, where it is known what they should see."""

    guidance: float = knob(
        0.0, "weight of the true places in the loss; 0 leaves looks alone", NOT_NEGATIVE
    )


UNGUIDED = Guiding()
