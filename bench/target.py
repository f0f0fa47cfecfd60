"""Something that is measured: where it is, who is registered there, which processes do its work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from portico_contracts.http import GATEWAY
from portico_journeys.relying_party import Client


@dataclass(frozen=True, slots=True)
class Person:
    """An end user who can sign in with a password."""

    login_name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays.

    Args:
        clients: applications with the code flow; what kind of access token each gets is found out.
        robots: clients of client_credentials; likewise.
        people: each signs in once before the measurements, and again and again in the sign-in operation.
        cookies: Cookie headers of browsers that are signed in, where people cannot sign in by our pages.
    """

    clients: tuple[Client, ...] = ()
    robots: tuple[Client, ...] = ()
    people: tuple[Person, ...] = ()
    cookies: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Target:
    """One provider.

    Args:
        name: as it is called in the table.
        issuer: also the address of flows that cross services.
        cast: who is registered.
        services: own address of each service; operations of one service go there, past any gateway.
        pids: the processes whose CPU time counts, by service.
    """

    name: str
    issuer: str
    cast: Cast
    services: Mapping[str, str] = field(default_factory=dict)
    pids: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def address_of(self, url: str) -> str:
        """Scheme, host and port where an address of this provider is requested."""
        path = urlsplit(url).path
        owner = next((route.service for route in GATEWAY if _leads_to(route.path, path)), "")
        return self.services.get(owner) or origin_of(url)


def _leads_to(route: str, path: str) -> bool:
    return path.startswith(route[:-1]) if route.endswith("*") else path == route


def origin_of(url: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def path_of(url: str) -> str:
    """Path and query: the target of a request line (RFC 9112 §3.2)."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
