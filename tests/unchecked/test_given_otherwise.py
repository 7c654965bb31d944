"""What is given in another shape or type than asked for, where no types are checked."""

import pytest
import torch

import regard
from regard.models import ConvolutionalGrid


@pytest.mark.parametrize(
    ("shape", "sizes"), [((3, 16, 24), 1), ((3, 16, 24), 3), ((2, 1, 16, 24), 2), ((2, 3, 9, 9), 3)]
)
def test_an_encoder_is_given_a_batch_and_as_many_sizes(shape, sizes):
    encoder, several = ConvolutionalGrid(8).eval(), torch.tensor([[9, 9]] * sizes)
    with pytest.raises(ValueError, match=f"width\\) and a size for each.* and {sizes} sizes"):
        encoder(torch.zeros(shape), several)
    assert encoder(torch.zeros(sizes, 3, 9, 9), several).annotations.shape == (sizes, 4, 8)


@pytest.mark.parametrize("given", [["시청 으로 가자"], 5])
def test_a_model_asked_for_several_sentences_at_once_says_how(given):
    kind = type(given).__name__
    with pytest.raises(TypeError, match=f"it is a {kind}; many sentences go through lines"):
        regard.load("rnnsearch-directions")(given)
