from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from portico_contracts.management import Method
from portico_oauth.errors import PATH_NOT_FOUND, ErrorCode, Kind

BAD_PATH = ErrorCode(
    "USER-305", Kind.INVALID_REQUEST, "The path cannot be decoded.", "Encode the parts of the path as UTF-8."
)

BETA_PREFIXES: Final = frozenset({"v2beta", "v2alpha"})
"""First segments treated as ``v2``."""


class Found(NamedTuple):
    method: Method
    fields: dict[str, str]


class PathTable:
    def __init__(self, methods: Iterable[Method]) -> None:
        self._by_length: dict[int, list[tuple[list[str], Method]]] = {}
        for method in methods:
            for template in (method.template, *method.more_templates):
                segments = template.split("/")[1:]
                self._by_length.setdefault(len(segments), []).append((segments, method))
        for routes in self._by_length.values():
            # Literal segments take precedence over fields.
            routes.sort(key=lambda route: [_is_field(segment) for segment in route[0]])

    def find(self, verb: str, raw_path: bytes) -> Found | frozenset[str]:
        """Returns the method, or the HTTP methods of the path. Splits before decoding: a field may contain a slash."""
        verbs: dict[str, set[str]] = {}
        for template, method, fields in self._matches(_segments(raw_path)):
            if method.verb == verb:
                return Found(method, fields)
            shape = "/".join("{}" if _is_field(segment) else segment for segment in template)
            verbs.setdefault(shape, set()).add(method.verb)
        if not verbs:
            raise PATH_NOT_FOUND.error()
        # Only the most literal match counts: do not suggest methods of a path that matches by a field.
        return frozenset(next(iter(verbs.values())))

    def _matches(self, segments: list[str]) -> Iterator[tuple[list[str], Method, dict[str, str]]]:
        """Yields all matches; the few paths that exist only under an older prefix come first."""
        is_beta = segments[:1] and segments[0] in BETA_PREFIXES
        for sought in (segments, ["v2", *segments[1:]]) if is_beta else (segments,):
            for template, method in self._by_length.get(len(sought), ()):
                fields = _match(template, sought)
                if fields is not None:
                    yield template, method, fields


def _segments(raw_path: bytes) -> list[str]:
    try:
        return [unquote(part, errors="strict") for part in raw_path.decode("ascii").split("/")[1:]]
    except UnicodeDecodeError:
        raise BAD_PATH.error() from None


def _match(template: list[str], segments: list[str]) -> dict[str, str] | None:
    fields: dict[str, str] = {}
    for wanted, segment in zip(template, segments, strict=True):
        if _is_field(wanted):
            fields[wanted[1:-1]] = segment
        elif wanted != segment:
            return None
    return fields


def _is_field(segment: str) -> bool:
    return segment.startswith("{")
