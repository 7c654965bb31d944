"""Training: the one loop of all recipes, its run folder, its checkpoints.

A recipe makes an ``Experiment`` (model, batches, loss, validation), a ``Schedule`` and a
``RunFolder``; ``train`` does the rest, goes on where a run was stopped, and shares the work where a
process group is up.
"""

from regard.parameters import load_weights
from regard.training.averaging import Averaged, Kept, Latest
from regard.training.checkpoints import CheckpointError
from regard.training.experiment import Experiment, Loss
from regard.training.interruption import Interrupted
from regard.training.journal import Journal, MetricsFile, TensorBoard
from regard.training.loop import Outcome, SavingError, train
from regard.training.moments import Epochs, Moment, Seconds, Steps
from regard.training.muon import Muon
from regard.training.rates import Constant, Halving, InverseRoot, Linear, Plateau, Rate
from regard.training.run_folder import RunFolder
from regard.training.schedule import Descent, Schedule
from regard.training.threads import Threads, choose_threads
from regard.training.update import NotFiniteError

__all__ = [
    "Averaged",
    "CheckpointError",
    "Constant",
    "Descent",
    "Epochs",
    "Experiment",
    "Halving",
    "Interrupted",
    "InverseRoot",
    "Journal",
    "Kept",
    "Latest",
    "Linear",
    "Loss",
    "MetricsFile",
    "Moment",
    "Muon",
    "NotFiniteError",
    "Outcome",
    "Plateau",
    "Rate",
    "RunFolder",
    "SavingError",
    "Schedule",
    "Seconds",
    "Steps",
    "TensorBoard",
    "Threads",
    "choose_threads",
    "load_weights",
    "train",
]
