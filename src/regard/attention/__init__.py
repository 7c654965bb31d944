"""Looks: attention, several heads of it, several hops of it, and what they return."""

from regard.attention.attended import Attended
from regard.attention.attention import Attention
from regard.attention.hops import Hops
from regard.attention.look import Look
from regard.attention.memory import Memory
from regard.attention.multihead import MultiHead
from regard.attention.pooling import Pooling
from regard.attention.watch import Watch

__all__ = ["Attended", "Attention", "Hops", "Look", "Memory", "MultiHead", "Pooling", "Watch"]
