"""The twenty tasks of bAbI and what each asks for.

Towards AI-Complete Question Answering: A Set of Prerequisite Toy Tasks, Weston, Bordes, Chopra,
Rush, van Merriënboer, Joulin, Mikolov 2015. https://arxiv.org/abs/1502.05698
"""

from typing import NamedTuple


class StoryTask(NamedTuple):
    """One of the tasks: its number, the stem of its official files, and its name for people."""

    number: int
    file: str
    name: str


_STEMS = (
    "single-supporting-fact",
    "two-supporting-facts",
    "three-supporting-facts",
    "two-arg-relations",
    "three-arg-relations",
    "yes-no-questions",
    "counting",
    "lists-sets",
    "simple-negation",
    "indefinite-knowledge",
    "basic-coreference",
    "conjunction",
    "compound-coreference",
    "time-reasoning",
    "basic-deduction",
    "basic-induction",
    "positional-reasoning",
    "size-reasoning",
    "path-finding",
    "agents-motivations",
)
_NAMES = {
    "two-arg-relations": "two-argument relations",
    "three-arg-relations": "three-argument relations",
    "yes-no-questions": "yes-no questions",
    "lists-sets": "lists and sets",
    "agents-motivations": "agents' motivations",
}

TASKS: dict[int, StoryTask] = {
    number: StoryTask(number, f"qa{number}_{stem}", _NAMES.get(stem, stem.replace("-", " ")))
    for number, stem in enumerate(_STEMS, 1)
}


def story_task(number: int) -> StoryTask:
    """The task of this number."""
    if number not in TASKS:
        raise ValueError(f"the tasks of bAbI have the numbers 1 to {len(TASKS)}, but not {number}")
    return TASKS[number]
