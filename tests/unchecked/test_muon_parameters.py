"""What is no parameter is named by Muon, not by what it lacks."""

import pytest
import torch
from torch import nn

from regard.training import Muon


@pytest.mark.parametrize("wrong", [{"params": []}, ("weight", nn.Parameter(torch.ones(2)))])
def test_groups_and_named_parameters_are_refused(wrong):
    with pytest.raises(TypeError, match=f"one of them is a {type(wrong).__name__}: it finds its"):
        Muon([wrong])
