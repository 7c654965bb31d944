"""What every blend must do."""

from dataclasses import dataclass

from torch import Tensor, vmap

from regard.testing.case import Case, close, gradcheck, numbers

BATCH, KEY, SIZE = 2, 5, 7


@dataclass(frozen=True)
class BlendCase(Case):
    """A blend, and how many queries it takes."""

    queries: int = 3

    def inputs(self) -> tuple[Tensor, Tensor]:
        """Weights and values."""
        weights = numbers(BATCH, self.queries, KEY, seed=1).softmax(dim=-1)
        return weights, numbers(BATCH, KEY, SIZE, seed=2)


def zero_weights_give_a_zero_context(case: BlendCase) -> None:
    """Who sees nothing gets nothing."""
    weights, value = case.inputs()
    assert not case.part()(weights * 0, value).any()


def values_without_weight_do_not_matter(case: BlendCase) -> None:
    """Whatever the value of a key of weight zero is, the context that uses it stays."""
    weights, value = case.inputs()
    weights[..., 2] = 0
    changed = value.clone()
    changed[:, 2] = 1e6
    close(case.part()(weights, changed), case.part()(weights, value))


def examples_do_not_touch(case: BlendCase) -> None:
    """A batch is its examples, one by one."""
    blend, (weights, value) = case.part(), case.inputs()
    for i in range(BATCH):
        close(blend(weights[i], value[i]), blend(weights, value)[i])


def gradients_are_right(case: BlendCase) -> None:
    """Against differences, in float64."""
    gradcheck(case.part(), *case.inputs())


def vmap_maps_it(case: BlendCase) -> None:
    """torch.vmap over examples gives the batch."""
    blend, inputs = case.part(), case.inputs()
    close(vmap(blend)(*inputs), blend(*inputs))


BlendCase.guarantees = (
    zero_weights_give_a_zero_context,
    values_without_weight_do_not_matter,
    examples_do_not_touch,
    gradients_are_right,
    vmap_maps_it,
)
