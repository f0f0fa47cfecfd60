"""The scripts that write versions; all keys of one call are in one slot."""

from __future__ import annotations

from importlib.resources import files


def source(name: str) -> str:
    """The text of ``<name>.lua``."""
    return (files(__name__) / f"{name}.lua").read_text(encoding="utf-8")
