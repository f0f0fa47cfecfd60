"""The first call of each service, before other imports: what is imported takes most of its memory (decision 0044)."""

from __future__ import annotations

from portico_runtime.process.memory.deferred_modules import defer_modules
from portico_runtime.process.memory.docstrings import leave_out_docstrings
from portico_runtime.process.memory.optional_libraries import leave_out_optional_libraries
from portico_runtime.process.memory.unused_modules import leave_out_unused_modules


def save_memory(*, used: frozenset[str] = frozenset()) -> None:
    """`used` are the optional libraries that this service needs."""
    leave_out_docstrings()
    leave_out_optional_libraries(used=used)
    leave_out_unused_modules()
    defer_modules()
