"""A memory in the shape of mem0's ``Memory``: existing code runs by changing the import.

What differs is told in ``docs/mem0.md``.
"""

from mnemic.api.mem0.memory import Memory

__all__ = ["Memory"]
