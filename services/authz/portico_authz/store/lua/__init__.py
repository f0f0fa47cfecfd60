"""Lua scripts, each of which decides and writes atomically; all keys of a call are in one slot."""

from __future__ import annotations

from importlib.resources import files

from portico_runtime.redis.bounded_records import COUNTING


def source(name: str) -> str:
    return (files(__name__) / f"{name}.lua").read_text(encoding="utf-8")


def counting(name: str) -> str:
    """A script that counts a record, or forgets it, in the step that stores or uses it."""
    return COUNTING + source(name)
