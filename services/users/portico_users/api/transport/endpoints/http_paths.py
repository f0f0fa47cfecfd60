"""The paths of the JSON form: templates of the .proto files against addresses as they were sent."""

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
"""First segments that mean ``v2``."""


class Found(NamedTuple):
    """A method, and the fields its path names."""

    method: Method
    fields: dict[str, str]


class PathTable:
    """Finds the method of an address."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._by_length: dict[int, list[tuple[list[str], Method]]] = {}
        for method in methods:
            for template in (method.template, *method.more_templates):
                segments = template.split("/")[1:]
                self._by_length.setdefault(len(segments), []).append((segments, method))
        for routes in self._by_length.values():
            # A path that is written out goes before one with a field in the same place.
            routes.sort(key=lambda route: [_is_field(segment) for segment in route[0]])

    def find(self, verb: str, raw_path: bytes) -> Found | frozenset[str]:
        """The method; or the verbs the address would take.

        The path is split before it is decoded, so that a field may hold a slash.

        Raises:
            ServiceError: PORT-002 for an address there is not, USER-305 for one that is no text.
        """
        verbs: dict[str, set[str]] = {}
        for template, method, fields in self._matches(_segments(raw_path)):
            if method.verb == verb:
                return Found(method, fields)
            shape = "/".join("{}" if _is_field(segment) else segment for segment in template)
            verbs.setdefault(shape, set()).add(method.verb)
        if not verbs:
            raise PATH_NOT_FOUND.error()
        # Of the path that is written out most: that another one takes it as a field's value is no advice.
        return frozenset(next(iter(verbs.values())))

    def _matches(self, segments: list[str]) -> Iterator[tuple[list[str], Method, dict[str, str]]]:
        """Everything that fits an address; an older prefix has a few paths of its own, which go first."""
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
