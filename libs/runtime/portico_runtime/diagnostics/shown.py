"""Redaction for diagnostics: no raw parameter is ever recorded (IN-09)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.diagnostics import DiagnosticCheck, Hint
from portico_oauth.errors import Compared

LONGEST_SHOWN: Final = 160

MOST_WANTED: Final = 4

_SHOWN_OF_UNKNOWN: Final = 6
_ID: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
_SEGMENT: Final = re.compile(r"[A-Za-z0-9._~-]{1,40}\Z")
_CUT: Final = "\u2026"


def as_check(compared: Compared, *, passed: bool) -> DiagnosticCheck:
    """The check of a trace; without a hint where it passed."""
    name, given, wanted, hint = compared
    return DiagnosticCheck(name=name, passed=passed, given=given, wanted=wanted, hint="" if passed else hint)


def compare_length(check: str, text: str | None, wanted: str) -> Compared:
    """A parameter of which only the length may be shown."""
    return Compared(check) if text is None else Compared(check, shown_length(text), (wanted,), Hint.MALFORMED)


def shown_length(text: str) -> str:
    return f"({len(text)} characters)"


def shown_words(text: str, known: Collection[str]) -> str:
    words = [word for word in text.split(" ") if word]
    others = sum(word not in known for word in words)
    shown = [word for word in words if word in known][:20]
    return " ".join([*shown, *([f"(and {others} other)"] if others else [])])[:LONGEST_SHOWN]


def shown_client_id(text: str) -> str:
    """Returns the beginning of an unknown client id; only the length if it does not look like one."""
    if len(text) <= _SHOWN_OF_UNKNOWN or not _ID.match(text):
        return shown_length(text)
    return f"{text[:_SHOWN_OF_UNKNOWN]}{_CUT} {shown_length(text)}"


def shown_uri(text: str) -> str:
    """Returns the URI without user information, query and fragment; long or unusual path segments are omitted."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return shown_length(text)
    if not parts.scheme or not (host or "." in parts.scheme):
        return shown_length(text)
    authority = f"//{_shown_host(parts.netloc.rpartition('@')[2], host, port)}" if parts.netloc else ""
    path = "/".join(_shown_segment(segment) for segment in parts.path.split("/"))
    query = f"?{_CUT}" if parts.query or "?" in text else ""
    return f"{parts.scheme}:{authority}{path}{query}"[:LONGEST_SHOWN]


def shown_uris(uris: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(shown_uri, islice(uris, MOST_WANTED)))


def _shown_host(written: str, host: str, port: str) -> str:
    # Unchanged, because the case may be the difference.
    if _SEGMENT.match(written.partition(":")[0]):
        return written
    return f"{''.join(one if one.isprintable() else _CUT for one in host[:60])}{port}"


def _shown_segment(segment: str) -> str:
    return segment if not segment or _SEGMENT.match(segment) else _CUT
