"""Weights in few bytes: all of them where they fit, otherwise the largest; the loss is told.

A weight is kept as the leading bits of its float32, which rounds every size of weight by the same
share of itself. What a row leaves out is known from above, so that no weight is ever shown wrong.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, UInt32
from torch import Tensor

Weights32 = Float[np.ndarray, "row column"]
Numbers = UInt32[np.ndarray, " count"]

FULL = 23  # bits of a float32 after its leading one
DENSE = (FULL, 16, 12, 8)  # tried in turn, while every weight is stored
SPARSE = 6  # bits where only the largest weights are stored
SAMPLE = 12  # maps on which the search for the threshold begins
NEAR = 8  # how far, in codes, the threshold of the sample may be from the one of all maps
MISSING = -1.0  # stands for a weight that is not stored


class Precision(NamedTuple):
    """How many bits a weight has, and from which code on it is stored at all (0: every one)."""

    bits: int
    least: int = 0

    @property
    def tolerance(self) -> float:
        """The largest error of a stored weight, as a share of itself."""
        return 0.0 if self.bits == FULL else 2.0 ** -(self.bits + 1)

    @property
    def threshold(self) -> float:
        """Weights from here on are stored; of the smaller ones, only the largest of each row."""
        return float(_values(np.array([self.least], np.uint32), self.bits)[0])


class Coded(NamedTuple):
    """A map in rounded form: larger weights have larger codes, and zero has none but 0.

    Rounding makes weights equal, so which one is the largest of each row stands beside.
    """

    codes: UInt32[np.ndarray, "row column"]
    highest: Int[np.ndarray, " row"]


class Packed(NamedTuple):
    """Maps as bytes, how exactly they are kept, and which share of all weight is in them."""

    maps: list[bytes]
    precision: Precision
    share: float


def fit(maps: Float[Tensor, "map row column"], most_bytes: int) -> Packed | None:
    """Keep as much of the maps as ``most_bytes`` can hold; None where not even the largest fit.

    Maps are float32 and not negative. Every weight is stored if that is possible with eight bits
    or more, and otherwise as many of the largest as there is room for, with six.
    """
    weights = [one.numpy() for one in maps]
    for bits in DENSE:
        packed = _pack_all((encode(one, bits) for one in weights), Precision(bits), most_bytes)
        if packed is not None:
            return Packed(packed, Precision(bits), 1.0)
    coded = [encode(one, SPARSE) for one in weights]
    least = _threshold(coded, most_bytes)
    packed = None if least is None else _pack_all(coded, Precision(SPARSE, least), most_bytes)
    if least is None or packed is None:
        return None
    pairs = zip(weights, coded, strict=True)
    stored = sum(float(one[_kept(code, least)].sum()) for one, code in pairs)
    share = stored / sum(float(one.sum()) for one in weights)
    return Packed(packed, Precision(SPARSE, least), share)


def encode(weights: Weights32, bits: int) -> Coded:
    """Keep the leading bits of each float32, rounded."""
    whole = np.ascontiguousarray(weights).view(np.uint32)
    cut = FULL - bits
    codes = whole if cut == 0 else (whole + np.uint32(1 << (cut - 1))) >> np.uint32(cut)
    return Coded(codes, weights.argmax(axis=1))


def pack(coded: Coded, least: int) -> bytes:
    """Deflate one map; the bytes of the numbers lie by rank, since equal ranks are alike."""
    codes = coded.codes
    if least == 0:
        return _deflate([codes.ravel()])
    kept = _kept(coded, least)
    counts = kept.sum(axis=1)
    columns = np.flatnonzero(kept) % codes.shape[1]
    gaps = np.diff(columns, prepend=0)
    firsts = (counts.cumsum() - counts)[counts > 0]
    gaps[firsts] = columns[firsts]
    values = codes[kept]
    lowest = values.min(initial=least)
    return _deflate([np.concatenate([[lowest], counts]), gaps, values - lowest])


def unpack(packed: bytes, height: int, width: int, precision: Precision) -> Weights32:
    """Inflate one map; ``MISSING`` where a weight is not stored. Its twin is web/weights.js."""
    numbers = zlib.decompress(packed)
    if precision.least == 0:
        return _values(_ranks(numbers, 0, height * width), precision.bits).reshape(height, width)
    lowest, *counts = _ranks(numbers, 0, height + 1).tolist()
    total = sum(counts)
    gaps = _ranks(numbers, height + 1, total)
    codes = _ranks(numbers, height + 1 + total, total) + np.uint32(lowest)
    values = _values(codes, precision.bits)
    weights = np.full((height, width), MISSING, np.float32)
    place = 0
    for row, count in enumerate(counts):
        if count == 0:
            weights[row] = 0  # the largest is always stored, unless it is zero
        weights[row, gaps[place : place + count].cumsum()] = values[place : place + count]
        place += count
    return weights


def _values(codes: UInt32[np.ndarray, "..."], bits: int) -> Float[np.ndarray, "..."]:
    return (codes << np.uint32(FULL - bits)).view(np.float32)


def _kept(coded: Coded, least: int) -> Bool[np.ndarray, "row column"]:
    kept = coded.codes >= least
    largest = np.arange(len(kept)), coded.highest
    kept[largest] = coded.codes[largest] > 0
    return kept


def _threshold(maps: Sequence[Coded], most_bytes: int) -> int | None:
    """The least code that can be stored in ``most_bytes``: first of a sample, then of all maps."""
    low, high = 1, max(int(one.codes.max()) for one in maps) + 1
    few = maps[:: max(1, len(maps) // SAMPLE)]
    few_bytes = most_bytes * len(few) // len(maps)

    def fits(some: Sequence[Coded], room: int) -> Callable[[int], bool]:
        return lambda least: _pack_all(some, Precision(SPARSE, least), room) is not None

    guess = _lowest(fits(few, few_bytes), low, high) or high
    near = _lowest(fits(maps, most_bytes), max(low, guess - NEAR), min(high, guess + NEAR))
    return near or _lowest(fits(maps, most_bytes), min(high, guess + NEAR), high)


def _lowest(fits: Callable[[int], bool], low: int, high: int) -> int | None:
    """The lowest of the numbers from ``low`` to ``high`` that fits, if all above it fit, too."""
    if not fits(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return high


def _pack_all(maps: Iterable[Coded], precision: Precision, most_bytes: int) -> list[bytes] | None:
    """Pack map after map, and give up as soon as there is no room."""
    packed, room = [], most_bytes
    for one in maps:
        packed.append(pack(one, precision.least))
        room -= written(packed[-1])
        if room < 0:
            return None
    return packed


def written(packed: bytes) -> int:
    """How many characters a packed map takes in the page: base64, two quotes and a comma."""
    return (len(packed) + 2) // 3 * 4 + 3


def _deflate(sections: Sequence[np.ndarray]) -> bytes:
    """One zlib stream; numbers of one kind share a code, so each rank begins a new block.

    Looking for runs alone costs one per cent of the size, and a fifth of the time.
    """
    squeeze = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    parts = []
    for section in sections:
        ranks = section.astype("<u4").view(np.uint8).reshape(-1, 4)
        for rank in range(4):
            parts += [squeeze.compress(ranks[:, rank].tobytes()), squeeze.flush(zlib.Z_SYNC_FLUSH)]
    return b"".join([*parts, squeeze.flush()])


def _ranks(numbers: bytes, start: int, count: int) -> Numbers:
    """Put the four bytes of each number together again."""
    ranks = np.frombuffer(numbers, np.uint8, 4 * count, 4 * start).reshape(4, count)
    return np.ascontiguousarray(ranks.T).view("<u4").ravel().astype(np.uint32)
