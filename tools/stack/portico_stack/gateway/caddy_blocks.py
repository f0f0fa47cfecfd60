"""Blocks of a Caddyfile, as lines."""

from __future__ import annotations


def block(head: str, lines: list[str]) -> str:
    """A block at the outermost level."""
    return "\n".join(nested(head, lines)) + "\n"


def nested(head: str, lines: list[str]) -> list[str]:
    """A block inside another one."""
    return [f"{head} {{".lstrip(), *(f"\t{line}" for line in lines), "}"]
