"""The one loop that trains every recipe."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import ceil
from signal import SIGTERM
from time import perf_counter
from typing import Generic, NamedTuple

import torch

from regard.training import randomness
from regard.training.allocation import keep_memory
from regard.training.crew import Crew
from regard.training.display import Display
from regard.training.environment import changes
from regard.training.experiment import Batch, Experiment, check
from regard.training.holding import held
from regard.training.interruption import Interrupted, Interruption
from regard.training.journal import Journal, MetricsFile
from regard.training.keeping import Keeper
from regard.training.moments import Epochs, Moment
from regard.training.progress import Progress, Taken
from regard.training.run_folder import RunFolder
from regard.training.schedule import Schedule
from regard.training.update import NotFiniteError, Updater


class SavingError(OSError):
    """The disk would not take what was to be saved. What was saved before is whole."""


class Outcome(NamedTuple):
    """How a run ended."""

    step: int
    epochs: float
    seconds: float
    best: float | None  # the validation number that the kept model was picked by
    best_step: int
    reason: str
    judged_by: str = "validation"  # what the number of the kept model is


def train(
    experiment: Experiment[Batch],
    schedule: Schedule,
    folder: RunFolder,
    *,
    journals: Sequence[Journal] = (),
    resume_with: str = "the same call again",
) -> Outcome:
    """Train to the end of the schedule, from where the run folder stands.

    A fresh folder begins a run; one that was stopped or killed goes on, bit for bit as if nothing
    had happened. Afterwards the model in memory has the last weights, and
    ``folder.load_model(model)`` gives it the best. Ctrl-C and SIGTERM save and raise
    ``Interrupted``, whose message names ``resume_with`` as the way to go on.
    """
    keep_memory()
    crew = Crew.present()
    with ExitStack() as stack:
        if crew.rank == 0:
            stack.enter_context(held(folder.path))
        run = _Run(experiment, schedule, folder, crew, resume_with)
        run.begin([MetricsFile(), *journals] if crew.rank == 0 else [], stack)
        with Interruption() as interruption:
            while not run.progress.finished:
                run.epoch(interruption)
        return run.outcome()


class _Run(Generic[Batch]):
    """A run under way."""

    def __init__(
        self,
        experiment: Experiment[Batch],
        schedule: Schedule,
        folder: RunFolder,
        crew: Crew,
        resume_with: str,
    ) -> None:
        check(experiment)
        self.experiment = experiment
        self.schedule = schedule
        self.folder = folder
        self.crew = crew
        self.resume_with = resume_with
        self.updater = Updater(experiment, schedule.descent, crew)
        self.keeper = Keeper(self.updater, folder)
        self._made: tuple[int, Sequence[Batch]] = (0, ())  # the batches of which epoch

    def begin(self, journals: list[Journal], stack: ExitStack) -> None:
        """Start afresh, or where the last checkpoint is."""
        randomness.seed(self.schedule.seed, self.crew.rank)
        restored = self.keeper.restore()
        self.progress = Progress() if restored is None else restored
        self.updater.wrap()
        self.journals = journals
        for journal in journals:
            journal.begin(self.folder.path, self.progress.step)
            stack.callback(journal.close)
        self.display = Display(self._steps(), self.progress.step, shown=self.crew.rank == 0)
        stack.callback(self.display.close)
        for note in self.keeper.notes:
            self.display.say(note)
        self.clock = perf_counter()
        if restored is None:
            if self.crew.rank == 0:
                self.folder.begin()
            self._save()
        elif not restored.finished:
            self.display.say(f"going on after step {restored.step}")
            for change in changes(self.folder.environment):
                self.display.say(f"{change}: the last bits of the results may differ")
            if self.crew.rank == 0:
                self.folder.go_on()

    def epoch(self, interruption: Interruption) -> None:
        """Train on what is left of an epoch, or until the run is to end."""
        progress, accumulate = self.progress, self.schedule.descent.accumulate
        number, batches = progress.epoch, self._batches()
        self.experiment.model.train()
        while progress.epoch == number and not progress.finished:
            before, first = progress.moment, progress.position
            last = min(first + accumulate, len(batches))
            try:
                taken = self.updater([batches[index] for index in range(first, last)], before)
            except NotFiniteError as problem:
                raise self._explain(problem, first, last, len(batches)) from problem
            progress.count(taken, last - first, len(batches))
            self._after(before, taken, interruption)

    def outcome(self) -> Outcome:
        """How the run ended."""
        now = self.progress
        return Outcome(now.step, now.epochs, now.seconds, now.best, now.best_step, now.finished)

    def _after(self, before: Moment, taken: Taken, interruption: Interruption) -> None:
        """Whatever is due after an update."""
        schedule, progress = self.schedule, self.progress
        self._tick()
        now = progress.moment
        self.display.step(progress, taken.total / taken.count)
        ended = schedule.until.reached(now)
        if ended or schedule.measure.crossed(before, now):
            self._measure(taken)
        if ended or schedule.validate.crossed(before, now):
            self._validate()
            progress.finished = schedule.reason_to_end(
                progress, higher_is_better=self.experiment.higher_is_better
            )
        due_here = self.crew.rank == 0 and schedule.save.crossed(before, now)  # by one clock only
        stop, due = self.crew.sum(float(interruption.heard is not None), float(due_here))
        if stop or due or progress.finished:
            self._save()
        if stop and not progress.finished:
            raise Interrupted(
                f"stopped by {interruption.name} after step {progress.step}, which is saved; "
                f"go on with {self.resume_with}",
                interruption.heard or SIGTERM,
            )

    def _measure(self, taken: Taken) -> None:
        means, self.progress.window = self.progress.window.means(), type(self.progress.window)()
        loss = means.pop("loss")
        self._note(
            {
                "loss": loss,
                "learning_rate": taken.rate,
                "gradient_norm": taken.gradient_norm,
                **means,
            }
        )

    def _validate(self) -> None:
        """Judge the model; the best so far is kept before any checkpoint says so."""
        with self.updater.kept.shown():
            self._judge_and_keep()

    def _judge_and_keep(self) -> None:
        experiment, progress = self.experiment, self.progress
        numbers = json.loads(self.crew.lead(self._judge))
        best = experiment.ready and progress.judge(
            numbers[experiment.selected_by], higher_is_better=experiment.higher_is_better
        )
        progress.validated = progress.step
        self._tick()
        self._note({"validation": numbers})
        shown = ", ".join(f"{name} {value:.4g}" for name, value in numbers.items())
        self.display.say(
            f"step {progress.step}, epoch {progress.epochs:.2f}: {shown}{' (best)' if best else ''}"
        )
        if self.crew.rank == 0 and (best or not self.folder.model.exists()):
            with self._saving():
                self.folder.save_model(experiment.model)

    def _judge(self) -> bytes:
        experiment = self.experiment
        experiment.model.eval()
        with torch.no_grad(), randomness.set_aside(self.keeper.device):
            numbers = {name: float(value) for name, value in experiment.validate().items()}
        experiment.model.train()
        if experiment.selected_by not in numbers:
            raise ValueError(
                f"models are selected by {experiment.selected_by!r}, but validate() gives "
                f"{sorted(numbers) or 'nothing'}"
            )
        return json.dumps(numbers).encode()

    def _note(self, numbers: dict[str, object]) -> None:
        progress = self.progress
        line = {
            "step": progress.step,
            "epoch": round(progress.epochs, 4),
            **numbers,
            "seconds": round(progress.seconds, 3),
        }
        with self._saving():
            for journal in self.journals:
                journal.add(line)

    def _save(self) -> None:
        try:
            with self._saving():
                for journal in self.journals:
                    journal.settle()
                self.keeper.save(self.progress)
        except NotFiniteError as problem:
            raise NotFiniteError(
                f"{problem} after step {self.progress.step}, so it is not saved; "
                f"{self.keeper.last_good}"
            ) from problem

    @contextmanager
    def _saving(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SavingError(
                error.errno,
                f"step {self.progress.step} could not be saved ({error.strerror or error}); "
                f"{self.keeper.last_good}. Make room, then go on with {self.resume_with}",
            ) from error

    def _explain(
        self, problem: NotFiniteError, first: int, last: int, length: int
    ) -> NotFiniteError:
        which = f"batch {first}" if last - first == 1 else f"batches {first} to {last - 1}"
        return NotFiniteError(
            f"{problem} at step {self.progress.step + 1}, {which} (from 0) of the {length} of "
            f"epoch {self.progress.epoch}; the weights were not changed by it, and "
            f"{self.keeper.last_good}. Going on would meet the same again: try a lower learning "
            "rate, clipping, or look at that batch"
        )

    def _batches(self) -> Sequence[Batch]:
        number, batches = self._made
        if number != self.progress.epoch:
            batches = self.experiment.epoch(self.progress.epoch)
            self._made = (self.progress.epoch, batches)
        if not len(batches):
            raise ValueError(f"epoch {self.progress.epoch} has no batches; is the data empty?")
        if self.progress.position >= len(batches):
            raise ValueError(
                f"epoch {self.progress.epoch} has {len(batches)} batches, but the run stopped "
                f"after {self.progress.position} of them; an epoch must be the same whenever it "
                "is asked for, so go on with the data and the knobs that the run began with"
            )
        return batches

    def _steps(self) -> int:
        """How many steps there will be, as far as the epoch under way tells."""
        until = self.schedule.until
        if self.progress.finished:
            return self.progress.step
        if not isinstance(until, Epochs):
            return int(until.count)
        return ceil(until.count * ceil(len(self._batches()) / self.schedule.descent.accumulate))

    def _tick(self) -> None:
        now = perf_counter()
        self.progress.seconds += now - self.clock
        self.clock = now
