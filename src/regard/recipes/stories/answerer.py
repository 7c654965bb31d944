"""Trained networks at work: a typed story with a question in, an answer and its looks out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.recipes.stories.material import Entry, material
from regard.tasks.stories import Question, typed_question, typed_text, unknown_words
from regard.tasks.stories.gathering import Placed, gather
from regard.tasks.stories.writing import spelled
from regard.tasks.vocabulary import SPECIAL
from regard.viewing import StorySheet

EMPTY = "(empty slots)"


class Network(NamedTuple):
    """A network with its words."""

    model: nn.Module
    entry: Entry


@dataclass(frozen=True)
class Answered:
    """The answer to a question over a story, with everything that a picture of it needs."""

    answer: str
    probability: float = 0.0
    question: str = ""
    sentences: tuple[str, ...] = ()  # those that were remembered
    weights: Float[Tensor, "hop sentence"] | None = None
    said: tuple[str, ...] = ()  # what a reader should know
    trouble: str = ""  # why there is no answer
    lesson: str = ""  # what the network had learned
    supporting: tuple[int, ...] = ()  # of the sentences those that lead to the answer, where known
    look: str = "hop"  # what a look over the story is called
    empty: Float[Tensor, " hop"] | None = None  # what slots without a sentence took, if they can

    def __str__(self) -> str:
        return self.answer

    def remarks(self) -> list[str]:
        """What a reader should know about this answer."""
        return [*self.said, *([self.trouble] if self.trouble else [])]

    def rows(self) -> list[tuple[str, list[float]]]:
        """Each sentence with its share of every look; last what slots without one took."""
        if self.weights is None:
            return []
        found = list(zip(self.sentences, self.weights.T.tolist(), strict=True))
        return found if self.empty is None else [*found, (EMPTY, self.empty.tolist())]

    def details(self) -> str:
        """What each look saw, as a table: a line for each sentence, a column for each look."""
        if self.weights is None:
            return ""
        rows = self.rows()
        width = max(len(sentence) for sentence, _ in rows)
        looks = [f"{self.look} {number}" for number in range(1, len(self.weights) + 1)]
        wide = max(6, *map(len, looks))
        lines = [" ".join([" " * width, *(f"{look:>{wide}}" for look in looks)])]
        for sentence, shares in rows:
            lines.append(
                " ".join([f"{sentence:{width}}", *(f"{share:{wide}.2f}" for share in shares)])
            )
        return "\n".join([*lines, f"{self.question} {self.answer} ({self.probability:.0%})"])

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the weights as lists."""
        weights = [] if self.weights is None else self.weights.tolist()
        return {
            "output": self.answer,
            "probability": round(self.probability, 4),
            "question": self.question,
            "sentences": list(self.sentences),
            "weights": [[round(share, 5) for share in hop] for hop in weights],
            "empty": [] if self.empty is None else [round(each, 5) for each in self.empty.tolist()],
            "remarks": list(self.said),
            "trouble": self.trouble,
            "lesson": self.lesson,
        }


