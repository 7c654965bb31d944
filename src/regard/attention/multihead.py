"""Several looks side by side, each through its own projections."""

from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.attention.attended import Attended
from regard.attention.attention import Attention
from regard.attention.checking import check_kind, check_mask, check_pair, check_tensor
from regard.attention.look import Look
from regard.attention.memory import Memory, recall
from regard.blends import WeightedSum
from regard.masks import silence
from regard.scores import ScaledDot
from regard.shapes import Key, Mask, Query, Value

Joined = Float[Tensor, "*#batch length size"]
Heads = Float[Tensor, "*#batch head length part"]


class MultiHead(Look):
    """Looks ``heads`` times at once, each through its own projections, and joins what was seen.

    MultiHead(Q, K, V) = [head_1; ...; head_h] W_O, head_i = Attention(Q W_Qi, K W_Ki, V W_Vi).
    Attention Is All You Need, Vaswani et al. 2017, section 3.2.2.
    https://arxiv.org/abs/1706.03762
    ``size`` is the width of queries and contexts; keys and values may have others. With
    ``key_heads`` below ``heads``, groups of heads share keys and values (grouped-query attention,
    Ainslie et al. 2023, https://arxiv.org/abs/2305.13245; 1 is multi-query). The heads share the
    parameters of the look's parts, if it has any. The weights have the shape
    (*batch, head, query, key); masks are given without a head axis.
    """

    axes: ClassVar[tuple[str, ...]] = ("head", "query", "key")

    def __init__(
        self,
        look: Attention,
        *,
        size: int,
        heads: int,
        key_size: int | None = None,
        value_size: int | None = None,
        key_heads: int | None = None,
        bias: bool = True,
    ) -> None:
        super().__init__()
        check_kind("look", look, Attention, "Attention(ScaledDot())")
        key_heads = heads if key_heads is None else key_heads
        _check_heads(size, heads, key_heads)
        self.look = look
        self.heads = heads
        self.key_heads = key_heads
        shared = size // heads * key_heads
        self.to_query = nn.Linear(size, size, bias=bias)  # W_Q
        self.to_key = nn.Linear(size if key_size is None else key_size, shared, bias=bias)  # W_K
        self.to_value = nn.Linear(size if value_size is None else value_size, shared, bias=bias)
        self.to_output = nn.Linear(size, size, bias=bias)  # W_O
        for projection in (self.to_query, self.to_key, self.to_value, self.to_output):
            nn.init.xavier_uniform_(projection.weight)
            if bias:
                nn.init.zeros_(projection.bias)

    def forward(
        self,
        query: Query,
        key: Key | Memory | None = None,
        value: Value | None = None,
        mask: Mask | None = None,
    ) -> Attended:
        """Look through every head; the arguments are those of ``Attention``."""
        _check_width("query", query, self.to_query)
        if isinstance(key, Memory) and mask is not None:
            check_mask(mask, key.value.select(-3, 0))
            mask = _over_heads(mask)
        memory = recall(self.remember, query if key is None else key, value, mask)
        seen = self.look(_split(self.to_query(query), self.heads), self._spread(memory))
        seen.source.watch(self.parameters())
        context = self.to_output(_join(seen.context))
        return Attended(_without_blind(context, memory), seen.source)

    def remember(self, key: Key, value: Value | None = None, mask: Mask | None = None) -> Memory:
        """Project keys and values once for many looks: ``many(query, memory)``.

        A cache for step-by-step decoding grows by ``memory.append(many.remember(new))``.
        """
        value = key if value is None else value
        check_pair(key, value)
        _check_width("key", key, self.to_key)
        _check_width("value", value, self.to_value)
        if mask is not None:
            check_mask(mask, key)
        shown = silence(key, mask)
        keys = _split(self.to_key(shown), self.key_heads)
        shown = shown if value is key else silence(value, mask)
        return self.look.store(
            keys, _split(self.to_value(shown), self.key_heads), _over_heads(mask)
        )

    def _spread(self, memory: Memory) -> Memory:
        """Keys and values as often as heads share them."""
        group = self.heads // self.key_heads
        return memory if group == 1 else memory.repeat_heads(group)

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> "MultiHead":
        """The same attention with the same weights, batch first, masks as permissions.

        ``regard.masks.from_torch`` turns its masks, where True forbids, into ours.
        """
        check_kind("module", module, nn.MultiheadAttention, "nn.MultiheadAttention(512, 8)")
        if module.bias_k is not None or module.add_zero_attn:
            raise ValueError(
                "nn.MultiheadAttention with add_bias_kv or add_zero_attn attends to keys that are "
                "not in the input; append those keys to the input instead"
            )
        look = Attention(ScaledDot(), blend=WeightedSum(dropout=module.dropout))
        many = cls(
            look,
            size=module.embed_dim,
            heads=module.num_heads,
            key_size=module.kdim,
            value_size=module.vdim,
            bias=module.in_proj_bias is not None,
        )
        many.to(module.out_proj.weight).train(module.training)
        many.load_state_dict(_state_from_torch(module))
        return many

    def extra_repr(self) -> str:
        grouped = f", key_heads={self.key_heads}" if self.key_heads != self.heads else ""
        return f"heads={self.heads}{grouped}"


