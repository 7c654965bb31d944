"""What is counted of a machine is a whole number, and it is named where it is not."""

import pytest

from regard.models import NTM, Recurrent


@pytest.mark.parametrize("name", ["slots", "word_size", "heads", "write_heads", "reach"])
@pytest.mark.parametrize("number", [1.5, True, "2"])
def test_half_a_head_is_named(name, number):
    message = f"NTM needs a whole number for {name}, but {name}={number!r}"
    with pytest.raises(TypeError, match=message):
        NTM(Recurrent(7, 5), output_size=3, **{"slots": 11, "word_size": 3, name: number})
