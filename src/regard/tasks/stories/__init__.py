"""Questions over stories: bAbI's twenty tasks, made-up ones, the user's own, and typed ones.

``reading`` and ``official`` read files, ``typed`` takes what a person types, ``generating`` makes
stories of all twenty kinds without end, ``growing`` some that grow harder, ``writing`` writes them,
``encoding`` makes tensors.
"""

from typing import TYPE_CHECKING, Any

from regard.tasks.stories.generating import endless_stories, tell_stories
from regard.tasks.stories.naming import TASKS, StoryTask, story_task
from regard.tasks.stories.official import babi, in_archive
from regard.tasks.stories.questions import Question, story_vocabulary, unknown_words
from regard.tasks.stories.reading import parse_stories, read_stories
from regard.tasks.stories.typed import told_text, typed_question, typed_text
from regard.tasks.stories.wording import BABI, WIDER, WORDINGS, Wording
from regard.tasks.stories.writing import format_stories, write_stories

if TYPE_CHECKING:
    from regard.tasks.stories.encoding import Asked, encode_questions, split_drawn, split_last

__all__ = [
    "BABI",
    "TASKS",
    "WIDER",
    "WORDINGS",
    "Asked",
    "Question",
    "StoryTask",
    "Wording",
    "babi",
    "encode_questions",
    "endless_stories",
    "format_stories",
    "in_archive",
    "parse_stories",
    "read_stories",
    "split_drawn",
    "split_last",
    "story_task",
    "story_vocabulary",
    "tell_stories",
    "told_text",
    "typed_question",
    "typed_text",
    "unknown_words",
    "write_stories",
]


def __getattr__(name: str) -> Any:
    """Tensors, when first asked for: they import torch, and reading stories needs none."""
    if name not in ("Asked", "encode_questions", "split_drawn", "split_last"):
        raise AttributeError(f"module 'regard.tasks.stories' has no attribute {name!r}")
    from regard.tasks.stories import encoding

    return getattr(encoding, name)
