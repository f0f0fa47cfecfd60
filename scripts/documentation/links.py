"""Links of a document: to pages of the site, to its pictures, and to files of the repository, which become pages of source."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

_LINK: Final = re.compile(r"""(\]\(|(?:href|src)=["'])([^)\s"'#]+)""")
_ELSEWHERE: Final = re.compile(r"[a-z][a-z+.-]*:|/")
_FENCE: Final = re.compile(r"^ *(```|~~~)")

Target = Callable[[str], str]


class MissingTarget(ValueError):
    """A document links to a file that does not exist."""


def rewritten(text: str, path: str, place: str, target: Target) -> str:
    """A document whose links lead where their targets are on the site.

    Args:
        path: of the document in the repository.
        place: of the document on the site.
        target: the place on the site of a path of the repository; raises `MissingTarget`.
    """
    folder = posixpath.dirname(place)

    def replaced(found: re.Match[str]) -> str:
        if _ELSEWHERE.match(found[2]):
            return found[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[2]))
        return found[1] + posixpath.relpath(target(there), folder or ".")

    return "\n".join(_LINK.sub(replaced, line) if prose else line for prose, line in _lines(text))


def place_in(root: Path, pages: Mapping[str, str]) -> Target:
    """Finds the place of a target.

    Args:
        pages: the place of each page by its path in the repository.
    """

    def find(path: str) -> str:
        if path in pages:
            return pages[path]
        if f"{path}/README.md" in pages:
            return pages[f"{path}/README.md"]
        if path.startswith("docs/pictures/"):
            return path.removeprefix("docs/")
        if not (root / path).exists():
            raise MissingTarget(path)
        return source_place(path)

    return find


def source_place(path: str) -> str:
    """Where the site shows a file or folder of the repository."""
    return f"source/{path}.html"


def _lines(text: str) -> Iterator[tuple[bool, str]]:
    """Every line, and whether it is outside blocks of code."""
    in_code = False
    for line in text.split("\n"):
        fence = bool(_FENCE.match(line))
        in_code = in_code != fence
        yield not (in_code or fence), line
