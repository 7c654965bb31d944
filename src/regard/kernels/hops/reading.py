"""Sentences of a batch as vectors, each distinct one once, and the way back: parts of the compiled.

Tables lie side by side, so that a row holds a word's vector in each of them. A memory is the sum of
a sentence's words, each by its share, and of its time, by its own:

    m = sum_j l_j A x_j + l_t A t      dA x_j += l_j dm      dA t += l_t dm
"""

from typing import Any


def gather(
    chosen: Any, story: Any, question: Any, place: Any, used: Any, rows: Any, counts: Any,
    asked: Any,
) -> int:  # fmt: skip
    """Find the distinct sentences of the chosen examples; return how many there are.

    ``used`` lists them; ``rows`` and ``asked`` say which of them each filled slot and each question
    is, ``counts`` how many slots are filled. ``place`` is -1 everywhere, before and after.
    """
    found = 0
    for b in range(chosen.size):
        count = 0
        for i in range(story.shape[1]):
            sentence = story[chosen[b], i]
            if sentence > 0:
                if place[sentence] < 0:
                    place[sentence] = found
                    used[found] = sentence
                    found += 1
                rows[b, count] = place[sentence]
                count += 1
        counts[b] = count
        sentence = question[chosen[b]]
        if place[sentence] < 0:
            place[sentence] = found
            used[found] = sentence
            found += 1
        asked[b] = place[sentence]
    for i in range(found):
        place[used[i]] = -1
    return found


def encode(
    tables: Any, shares: Any, sentences: Any, lengths: Any, used: Any, found: int, encoded: Any
) -> None:
    """Sum the words of each sentence in use, in all tables at once."""
    zero, last = tables.dtype.type(0), shares.shape[0] - 1
    for i in range(found):
        sentence = used[i]
        own = min(lengths[sentence], last)
        for k in range(encoded.shape[1]):
            encoded[i, k] = zero
        for j in range(lengths[sentence]):
            word = sentences[sentence, j]
            for k in range(encoded.shape[1]):
                encoded[i, k] += shares[own, j, k] * tables[word, k]


def unencode(
    slopes: Any, shares: Any, sentences: Any, lengths: Any, used: Any, found: int, to_tables: Any
) -> None:
    """Hand the slopes of the sentences on to their words."""
    last = shares.shape[0] - 1
    for i in range(found):
        sentence = used[i]
        own = min(lengths[sentence], last)
        for j in range(lengths[sentence]):
            word = sentences[sentence, j]
            for k in range(slopes.shape[1]):
                to_tables[word, k] += shares[own, j, k] * slopes[i, k]


def recall(tables: Any, time_shares: Any, encoded: Any, rows: Any, times: Any, memory: Any) -> None:
    """Lay out the memory of one example."""
    for i in range(rows.size):
        row, time = rows[i], times[i]
        for k in range(memory.shape[1]):
            memory[i, k] = encoded[row, k] + time_shares[k] * tables[time, k]


def unrecall(
    slopes: Any, time_shares: Any, rows: Any, times: Any, to_encoded: Any, to_tables: Any
) -> None:
    """Hand the slopes of one example's memory on to its sentences and times."""
    for i in range(rows.size):
        row, time = rows[i], times[i]
        for k in range(slopes.shape[1]):
            to_encoded[row, k] += slopes[i, k]
            to_tables[time, k] += time_shares[k] * slopes[i, k]


PARTS = gather, encode, unencode, recall, unrecall
