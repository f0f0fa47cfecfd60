from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Written by `make gen`. Change the code it is made of, not this page. -->"


def page_of(title: str, *parts: str) -> str:
    return "\n\n".join([NOTICE, f"# {title}", *(part.strip() for part in parts)]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Bars in cells are escaped, and line breaks become spaces."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def code(text: str) -> str:
    """Empty text gives an empty string."""
    return f"`{text}`" if text else ""


def first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
