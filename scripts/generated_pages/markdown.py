"""Just enough Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Written by `make gen`. Change the code it is made of, not this page. -->"


def page_of(title: str, *parts: str) -> str:
    """A page with its notice, title and parts."""
    return "\n\n".join([NOTICE, f"# {title}", *(part.strip() for part in parts)]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars in cells are escaped, line ends become spaces."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def code(text: str) -> str:
    """Text as code; nothing for no text."""
    return f"`{text}`" if text else ""


def first_line(text: str | None) -> str:
    """The first line of a docstring."""
    return (text or "").strip().partition("\n")[0]


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
