"""Something that is measured: where it is, who is registered there, which processes do its work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from portico_contracts.http import GATEWAY
from portico_journeys.relying_party import Client

from bench.members import Member

ImportRows = Callable[[Sequence[str]], Awaitable[None]]
"""Imports some users, each the JSON of one; returns when all of them are stored."""

StoreUsers = Callable[[int], Awaitable[None]]
"""Stores so many users more, which nothing is asked about."""


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
        people: each signs in again and again in the sign-in operation, and once before where there are no members.
        cookies: Cookie headers of browsers that are signed in, where people cannot sign in by our pages.
        members: a population that is signed in already.
    """

    clients: tuple[Client, ...] = ()
    robots: tuple[Client, ...] = ()
    people: tuple[Person, ...] = ()
    cookies: tuple[str, ...] = field(default=(), repr=False)
    members: tuple[Member, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Target:
    """One provider.

    Args:
        name: as it is called in the table.
        issuer: its front: the gateway's address, where it has one.
        cast: who is registered.
        services: own address of each service, which is used where it is asked past the gateway.
        pids: the processes whose CPU time counts, by component: the gateway and the stores are components too.
        import_rows: imports users; None where there is no such thing.
        store_users: fills the store; None where that cannot be done.
    """

    name: str
    issuer: str
    cast: Cast
    services: Mapping[str, str] = field(default_factory=dict)
    pids: Mapping[str, Sequence[int]] = field(default_factory=dict)
    import_rows: ImportRows | None = None
    store_users: StoreUsers | None = None

    def address_of(self, url: str, *, direct: bool = False) -> str:
        """Scheme, host and port where an address of this provider is requested.

        Args:
            direct: past the gateway, at the service itself, where that is known.
        """
        if not direct:
            return origin_of(url)
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
