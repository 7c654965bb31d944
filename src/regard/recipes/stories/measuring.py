"""The numbers of networks that answer questions over stories, beside the paper's."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.metrics import facts_found, facts_looked_at, facts_preferred
from regard.recipes.measured import Measured
from regard.recipes.stories.answerer import Network
from regard.recipes.stories.book import read_networks, restart
from regard.recipes.stories.hearing import cut, unheard
from regard.recipes.stories.lessons import TaskTest
from regard.recipes.stories.material import Material, material, read_entries
from regard.recipes.stories.published import FAILED
from regard.recipes.stories.teaching import place_of
from regard.tasks.vocabulary import SPECIAL

if TYPE_CHECKING:
    from regard.recipes.stories.recipe import StoryAnswering

TOGETHER = 200  # questions that are asked side by side


class Tested(NamedTuple):
    """What one task gave."""

    task: TaskTest
    error: float  # of the restart that is kept, in percent
    restarts: list[float]  # of all of them, where the run still has them
    looked_at: float | None  # None where no supporting fact is known
    found: float | None
    preferred: float | None = None  # None, too, where hops give all their weight to sentences


def measure(recipe: "StoryAnswering", folder: Path) -> list[Measured]:
    """The mean error over tasks first, then each task, then what was looked at."""
    entries = read_entries(folder)
    networks = read_networks(recipe.system, entries, folder)
    tested = [
        one
        for name, tests in recipe.data.tests().items()
        for one in _lesson(recipe, folder, name, tests, Network(networks[name], entries[name]))
    ]
    found = list(_errors(recipe, tested))
    return [replace(each, selected_by=_chosen(recipe)) for each in (*found, *_looks(tested))]


def _chosen(recipe: "StoryAnswering") -> str:
    """How the network was picked that was measured."""
    course = recipe.course
    if course.restarts == 1:
        return f"{course.keeps} of the one restart"
    how = course.selected_by.replace("_", " ")
    whose = "each lesson"
    if course.hard:
        whose = f"tasks {course.hard}, and the one restart of each other task"
    return f"the lowest {how} of {course.restarts} restarts of {whose}"


def _lesson(
    recipe: "StoryAnswering", folder: Path, name: str, tests: Sequence[TaskTest], network: Network
) -> Iterator[Tested]:
    course, (model, entry) = recipe.course, network
    places = [place_of(folder, name, seed) for seed in course.seeds(name)]
    here = all((place / "model.safetensors").is_file() for place in places)
    others = [restart(recipe.system, entry, place) for place in places] if here else []
    most = recipe.system.reads(entry.sizes)
    # Not what the recipe would do today: a run may be older than that.
    begun = course.note(name) if any((place / "opening").is_dir() for place in places) else ""
    for each in tests:
        notes = (each.note, begun, *unheard(each.questions, entry, most))
        task = each._replace(note="; ".join(filter(None, notes)))
        test = material(cut(each.questions, most), entry)
        error, _, weights = ask(model, test)
        known = bool(test.supporting.any())
        leaks = known and recipe.system.leaks
        yield Tested(
            task,
            error,
            [ask(other, test).error for other in others],
            facts_looked_at(weights, test.supporting) if known else None,
            facts_found(weights, test.supporting) if known else None,
            facts_preferred(weights, test.supporting) if leaks else None,
        )


class Asked(NamedTuple):
    """How a network answered."""

    error: float  # wrong answers, in percent
    loss: float  # in nats, the mean over the questions
    weights: Float[Tensor, "question hop sentence"]


@torch.no_grad()
def ask(network: nn.Module, test: Material) -> Asked:
    """How many answers are wrong, how sure the right ones were, what each hop looked at.

    Special words are no answers, so one that is not in the vocabulary, ``UNKNOWN``, is never given.
    """
    wrong, loss, seen = 0, 0.0, []
    slots = test.order.shape[1]
    for start in range(0, len(test.order), TOGETHER):
        rows = slice(start, start + TOGETHER)
        logits, looks = network(*test.stories.pick(rows))
        right = test.stories.answer[rows]
        given = logits[:, len(SPECIAL) :].argmax(dim=1) + len(SPECIAL)
        wrong += int(given.ne(right).sum())
        loss += float(nn.functional.cross_entropy(logits, right, reduction="sum"))
        weights = torch.cat([look.weights for look in looks], dim=1)
        seen.append(nn.functional.pad(weights, (0, slots - weights.shape[2])))
    count = len(test.order)
    return Asked(100 * wrong / count, loss / count, torch.cat(seen))


def _errors(recipe: "StoryAnswering", tested: Sequence[Tested]) -> Iterator[Measured]:
    paper = recipe.published
    names = [one.task.name for one in tested]
    whole = set(paper.by_task) == set(names)
    several = paper.mean if whole else None
    printed = several if len(tested) > 1 else paper.by_task.get(names[0])
    # Where some tasks have more restarts than others, all together have as many as the fewest.
    rounds = list(zip(*(one.restarts for one in tested), strict=False))
    means = [mean(errors) for errors in rounds]
    yield Measured(
        "test", "error", mean(one.error for one in tested), "%", "lower",
        note=f"mean over {len(tested)} tasks" if len(tested) > 1 else _named(tested[0].task),
        paper=printed,
        restarts=means,
    )  # fmt: skip
    if len(tested) > 1:
        failed = float(sum(one.error > FAILED for one in tested))
        yield Measured(
            "test", "failed tasks", failed, "tasks", "lower",
            note=f"more than {FAILED:g}% of the answers wrong",
            paper=float(paper.failed) if whole else None,
            restarts=[float(sum(error > FAILED for error in errors)) for errors in rounds],
        )  # fmt: skip
        for one in tested:
            yield Measured(
                "test", "error", one.error, "%", "lower", one.task.name, one.task.note,
                paper.by_task.get(one.task.name), one.restarts,
            )  # fmt: skip


def _named(task: TaskTest) -> str:
    """A task with what is to be known about it."""
    return "; ".join(filter(None, (task.name, task.note)))


def _looks(tested: Sequence[Tested]) -> Iterator[Measured]:
    kinds = {
        "hops on supporting facts": (
            "share of hops whose largest weight on a sentence, however small, is on a supporting "
            "fact",
            {one.task.name: one.looked_at for one in tested if one.looked_at is not None},
        ),
        "hops on supporting facts, empty slots counted": (
            "the same, where a hop that gives all empty slots together more than any sentence is a "
            "miss",
            {one.task.name: one.preferred for one in tested if one.preferred is not None},
        ),
        "supporting facts found": (
            "share of supporting facts on which the largest weight of some hop is",
            {one.task.name: one.found for one in tested if one.found is not None},
        ),
    }
    for metric, (note, shares) in kinds.items():
        if shares:
            value = 100 * mean(shares.values())
            yield Measured("test", metric, value, "%", "higher", note=note)
        if len(shares) > 1:
            for name, share in shares.items():
                yield Measured("test", metric, 100 * share, "%", "higher", name)
