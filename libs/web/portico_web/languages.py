"""Languages of the pages and their negotiation (OIDC Core section 3.1.2.1, RFC 4647 section 3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from portico_contracts.languages import RIGHT_TO_LEFT, TAGS
from starlette.requests import Request

from portico_web.headers import find_header
from portico_web.language_choice import kept_language

MAX_HEADER: Final = 1000
"""Maximum characters of Accept-Language; browsers send fewer than a hundred."""

MAX_RANGES: Final = 10
"""Maximum tags of a list (LG-23)."""

_MAX_TAG: Final = 35  # RFC 5646 §4.4.1
_RANGE: Final = re.compile(
    r"[ \t]*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7})[ \t]*"
    r"(?:;[ \t]*[Qq]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?\Z"
)


@dataclass(frozen=True, slots=True)
class Language:
    """`tag` is the canonical BCP 47 tag, `direction` a value of HTML's ``dir``."""

    tag: str
    direction: str = "ltr"


ENGLISH: Final = Language("en")

LANGUAGES: Final = tuple(
    ENGLISH if tag == ENGLISH.tag else Language(tag, "rtl" if tag in RIGHT_TO_LEFT else "ltr") for tag in TAGS
)
"""A new language needs an entry in `portico_contracts.languages` and a catalogue in every package with pages."""

_BY_TAG: Final = {language.tag.lower(): language for language in LANGUAGES}


def pick_language(*wishes: Sequence[str]) -> Language:
    """Selects a language from lists of tags, each best first; a list counts only where no earlier list has a match."""
    for wish in (tag for tags in wishes for tag in tags[:MAX_RANGES]):
        if found := _find_language(wish):
            return found
    return ENGLISH


def find_language(tag: str) -> Language | None:
    return next((language for language in LANGUAGES if language.tag == tag), None)


def read_languages(request: Request) -> tuple[str, ...]:
    """Returns the language chosen in this browser, then the tags of Accept-Language, best first."""
    return (*kept_language(request), *read_accept_language(find_header(request, b"accept-language") or ""))


def read_accept_language(header: str) -> tuple[str, ...]:
    """Returns no tags if the header is too long (RFC 9110 section 12.5.4, LG-23)."""
    return _read(header) if 0 < len(header) <= MAX_HEADER else ()


@lru_cache(maxsize=1_000)
def _read(header: str) -> tuple[str, ...]:
    ranges = [found for part in header.split(",", MAX_RANGES)[:MAX_RANGES] if (found := _RANGE.match(part))]
    weighed = [(float(found[2] or 1), found[1]) for found in ranges]
    return tuple(tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0)


def _find_language(wish: str) -> Language | None:
    """Looks up the tag, then without its last subtag, and so on (RFC 4647 lookup)."""
    tag = wish.lower() if len(wish) <= _MAX_TAG else ""
    while tag and tag not in _BY_TAG:
        tag = tag.rpartition("-")[0]
    return _BY_TAG.get(tag)
