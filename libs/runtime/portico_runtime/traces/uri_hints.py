"""What differs between an address of a request and the registered one that is most like it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from portico_contracts.traces import Hint
from portico_oauth.errors import Compared

from portico_runtime.traces.shown import shown_uri, shown_uris

_MOST_COMPARED: Final = 50
_PORTS: Final = {"http": 80, "https": 443}


class Nearest(NamedTuple):
    """The registered address that is most like the given one, and what differs; both empty without any registered."""

    uri: str
    hint: Hint


def find_nearest(given: str, registered: Sequence[str]) -> Nearest:
    """Compares an address that equals none of the registered ones."""
    if not registered:
        return Nearest("", Hint.NOTHING_REGISTERED)
    parts, lower = _parts(given), given.lower()
    uri = max(registered[:_MOST_COMPARED], key=lambda one: _likeness(parts, lower, one))
    return Nearest(uri, _difference(given, uri))


def compare_uri(check: str, given: str, registered: Sequence[str]) -> Compared:
    """An address that equals none of the registered ones, beside them: the most alike first."""
    nearest = find_nearest(given, registered)
    others = [uri for uri in registered if uri != nearest.uri]
    wanted = shown_uris([nearest.uri, *others]) if nearest.uri else ()
    return Compared(check, shown_uri(given), wanted, nearest.hint)


def _likeness(parts: tuple[str, ...], lower: str, registered: str) -> tuple[int, int]:
    """Equal parts first, then how far both begin alike; linear, since the given one comes from any caller."""
    equal = sum(one == other for one, other in zip(parts, _registered_parts(registered), strict=True))
    pairs = zip(lower, registered.lower(), strict=False)
    return equal, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _parts(uri: str) -> tuple[str, ...]:
    try:
        parts = urlsplit(uri)
        return parts.scheme, parts.hostname or "", str(_port(parts)), parts.path.lower().rstrip("/")
    except ValueError:
        return "", "", "", ""


_registered_parts = lru_cache(maxsize=1_000)(_parts)


def _difference(given: str, registered: str) -> Hint:
    """The first difference in the order of an address."""
    try:
        one, other = urlsplit(given), urlsplit(registered)
        ports = _port(one), _port(other)
    except ValueError:
        return Hint.MALFORMED
    differences = (
        (Hint.USER_INFORMATION, "@" in one.netloc),
        (Hint.SCHEME, one.scheme != other.scheme),
        (Hint.HOST, one.hostname != other.hostname),
        (Hint.PORT, ports[0] != ports[1]),
        (_difference_of_paths(one.path, other.path), one.path != other.path),
        (Hint.FRAGMENT, "#" in given),
        (Hint.QUERY, ("?" in given, one.query) != ("?" in registered, other.query)),
        (Hint.CASE, given.lower() == registered.lower()),
    )
    # What is left is a default port that is written in one of them.
    return next((hint for hint, differs in differences if differs), Hint.PORT)


def _difference_of_paths(one: str, other: str) -> Hint:
    if one.rstrip("/") == other.rstrip("/"):
        return Hint.TRAILING_SLASH
    return Hint.CASE if one.lower() == other.lower() else Hint.PATH


def _port(parts: SplitResult) -> int | None:
    return parts.port or _PORTS.get(parts.scheme)