class Answerer:
    """Networks with their words; call it with a story that ends with a question.

    Where there are several, as one for each task, that one answers which knows most of the words;
    of those that know as many, the surest.
    """

    names_files = False

    def __init__(
        self, networks: Mapping[str, Network], look: str = "hop", *, leaks: bool = False
    ) -> None:
        self.networks = networks
        self.look = look
        self.leaks = leaks  # whether looks give weight to slots without a sentence

    def __call__(self, text: str) -> Answered:
        """The answer to one question; raises where the story cannot be read.

        What is to be said of a story that was read from a file is said with its lines. Of a story
        on numbered lines the last question is answered.
        """
        if "\n" in text and "\t" not in text and text.lstrip()[:1].isdigit():
            *_, text = gather(text.strip().splitlines())
        if not isinstance(text, Placed):
            return self._answer(text)
        try:
            answered = self._answer(text)
        except ValueError as problem:
            raise ValueError(f"{text.place}: {problem}") from problem
        return replace(answered, said=tuple(f"{text.place}: {said}" for said in answered.said))

    def _answer(self, text: str) -> Answered:
        question = typed_question(text)
        missing = {
            name: len(unknown_words(question, network.entry.vocabulary))
            for name, network in self.networks.items()
        }
        fewest = min(missing.values())
        able = [name for name, count in missing.items() if count == fewest]
        found, problems = [], []
        for name in able:
            try:
                found.append(self.ask(question, name))
            except ValueError as problem:
                problems.append(problem)
        if not found:
            raise problems[0]
        return max(found, key=lambda answered: answered.probability)

    def lines(self, texts: Sequence[str]) -> Iterator[Answered]:
        """The answers to many, in their order; one that cannot be read stops no other."""
        for text in texts:
            try:
                yield self(text)
            except ValueError as problem:
                yield Answered("", trouble=str(problem))

    def gather(self, lines: Iterable[str], source: str) -> Iterator[str]:
        """Stories of several lines, numbered as in the files of bAbI, as typed ones."""
        return gather(lines, source)

    def sheet(self, text: str) -> StorySheet:
        """What each hop looked at, a row for each sentence, and one for empty slots."""
        answered = self(text)
        if answered.weights is None:
            raise ValueError("nothing was looked at, so there is nothing to draw")
        return StorySheet(
            f"{answered.question} {answered.answer}",
            torch.tensor([shares for _, shares in answered.rows()]),
            [sentence for sentence, _ in answered.rows()],
            [f"{self.look} {number}" for number in range(1, len(answered.weights) + 1)],
            remarks=answered.remarks(),
            question=answered.question,
            answer=answered.answer,
            supporting=answered.supporting,
        )

    @torch.no_grad()
    def ask(self, question: Question, lesson: str) -> Answered:
        """The answer of the network that learned this lesson."""
        model, entry = self.networks[lesson]
        _check(question, entry)
        given = material([question], entry)
        logits, looks = model(*given.stories.pick(slice(None)))
        shares = logits[0].softmax(dim=-1)
        best = len(SPECIAL) + int(shares[len(SPECIAL) :].argmax())
        told = question.story[-entry.sizes.slots :]
        forgotten = len(question.story) - len(told)
        weights = torch.cat([look.weights[0] for look in looks])
        return Answered(
            entry.vocabulary.words[best],
            float(shares[best]),
            f"{spelled(question.words)}?",
            tuple(f"{spelled(sentence)}." for sentence in told),
            nn.functional.pad(weights, (0, len(told) - weights.shape[1])),
            tuple(_remarks(question, entry)),
            lesson=lesson,
            look=self.look,
            empty=(1 - weights.sum(dim=1)).clamp_min(0) if self.leaks else None,
            supporting=tuple(
                fact - forgotten for fact in sorted(question.supporting) if fact >= forgotten
            ),
        )


def _check(question: Question, entry: Entry) -> None:
    """Say of a sentence that is too long for a network which one it is."""
    longest = entry.sizes.longest
    for number, sentence in enumerate((*question.story, question.words), 1):
        if len(sentence) > longest:
            which = f"sentence {number}" if number <= len(question.story) else "the question"
            raise ValueError(
                f"{which} has {len(sentence)} words ({' '.join(sentence)}), but the network has "
                f"learned sentences of up to {longest}; say it in fewer words"
            )
    if len(unknown_words(question, entry.vocabulary)) == len(
        {word for sentence in (*question.story, question.words) for word in sentence}
    ):
        raise ValueError(
            f"the network knows none of the words of {typed_text(question)!r}; words that it "
            f"knows are {', '.join(entry.vocabulary.words[len(SPECIAL) :][:10])}, ..."
        )


def _remarks(question: Question, entry: Entry) -> Iterator[str]:
    unknown = unknown_words(question, entry.vocabulary)
    if unknown:
        yield (
            f"the network does not know the {'words' if len(unknown) > 1 else 'word'} "
            f"{', '.join(unknown)}: it reads as if nothing stood there, and the answer may be wrong"
        )
    forgotten = len(question.story) - entry.sizes.slots
    if forgotten > 0:
        yield (
            f"the network remembers the last {entry.sizes.slots} sentences; the first {forgotten} "
            "are forgotten"
        )
