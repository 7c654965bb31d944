"""One step back of all examples, compiled: the twins of ``forth``, from last to first."""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from typing import Any

from regard.kernels.composing import Composed
from regard.kernels.tape.coming import PARTS, come
from regard.kernels.tape.going import product
from regard.kernels.units import BACK, unit_back


def unread(tape: Any, weights: Any, slope: Any, to_weights: Any, to_tape: Any) -> None:
    """dw(i) += sum dr M(i), dM(i) += w(i) dr."""
    product(slope, tape, to_weights)
    for w in range(tape.shape[0]):
        result, factor = to_tape[w], slope[w]
        for i in range(weights.size):
            result[i] += weights[i] * factor


def unadd(said: Any, places: Any, to_said: Any, to_places: Any, to_tape: Any) -> None:
    """da_h = sum w_h dM', dw_h += a_h dM'."""
    real, words, slots = places.dtype.type, to_tape.shape[0], to_tape.shape[1]
    for w in range(words):  # rows by number: Numba would count who holds them
        for h in range(places.shape[0]):
            add, total = said[(2 * h + 1) * words + w], real(0)
            for i in range(slots):
                total += places[h, i] * to_tape[w, i]
            for i in range(slots):
                to_places[h, i] += add * to_tape[w, i]
            to_said[(2 * h + 1) * words + w] = total


def unwrite(said: Any, tape: Any, places: Any, to_said: Any, to_places: Any, to_tape: Any,
            kept: Any) -> None:  # fmt: skip
    """Slopes of e, a and w, and dM' becomes dM.

    First what was added, then the erases from last to first: with K before an erase and D the slope
    after it, x = D K: de_h = - sum w_h x, dw_h -= e_h x, D (1 - w_h e_h) goes on.
    """
    real, words, slots, heads = tape.dtype.type, tape.shape[0], tape.shape[1], places.shape[0]
    unadd(said, places, to_said, to_places, to_tape)
    for w in range(words):
        for i in range(slots):
            kept[0, i] = tape[w, i]
        for h in range(1, heads):
            erase = said[2 * (h - 1) * words + w]
            for i in range(slots):
                kept[h, i] = kept[h - 1, i] - kept[h - 1, i] * (places[h - 1, i] * erase)
        for h in range(heads - 1, -1, -1):
            erase, total = said[2 * h * words + w], real(0)
            for i in range(slots):
                total -= places[h, i] * (to_tape[w, i] * kept[h, i])
            for i in range(slots):
                to_places[h, i] -= erase * (to_tape[w, i] * kept[h, i])
                to_tape[w, i] -= to_tape[w, i] * (places[h, i] * erase)
            to_said[2 * h * words + w] = total * erase * (real(1) - erase)


def _turn_back(
    slopes: Any,
    said: Any,
    tape: Any,
    norms: Any,
    places: Any,
    traces: Any,
    to_said: Any,
    to_places: Any,
    to_tape: Any,
    spare: Any,
    step: int,
) -> None:
    """Slopes of all that was said, from those of what was read and of the tape as it became.

    ``to_places`` and ``to_tape`` go from those after the step to those before it. ``spare`` has
    rows of slots to work in, as many as there are heads, and three or more.
    """
    words, heads = tape.shape[2], places.shape[3]
    span = (said.shape[2] // heads - 2 * words) // 2
    for b in range(said.shape[1]):
        row, to_row, to_both = said[step, b], to_said[step, b], to_tape[b]
        were, are, trace = places[step, b], places[step + 1, b], traces[step, b]
        start = heads * (span + 2 * words)
        for h in range(heads):
            end = slopes.shape[2] - (heads - h - 1) * words
            read = slopes[step + 1, b, end - words : end]
            unread(tape[step + 1, b], are[1, h], read, to_places[b, 1, h], to_both)
            come(row[start : start + span], tape[step + 1, b], norms[step + 1, b], were[1, h],
                 trace[1, h], are[1, h], to_places[b, 1, h], to_row[start : start + span],
                 to_both, spare)  # fmt: skip
            start += span
        start, end = heads * span, heads * (span + 2 * words)
        unwrite(row[start:end], tape[step, b], are[0], to_row[start:end], to_places[b, 0],
                to_both, spare)  # fmt: skip
        for h in range(heads):
            start = h * span
            come(row[start : start + span], tape[step, b], norms[step, b], were[0, h],
                 trace[0, h], are[0, h], to_places[b, 0, h], to_row[start : start + span],
                 to_both, spare)  # fmt: skip


def _drive_back(
    slopes: Any, gates: Any, cells: Any, curved: Any, features: Any, to_cell: Any, to_sums: Any,
    step: int,
) -> None:  # fmt: skip
    """Slopes of the controller's sums, from those of its output; ``to_cell`` goes from c' to c."""
    size = curved.shape[2]
    kept = min(step, curved.shape[0] - 1)  # tanh keeps no curve of a memory
    for b in range(gates.shape[1]):
        slope, output = slopes[step + 1, b, :size], features[step + 1, b, :size]
        unit_back(slope, gates[step, b], cells[step, b], curved[kept, b], output, to_cell[b],
                  to_sums[step, b])  # fmt: skip


drive_back = Composed(_drive_back, *BACK)
turn_back = Composed(_turn_back, product, *PARTS, unread, unadd, unwrite)