def _split(joined: Joined, heads: int) -> Heads:
    """(*batch, length, size) -> (*batch, head, length, part)."""
    parts = joined.reshape(*joined.shape[:-1], heads, joined.shape[-1] // heads)
    return parts.transpose(-3, -2)


def _join(split: Heads) -> Joined:
    """(*batch, head, length, part) -> (*batch, length, size)."""
    return split.transpose(-3, -2).flatten(-2)


def _without_blind(context: Joined, memory: Memory) -> Joined:
    """Zero for a query that may see nothing, where the output's bias would stand alone."""
    if memory.length == 0:
        return torch.zeros_like(context)
    if memory.mask is None:
        return context
    seeing = memory.mask.any(dim=-1)  # *#batch 1 #query, or #query alone
    return torch.where(seeing.flatten(-2).unsqueeze(-1) if seeing.dim() > 1 else seeing[:, None],
                       context, 0)  # fmt: skip


def _over_heads(mask: Mask | None) -> Mask | None:
    """The same permission for every head."""
    return mask if mask is None or mask.dim() == 2 else mask.unsqueeze(-3)


def _state_from_torch(module: nn.MultiheadAttention) -> dict[str, Tensor]:
    """The parameters of torch's module under our names."""
    packed = module.in_proj_weight
    separate = (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    weights = separate if packed is None else packed.chunk(3)
    names = ("to_query", "to_key", "to_value", "to_output")
    pairs = zip(names, (*weights, module.out_proj.weight), strict=True)
    state = {f"{name}.weight": weight.detach() for name, weight in pairs}
    if module.in_proj_bias is not None:
        biases = zip(names, (*module.in_proj_bias.chunk(3), module.out_proj.bias), strict=True)
        state |= {f"{name}.bias": bias.detach() for name, bias in biases}
    return state


def _check_heads(size: int, heads: int, key_heads: int) -> None:
    if heads < 1 or size < heads or size % heads:
        lower = max(size - size % heads, heads) if heads > 0 else 0
        near = f"the nearest sizes that do are {lower} and {lower + heads}"
        hint = near if heads > 0 else "take heads=1 or more"
        raise ValueError(
            f"size must split evenly over heads, but size={size} and heads={heads}; {hint}"
        )
    if key_heads < 1 or heads % key_heads:
        fits = [count for count in range(1, heads + 1) if heads % count == 0]
        raise ValueError(
            f"heads must split evenly over key_heads, but heads={heads} and "
            f"key_heads={key_heads}; with {heads} heads, key_heads may be one of {fits}"
        )


def _check_width(name: str, tensor: object, projection: nn.Linear) -> None:
    check_tensor(name, tensor)
    if isinstance(tensor, Tensor) and tensor.shape[-1] != projection.in_features:
        argument = "size" if name == "query" else f"{name}_size"
        raise ValueError(
            f"MultiHead was made for a {name} of size {projection.in_features}, but the {name} has "
            f"{tuple(tensor.shape)}; make it with {argument}={tensor.shape[-1]}"
        )
