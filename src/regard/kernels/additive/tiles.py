"""The two engines behind the operators: Numba's loops, or plain torch on small chunks.

Both work tile by tile and never hold more than a chunk of the query x key x hidden terms.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch
from torch import Tensor

from regard.kernels.additive import compiled
from regard.kernels.additive.pieces import Piece
from regard.kernels.compiling import available

CHUNK = 524_288  # terms that torch holds at once, 2 MB; with fewer its calls cost more than saved

# exp(2q) exp(2k) stays finite, with room for 1 + it, while |q| and |k| are below these.
LARGEST = {torch.float32: 21.0, torch.float64: 177.0}


class Gradients:
    """Running sums of one backward pass; each piece adds to rows of its own."""

    def __init__(self, query: Tensor, key: Tensor, pieces: int) -> None:
        self.query = torch.zeros_like(query, memory_format=torch.contiguous_format)
        self.key = torch.zeros_like(key, memory_format=torch.contiguous_format)
        self.vector = query.new_zeros(pieces, query.shape[-1])


class Tiles(ABC):
    """Scores of a tile and the way back from them, for given projected queries and keys."""

    @abstractmethod
    def scores(self, batch: slice, rows: slice, permitted: Tensor | None) -> Tensor:
        """Scores of query ``rows`` in ``batch`` against every key; -inf where not permitted."""

    @abstractmethod
    def begin(self, pieces: int) -> Gradients:
        """Make sums that are still zero."""

    @abstractmethod
    def descend(self, gradients: Gradients, piece: Piece, rows: slice, slope: Tensor) -> None:
        """Add what ``slope``, the gradient of a tile's scores, means for the three inputs."""

    @abstractmethod
    def descend_to_queries(self, to_query: Tensor, batch: slice, slope: Tensor) -> None:
        """Add what ``slope``, the gradient of all scores of few queries, means for these alone."""

    @abstractmethod
    def finish(self, gradients: Gradients) -> tuple[Tensor, Tensor, Tensor]:
        """Gradients of query, key and vector, from their sums."""


