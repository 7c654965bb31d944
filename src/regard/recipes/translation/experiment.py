"""A translator and its pairs, as the loop sees them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from torch import Tensor

from regard.metrics import bleu, exact
from regard.models import Translator, greedy
from regard.recipes.translation.interpreter import Interpreter
from regard.recipes.translation.lessons import Lesson
from regard.tasks import Pair, epoch_batches
from regard.training import Experiment, Loss

Sentences = Sequence[Sequence[str]]


class Judge(NamedTuple):
    """The number that a validation set is judged by; higher is better."""

    name: str
    score: Callable[[Sentences, Sentences], float]


BY_BLEU = Judge(
    "BLEU", lambda said, wanted: bleu([*map(" ".join, said)], [*map(" ".join, wanted)]).score
)
BY_EXACTNESS = Judge("exact", lambda said, wanted: 100 * exact(said, wanted))


class Batches(Sequence[tuple[Tensor, ...]]):
    """Batches that are padded when they are asked for."""

    def __init__(self, lesson: Lesson[Any], positions: list[list[int]]) -> None:
        self._lesson = lesson
        self._positions = positions

    def __len__(self) -> int:
        return len(self._positions)

    def __getitem__(self, number: int) -> tuple[Tensor, ...]:  # type: ignore[override]
        return self._lesson.batch(self._positions[number])


class Translating(Experiment[tuple[Tensor, ...]]):
    """A lesson, batch by batch, judged by what is said freely on the validation set."""

    model: Translator
    higher_is_better = True

    def __init__(
        self,
        interpreter: Interpreter,
        lesson: Lesson[Any],
        valid: Sequence[Pair],
        judge: Judge,
        *,
        batch: int,
        seed: int,
    ) -> None:
        self.model = interpreter.model
        self.selected_by = judge.name
        self.listener = interpreter.searching(greedy)
        self.lesson = lesson
        self.valid = valid
        self.judge = judge
        self.batch = batch
        self.seed = seed

    def epoch(self, number: int) -> Sequence[tuple[Tensor, ...]]:
        pairs = self.lesson.pairs
        return Batches(self.lesson, epoch_batches(pairs, self.batch, self.seed, number))

    def loss(self, batch: tuple[Tensor, ...]) -> Loss:
        device = next(self.model.parameters()).device
        there = type(batch)(*(part.to(device) for part in batch))
        return self.lesson.loss(self.model, there)

    def validate(self) -> dict[str, float]:
        said = self.listener.translate([pair.source for pair in self.valid])
        wanted = [pair.target for pair in self.valid]
        return {self.judge.name: self.judge.score([each.words for each in said], wanted)}
