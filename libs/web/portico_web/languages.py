"""The languages of the pages, and which of them an end user gets (OIDC Core §3.1.2.1, RFC 4647 §3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portico_contracts.languages import RIGHT_TO_LEFT, TAGS
from starlette.requests import Request

MAX_HEADER: Final = 1000
"""Characters of an Accept-Language that is read; browsers send fewer than a hundred."""

MAX_RANGES: Final = 10
"""Tags that are looked at of one list (LG-23)."""

_MAX_TAG: Final = 35  # RFC 5646 §4.4.1
_RANGE: Final = re.compile(
    r"[ \t]*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7})[ \t]*"
    r"(?:;[ \t]*[Qq]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?\Z"
)


@dataclass(frozen=True, slots=True)
class Language:
    """A language the pages are in.

    Args:
        tag: its BCP 47 tag, in canonical casing.
        direction: of its script, as a value of HTML's ``dir``.
    """

    tag: str
    direction: str = "ltr"


ENGLISH: Final = Language("en")
"""The language the templates are written in, and what everybody gets whose own is not there."""

LANGUAGES: Final = tuple(
    ENGLISH if tag == ENGLISH.tag else Language(tag, "rtl" if tag in RIGHT_TO_LEFT else "ltr") for tag in TAGS
)
"""All of them. A new one is a word in `portico_contracts.languages` and a catalogue in every package that has pages."""

_BY_TAG: Final = {language.tag.lower(): language for language in LANGUAGES}


def pick_language(*wishes: Sequence[str]) -> Language:
    """The language of a page.

    Args:
        wishes: lists of tags, each best first; a list counts only where none before it has a tag that matches.
    """
    for wish in (tag for tags in wishes for tag in tags[:MAX_RANGES]):
        if found := _find_language(wish):
            return found
    return ENGLISH


def find_language(tag: str) -> Language | None:
    """The language that has exactly this tag; None for any other text."""
    return next((language for language in LANGUAGES if language.tag == tag), None)


def read_languages(request: Request) -> tuple[str, ...]:
    """The tags of Accept-Language, best first; none of a header that is too long (RFC 9110 §12.5.4, LG-23)."""
    return read_accept_language(request.headers.get("accept-language", ""))


def read_accept_language(header: str) -> tuple[str, ...]:
    """The tags of an Accept-Language header, best first; none of one that is too long."""
    if len(header) > MAX_HEADER:
        return ()
    ranges = [found for part in header.split(",", MAX_RANGES)[:MAX_RANGES] if (found := _RANGE.match(part))]
    weighed = [(float(found[2] or 1), found[1]) for found in ranges]
    return tuple(tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0)


def _find_language(wish: str) -> Language | None:
    """Looks for the tag, then for it without its last part, and so on."""
    tag = wish.lower() if len(wish) <= _MAX_TAG else ""
    while tag and tag not in _BY_TAG:
        tag = tag.rpartition("-")[0]
    return _BY_TAG.get(tag)
