"""Several looks in a row, each asking with what the one before has found."""

from collections.abc import Callable, Sequence

import torch
from torch import nn

from regard.attention.attended import Attended
from regard.attention.checking import check_kind
from regard.attention.look import Look
from regard.attention.memory import Memory
from regard.shapes import Context, Query

Update = Callable[[Query, Context], Query]


class Hops(nn.Module):
    """Looks once at each memory, and updates the query by what it saw before the next look.

    u_{k+1} = update(u_k, o_k), with ``torch.add`` the sum of End-To-End Memory Networks,
    Sukhbaatar et al. 2015, eq. (4). https://arxiv.org/abs/1503.08895
    One memory per hop, so that tying them is the caller's choice: the same memory three times is
    three hops with everything shared. A list of modules for ``update`` is one for each hop.
    """

    def __init__(self, look: Look, update: Update | Sequence[nn.Module] = torch.add) -> None:
        super().__init__()
        check_kind("look", look, Look, "Attention(Dot())")
        if not isinstance(update, Sequence | nn.ModuleList) and not callable(update):
            raise TypeError(
                "update must be a function, such as torch.add, or a list of modules, one for each "
                f"hop, but got {update!r}"
            )
        self.look = look
        self.update = nn.ModuleList(update) if isinstance(update, Sequence) else update

    def forward(self, query: Query, memories: Sequence[Memory]) -> tuple[Query, list[Attended]]:
        """The query after the last hop, and what each hop saw."""
        if isinstance(memories, Memory):
            raise TypeError(
                "memories must be a list with a Memory for each hop, but got one Memory; "
                "[memory] * 3 is three hops over the same"
            )
        looks = []
        for memory, update in zip(memories, self._updates(len(memories)), strict=True):
            seen = self.look(query, memory)
            query = update(query, seen.context)
            looks.append(seen)
        return query, looks

    def _updates(self, hops: int) -> Sequence[Update]:
        if not isinstance(self.update, nn.ModuleList):
            return [self.update] * hops
        if len(self.update) != hops:
            raise ValueError(
                f"there must be an update for each hop, but there are {len(self.update)} updates "
                f"and {hops} memories"
            )
        return list(self.update)