class CompiledTiles(Tiles):
    """exp(2q), exp(2k), given, and loops over their products. Wants every |q| below LARGEST."""

    def __init__(self, query: Tensor, key: Tensor, vector: Tensor) -> None:
        self.query = exponentials(query)
        self.key = key
        self.vector = vector.contiguous()
        self.everything = torch.ones(0, 0, 0, dtype=torch.bool).numpy()
        # Lanes over keys want at least one whole vector of them, and four queries.
        self.few = query.shape[1] < 4 or key.shape[1] < 8

    def scores(self, batch: slice, rows: slice, permitted: Tensor | None) -> Tensor:
        query, key = self.query[batch, rows], self.key[batch]
        scores = query.new_empty(*query.shape[:2], key.shape[1])
        permission = self.everything if permitted is None else permitted.contiguous().numpy()
        arrays = query.numpy(), key.numpy(), self.vector.numpy(), permission, scores.numpy()
        if query.shape[1] >= 4:
            compiled.score(*arrays)
        if query.shape[1] % 4:
            compiled.score_rest(*arrays)
        return scores if permitted is None else scores.masked_fill_(~permitted, -torch.inf)

    def begin(self, pieces: int) -> Gradients:
        if not self.few:  # turn keys into lanes, filled up to whole vectors
            batch, length, hidden = self.key.shape
            turned = self.key.new_zeros(batch, hidden, -(-length // 8) * 8)
            turned[..., :length] = self.key.mT
            self.turned = turned
        return Gradients(self.query, self.key if self.few else self.turned, pieces)

    def descend(self, gradients: Gradients, piece: Piece, rows: slice, slope: Tensor) -> None:
        key = self.key if self.few else self.turned
        missing = 0 if self.few else key.shape[-1] - slope.shape[-1]
        arrays = (
            self.query[piece.batch, rows].numpy(),
            key[piece.batch].numpy(),
            (torch.nn.functional.pad(slope, (0, missing)) if missing else slope).numpy(),
            gradients.query[piece.batch, rows].numpy(),
            gradients.key[piece.batch].numpy(),
            gradients.vector[piece.number].numpy(),
        )
        if self.few:
            compiled.slope_few(*arrays)
        else:
            compiled.slope(*arrays)
            if slope.shape[1] % 4:
                compiled.slope_rest(*arrays)
        gradients.vector[piece.number] -= slope.sum() / 2  # sum g (1 - 2r) = -2 sum g (r - 1/2)

    def descend_to_queries(self, to_query: Tensor, batch: slice, slope: Tensor) -> None:
        arrays = self.query[batch], self.key[batch], slope.contiguous(), to_query
        compiled.slope_query(*(each.numpy() for each in arrays))

    def finish(self, gradients: Gradients) -> tuple[Tensor, Tensor, Tensor]:
        scale = 4 * self.vector
        key = gradients.key
        if not self.few:
            key = key[..., : self.key.shape[1]].mT.contiguous()
        return gradients.query.mul_(scale), key.mul_(scale), -2 * gradients.vector.sum(0)


class ChunkedTiles(Tiles):
    """Plain torch on chunks that stay in cache; on any device, and at any size of q and k."""

    def __init__(self, query: Tensor, key: Tensor, vector: Tensor, small: bool) -> None:
        self.small = small  # so that exponentials, which are cheaper than tanh, stay finite
        self.query = (query + query).exp_() if small else query
        self.key = (key + key).exp_() if small else key
        self.vector = vector

    def _chunks(self, batch: slice, rows: slice) -> Iterator[tuple[slice, slice, slice]]:
        hidden, keys = max(1, self.query.shape[-1]), self.key.shape[1]
        key_step = max(1, min(keys, CHUNK // hidden))
        row_step = max(1, min(rows.stop - rows.start, CHUNK // (hidden * key_step)))
        batch_step = max(1, CHUNK // (hidden * key_step * row_step))
        for b in range(batch.start, batch.stop, batch_step):
            for i in range(rows.start, rows.stop, row_step):
                for j in range(0, keys, key_step):
                    yield (
                        slice(b, min(b + batch_step, batch.stop)),
                        slice(i, min(i + row_step, rows.stop)),
                        slice(j, min(j + key_step, keys)),
                    )

    def _terms(self, batch: slice, rows: slice, keys: slice) -> Tensor:
        """1 / (1 + exp(2 (q + k))), named r: tanh(q + k) = 1 - 2r."""
        query = self.query[batch, rows].unsqueeze(2)  # batch query 1   hidden
        key = self.key[batch, keys].unsqueeze(1)  # batch 1     key hidden
        if self.small:
            return (query * key).add_(1).reciprocal_()
        return (query + key).tanh_().mul_(-0.5).add_(0.5)

    def scores(self, batch: slice, rows: slice, permitted: Tensor | None) -> Tensor:
        size = batch.stop - batch.start, rows.stop - rows.start, self.key.shape[1]
        scores = self.query.new_empty(size)
        for b, i, j in self._chunks(batch, rows):
            where = _shift(b, batch), _shift(i, rows), j
            scores[where] = self._terms(b, i, j).sub_(0.5) @ self.vector
        scores.mul_(-2)
        return scores if permitted is None else scores.masked_fill_(~permitted, -torch.inf)

    def begin(self, pieces: int) -> Gradients:
        return Gradients(self.query, self.key, pieces)

    def descend(self, gradients: Gradients, piece: Piece, rows: slice, slope: Tensor) -> None:
        for b, i, j in self._chunks(piece.batch, rows):
            part = slope[_shift(b, piece.batch), _shift(i, rows), j]
            terms = self._terms(b, i, j)
            gradients.vector[piece.number] += part.reshape(-1) @ terms.flatten(0, 2)
            steep = terms.addcmul_(terms, terms, value=-1).mul_(part.unsqueeze(-1))
            gradients.query[b, i] += steep.sum(2)
            gradients.key[b, j] += steep.sum(1)
        gradients.vector[piece.number] -= slope.sum() / 2  # sum g (1 - 2r) = -2 sum g (r - 1/2)

    def descend_to_queries(self, to_query: Tensor, batch: slice, slope: Tensor) -> None:
        for b, i, j in self._chunks(batch, slice(0, slope.shape[1])):
            terms = self._terms(b, i, j)
            steep = terms.addcmul_(terms, terms, value=-1)
            part = slope[_shift(b, batch), i, j].unsqueeze(-2)
            to_query[_shift(b, batch), i] += (part @ steep).squeeze(-2)

    def finish(self, gradients: Gradients) -> tuple[Tensor, Tensor, Tensor]:
        scale = 4 * self.vector
        return gradients.query.mul_(scale), gradients.key.mul_(scale), -2 * gradients.vector.sum(0)


def _shift(part: slice, whole: slice) -> slice:
    return slice(part.start - whole.start, part.stop - whole.start)


def choose(query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None) -> Tiles:
    """Pick the engine, here and nowhere else: by device, by Numba's presence and by size.

    ``ready`` is exp(2 key) where it has been made before, of keys that were found small enough.
    """
    if query.device.type != "cpu":
        return ChunkedTiles(query, key, vector, small=False)
    small = is_small(query) and (ready is not None or is_small(key))
    if small and available():
        return CompiledTiles(query, exponentials(key) if ready is None else ready, vector)
    return ChunkedTiles(query, key, vector, small)


def exponentials(tensor: Tensor) -> Tensor:
    """exp(2x), in one piece."""
    return (tensor + tensor).exp_().contiguous()


def is_small(tensor: Tensor) -> bool:
    """Whether all exponentials are finite.

    The comparison is false for NaN and infinity as well, which then take the way that stands them.
    """
    low, high = tensor.aminmax()
    largest = LARGEST[tensor.dtype]
    return -largest < low.item() and high.item() < largest
