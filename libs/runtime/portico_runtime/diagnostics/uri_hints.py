from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared
from portico_oauth.resources import resource_key

from portico_runtime.diagnostics.shown import shown_uri, shown_uris

_MOST_COMPARED: Final = 50
_PORTS: Final = {"http": 80, "https": 443}


class Nearest(NamedTuple):
    uri: str
    hint: Hint


def find_nearest(given: str, registered: Sequence[str]) -> Nearest:
    if not registered:
        return Nearest("", Hint.NOTHING_REGISTERED)
    parts, lower = _parts(given), given.lower()
    uri = max(registered[:_MOST_COMPARED], key=lambda one: _likeness(parts, lower, one))
    return Nearest(uri, _difference(given, uri))


def compare_uri(check: str, given: str, registered: Sequence[str]) -> Compared:
    nearest = find_nearest(given, registered)
    others = [uri for uri in registered if uri != nearest.uri]
    wanted = shown_uris([nearest.uri, *others]) if nearest.uri else ()
    return Compared(check, shown_uri(given), wanted, nearest.hint)


def compare_resources(given: Sequence[str], named: Sequence[str], known: Iterable[str], hint: str) -> Compared:
    """Diagnostics of resources; of those that are ``known``, one that differs from a refused one by a slash is shown."""
    refused = {_without_slash(one) for one in given if resource_key(one) not in set(map(resource_key, named))}
    near = [one for one in islice(known, _MOST_COMPARED) if _without_slash(one) in refused and one not in named]
    shown = " ".join(map(shown_uri, given))
    return Compared("resource", shown, shown_uris([*near, *named]), Hint.TRAILING_SLASH if near else hint)


def _without_slash(resource: str) -> str:
    return resource_key(resource).rstrip("/")


def _likeness(parts: tuple[str, ...], lower: str, registered: str) -> tuple[int, int]:
    """Number of equal parts, then length of the common prefix; linear, since the input is untrusted."""
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
    # The remaining difference is a default port that one of them names.
    return next((hint for hint, differs in differences if differs), Hint.PORT)


def _difference_of_paths(one: str, other: str) -> Hint:
    if one.rstrip("/") == other.rstrip("/"):
        return Hint.TRAILING_SLASH
    return Hint.CASE if one.lower() == other.lower() else Hint.PATH


def _port(parts: SplitResult) -> int | None:
    return parts.port or _PORTS.get(parts.scheme)
