"""Lists as Python-Markdown reads them: four blanks of indent a level, and a blank line before the first item.

Documents are written as CommonMark has it, where two or three blanks are enough, and an item ends a paragraph.
"""

from __future__ import annotations

import re
from typing import Final

_ITEM: Final = re.compile(r" *(?:[-*+]|\d+[.)]) +")
_FENCE: Final = re.compile(r" *(```|~~~)")


def indented(text: str) -> str:
    """The document with blank lines before its lists, and the indent of what belongs to an item widened."""
    found: list[str] = []
    contents: list[int] = []
    shift, in_code, after_blank, of_item = 0, False, True, False
    for line in text.split("\n"):
        if in_code:
            found.append(_shifted(line, shift))
            in_code = not _FENCE.match(line)
            continue
        if line.strip():
            indent = len(line) - len(line.lstrip())
            item = _ITEM.match(line)
            if item and not after_blank and not of_item:
                found.append("")
            of_item = bool(item) or (of_item and not after_blank)
            if item or after_blank or _FENCE.match(line):
                contents = [content for content in contents if content <= indent]
                shift = 4 * len(contents) - (contents[-1] if contents else 0)
            found.append(_shifted(line, shift))
            if item and indent - (contents[-1] if contents else 0) < 4:
                contents.append(len(item[0]))
                shift = 4 * len(contents) - contents[-1]
            in_code = bool(_FENCE.match(line))
        else:
            found.append(line)
        after_blank = not line.strip()
    return "\n".join(found)


def _shifted(line: str, shift: int) -> str:
    return " " * shift + line if line.strip() else line
