"""Pixels as the encoders of images take them."""

from jaxtyping import Float
from torch import Tensor


def check_brightness(images: Float[Tensor, "batch colour height width"]) -> None:
    """Raise where pixels are not those of a file, 0 to 255, but scaled or normalised."""
    if not images.numel():
        return
    lowest, highest = images.min().item(), images.max().item()
    if not (lowest >= 0 and 1 < highest <= 255) and (lowest, highest) != (0, 0):
        raise ValueError(
            f"pixels must go from 0 to 255, but these go from {lowest:.4g} to {highest:.4g}; "
            "give them as they are in the file, not scaled to 0..1 nor normalised"
        )
