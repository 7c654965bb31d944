"""Several translators that share an encoder: trained in turns, measured one by one."""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import mean
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from regard.metrics import bleu, retrieval
from regard.models import CommonEncoder, greedy
from regard.recipes.course import Course
from regard.recipes.measured import Measured
from regard.recipes.translation.interpreter import Interpreter
from regard.recipes.translation.lessons import NextWord
from regard.recipes.translation.measuring import in_bleu
from regard.tasks import Batch, Pair, Split, epoch_batches
from regard.training import Experiment, Loss

Route = tuple[str, str]  # the language that is read, and the one that is written


class RoutedBatch(NamedTuple):
    """A batch of one route; its number stands beside every pair, so that batches can be split."""

    source: Int[Tensor, "batch source"]
    source_lengths: Int[Tensor, " batch"]
    target_in: Int[Tensor, "batch target"]
    target_out: Int[Tensor, "batch target"]
    target_lengths: Int[Tensor, " batch"]
    route: Int[Tensor, " batch"]


class RoutedBatches(Sequence[RoutedBatch]):
    """Batches of all routes in one order, padded when they are asked for."""

    def __init__(self, lessons: Sequence[NextWord], order: list[tuple[int, list[int]]]) -> None:
        self._lessons = lessons
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, number: int) -> RoutedBatch:  # type: ignore[override]
        route, positions = self._order[number]
        numbers = torch.full((len(positions),), route)
        return RoutedBatch(*self._lessons[route].batch(positions), numbers)


class TranslatingTogether(Experiment[RoutedBatch]):
    """Every batch teaches the encoder and one decoder; judged by the mean BLEU of all routes."""

    selected_by = "BLEU"
    higher_is_better = True

    def __init__(
        self,
        model: CommonEncoder,
        interpreters: Mapping[Route, Interpreter],
        splits: Mapping[Route, Split],
        course: Course,
    ) -> None:
        self.model = model
        self.routes = list(interpreters)
        self.translators = [each.model for each in interpreters.values()]
        self.listeners = [each.searching(greedy) for each in interpreters.values()]
        self.valid = [splits[route].valid for route in self.routes]
        self.lessons = [
            NextWord([each.pair(pair) for pair in splits[route].train], course.smoothing)
            for route, each in interpreters.items()
        ]
        self.batch = course.batch
        self.seed = course.seed

    def epoch(self, number: int) -> Sequence[RoutedBatch]:
        order = [
            (route, positions)
            for route, lesson in enumerate(self.lessons)
            for positions in epoch_batches(lesson.pairs, self.batch, self.seed, number)
        ]
        Random(f"{self.seed}/{number}").shuffle(order)
        return RoutedBatches(self.lessons, order)

    def loss(self, batch: RoutedBatch) -> Loss:
        route = int(batch.route[0])
        device = next(self.model.parameters()).device
        there = Batch(*(part.to(device) for part in batch[:-1]))
        return self.lessons[route].loss(self.translators[route], there)

    def validate(self) -> dict[str, float]:
        scores = {
            f"{source}-{target}": _greedy_bleu(listener, pairs)
            for (source, target), listener, pairs in zip(
                self.routes, self.listeners, self.valid, strict=True
            )
        }
        return {"BLEU": mean(scores.values()), **scores}


def _greedy_bleu(listener: Interpreter, pairs: Sequence[Pair]) -> float:
    said = listener.translate([pair.source for pair in pairs])
    return bleu([each.text for each in said], [" ".join(pair.target) for pair in pairs]).score


def measure_route(interpreter: Interpreter, route: Route, pairs: Sequence[Pair]) -> Measured:
    """BLEU of one route on its test set."""
    said = interpreter.translate([pair.source for pair in pairs])
    found = in_bleu(said, pairs, "test 2016")
    return Measured(**{**found.to_json(), "scope": "-".join(route)})


def measure_retrieval(interpreter: Interpreter, pairs: Sequence[Pair]) -> list[Measured]:
    """How often a sentence's nearest neighbour in the other language is its translation."""
    english = interpreter.vectors([pair.source for pair in pairs])
    german = interpreter.vectors([pair.target for pair in pairs])
    note = f"nearest of {len(pairs)} by cosine of the mean annotation"
    return [
        Measured("test 2016", "retrieval", 100 * retrieval(*sides), "%", "higher", scope, note)
        for scope, sides in (("en finds de", (english, german)), ("de finds en", (german, english)))
    ]
