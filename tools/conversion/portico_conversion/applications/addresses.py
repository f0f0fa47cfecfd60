"""Redirect URIs and origins of an old client: what can be registered here, and a reason for each that cannot."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from portico_oauth.redirect_uris import is_loopback, may_register, needs_plain_schemes, origin_of

from portico_conversion.findings import Reports

WILDCARD: Final = "a redirect URI with a wildcard: register each complete URI"
PATTERN: Final = "a redirect URI with a pattern: register each complete URI"
SEEN: Final = "a redirect URI of the event log, added in place of a wildcard"
NOT_HERE: Final = (
    "a redirect URI that cannot be registered: only https, http on a loopback host, and private-use schemes with a dot"
)
PLAIN: Final = "a redirect URI whose scheme has no dot: only native applications with plainSchemes may use it"
PLAIN_SET: Final = "a redirect URI whose scheme has no dot, for which plainSchemes is set"
ORIGIN: Final = "an origin that is not scheme, host and port"
MOST_SEEN: Final = 100
"""URIs of the event log that are added to one client: more than these are made up by their senders."""


def exact_uris(
    uris: Iterable[str], seen: Collection[str], report: Reports, *, dev_mode: bool = False
) -> tuple[str, ...]:
    """Returns the URIs that can be registered, by a native application; `seen` are those of sign-ins that worked at the source."""
    found: dict[str, None] = {}
    for uri in uris:
        if "*" in uri:
            report(WILDCARD, uri)
            for one in sorted(_matching(uri, seen))[:MOST_SEEN]:
                report.changed(SEEN, one)
                found[one] = None
        elif may_register(uri, dev_mode=dev_mode, plain_schemes=True):
            found[uri] = None
        else:
            report(NOT_HERE, uri)
    return tuple(found)


def keep_plain_schemes(uris: tuple[str, ...], report: Reports, *, is_native: bool) -> tuple[str, ...]:
    """Without schemes that lack a dot, unless the application is native, which then has `plainSchemes`."""
    plain = [uri for uri in uris if needs_plain_schemes(uri)]
    for uri in plain:
        report.changed(PLAIN_SET, uri) if is_native else report(PLAIN, uri)
    return uris if is_native else tuple(uri for uri in uris if uri not in plain)


def _matching(wildcard: str, seen: Collection[str]) -> Iterator[str]:
    pattern = re.compile(".*".join(re.escape(part) for part in wildcard.split("*")) + r"\Z", re.DOTALL)
    return (uri for uri in seen if may_register(uri) and pattern.match(uri))


def exact_origins(origins: Iterable[str], redirect_uris: Collection[str], report: Reports) -> tuple[str, ...]:
    """Returns the origins beyond those of the redirect URIs, which need no entry."""
    own = {origin_of(uri) for uri in redirect_uris}
    found: dict[str, None] = {}
    for origin in origins:
        bare = origin.removesuffix("/")
        if not (may_register(bare, dev_mode=True) and origin_of(bare) == bare == bare.lower()):
            report(ORIGIN, origin)
        elif bare not in own:
            found[bare] = None
    return tuple(found)


def is_native(uris: Collection[str]) -> bool:
    """Returns whether only an application on the user's device can receive the codes."""
    return bool(uris) and all(
        not uri.startswith(("https:", "http:")) or (is_loopback(urlsplit(uri).hostname) and _has_no_port(uri))
        for uri in uris
    )


def is_any_port(uris: Collection[str]) -> bool:
    return any(uri.startswith("http:") and is_loopback(urlsplit(uri).hostname) and _has_no_port(uri) for uri in uris)


def _has_no_port(uri: str) -> bool:
    return urlsplit(uri).port is None
