from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_TEXT_COLUMNS: Final = ("operation", "component", "verdict")


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown, with columns of equal width."""
    columns = []
    for name, *column in zip(head, *rows, strict=True):
        width, text = max(3, *map(len, (name, *column))), name in _TEXT_COLUMNS
        ruler = "-" * (width - 1) + ("-" if text else ":")
        columns.append([cell.ljust(width) if text else cell.rjust(width) for cell in (name, ruler, *column)])
    return [f"| {' | '.join(row)} |" for row in zip(*columns, strict=True)]
