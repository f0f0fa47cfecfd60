"""Lines of documents, wrapped so that an editor and a review show them whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final

from house_rules.prose import written_documents
from house_rules.rule import Finding
from house_rules.source import Source

WIDTH: Final = 120

_FENCE: Final = re.compile(r"\s*(```|~~~)")
_ITEM: Final = re.compile(r"\s*([-*+]|\d+[.)])\s+")
_WHOLE: Final = re.compile(r"\s*(\||#{1,6} |<|\[[^\]]+\]: |---|===|>)")
"""Lines that are no part of a paragraph: rows of tables, headings, HTML, link definitions, quotations."""
_TOKEN: Final = re.compile(r"(?:`[^`]*`|\S)+")
"""A word; code in backticks is one, with its blanks."""
_MARKER: Final = re.compile(r"[-*+#>|]|#{1,6}|\d+[.)]|[-=]{2,}")
"""A word that means something else at the beginning of a line."""


class LineWidth:
    """A paragraph of long lines is one changed line in a review, whatever changed in it.

    `scripts/wrap_documents.py` wraps at 120 characters. Tables, code, and links that cannot be broken may be longer.
    """

    name: ClassVar[str] = "line-width"

    def check(self, root: Path, _sources: Sequence[Source]) -> Iterator[Finding]:
        """The first line of each document that wrapping would change."""
        for document in written_documents(root):
            text = document.read_text()
            lines, wanted = text.split("\n"), wrapped(text).split("\n")
            changed = next(
                (number for number, pair in enumerate(zip(lines, wanted, strict=False), 1) if pair[0] != pair[1]), 0
            )
            if changed:
                place = document.relative_to(root).as_posix()
                yield Finding(
                    place, changed, self.name, "a line of more than 120 characters: run scripts/wrap_documents.py"
                )


def wrapped(text: str) -> str:
    """The document with each paragraph wrapped that has a line above the width."""
    lines = text.split("\n")
    found: list[str] = []
    place, in_code, after_blank, indent = 0, False, True, 0
    while place < len(lines):
        line = lines[place]
        item = _ITEM.match(line)
        if _FENCE.match(line):
            in_code = not in_code
        if not in_code and line.strip():
            indent = len(item[0]) if item else 0 if after_blank and not line.startswith(" ") else indent
        is_block = not item and after_blank and len(line) - len(line.lstrip()) - indent >= 4
        if in_code or not line.strip() or _FENCE.match(line) or _WHOLE.match(line) or is_block:
            found.append(line)
            place += 1
            after_blank = not in_code and (not line.strip() or is_block)
            continue
        end = _end_of_paragraph(lines, place)
        found += _paragraph(lines[place:end])
        place, after_blank = end, False
    return "\n".join(found)


def _end_of_paragraph(lines: list[str], start: int) -> int:
    end = start + 1
    while end < len(lines) and lines[end].strip() and not any(one.match(lines[end]) for one in (_ITEM, _FENCE, _WHOLE)):
        end += 1
    return end


def _paragraph(lines: list[str]) -> list[str]:
    """Unchanged when it is narrow enough, or breaks its lines by blanks or backslashes at their ends."""
    if all(len(line) <= WIDTH for line in lines) or any(line.endswith(("  ", "\\")) for line in lines):
        return lines
    item = _ITEM.match(lines[0])
    first = item[0] if item else lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    words = _TOKEN.findall(" ".join(line.strip() for line in [lines[0][len(first) :], *lines[1:]]))
    found = [first + words[0]]
    for word in words[1:]:
        if len(found[-1]) + 1 + len(word) <= WIDTH or _MARKER.fullmatch(word):
            found[-1] += f" {word}"
        else:
            found.append(" " * len(first) + word)
    return found
