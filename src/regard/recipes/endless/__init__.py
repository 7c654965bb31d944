"""What recipes have in common whose tasks are drawn without end: a course, an experiment, a recipe.

``algorithms`` and ``pondering`` add what differs: the model, its loss, what is measured of it.
"""

from regard.recipes.endless.course import STEPS_TO_AN_EPOCH, Practising, Quick, Turning
from regard.recipes.endless.recipe import Endless, as_number

__all__ = ["STEPS_TO_AN_EPOCH", "Endless", "Practising", "Quick", "Turning", "as_number"]
