"""A provider that is measured: its address, who is registered there, and the processes that do its work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.http import GATEWAY
from portico_scenarios.relying_party import Client

LIMIT: Final = "limit"  # the name of the target that others are compared with
PEER: Final = "node-oidc-provider"  # the name of the target in the further column, in limits
REDIRECT_URI: Final = "http://localhost:1/callback"

say: Callable[[str], None] = partial(print, flush=True)


class BenchFailed(RuntimeError):
    """Nothing could be measured or compared; the text is the reason."""


@dataclass(slots=True)
class Member:
    """A browser that is signed in. Its values change as they are used; an empty one is not known."""

    cookie: str = field(repr=False)
    tokens: dict[str, str] = field(default_factory=dict, repr=False)
    """Access tokens by kind: opaque, or the algorithm of a JWT."""
    refresh_token: str = field(default="", repr=False)
    dpop_refresh_token: str = field(default="", repr=False)
    """Of the application whose requests have DPoP proofs."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """Who is registered: secrets by id of applications and clients of client_credentials, passwords by login name."""

    clients: Mapping[str, str] = field(repr=False)
    robots: Mapping[str, str] = field(repr=False)
    members: Sequence[Member]
    passwords: Mapping[str, str] = field(default_factory=dict, repr=False)
    redirect_uri: str = REDIRECT_URI
    auth_method: str = "client_secret_basic"
    dpop: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Applications that may send DPoP proofs; one at most."""

    def registered(self, secrets: Mapping[str, str]) -> list[Client]:
        """Clients with their secrets."""
        return [Client(id, self.redirect_uri, secret, self.auth_method) for id, secret in secrets.items()]


@dataclass(frozen=True, slots=True)
class Target:
    """One provider.

    Args:
        issuer: the gateway's address, where it has one.
        pids: the processes whose CPU time counts, by component: the gateway and the stores are components too.
        services: the address of each service, for requests past the gateway.
        import_rows: imports users, each a JSON text.
        compiles: while it runs, so that it needs a longer warm-up.
    """

    name: str
    issuer: str
    accounts: Accounts
    pids: Mapping[str, Sequence[int]]
    services: Mapping[str, str] = field(default_factory=dict)
    import_rows: Callable[[Sequence[str]], Awaitable[None]] | None = None
    compiles: bool = False

    def address_of(self, url: str, *, direct: bool = False) -> str:
        """Scheme, host and port where a URL is requested; directly is at the service itself, where that is known."""
        path = urlsplit(url).path
        owners = [route.service for route in GATEWAY if _matches(route.path, path)] if direct else []
        return self.services.get(owners[0], origin_of(url)) if owners else origin_of(url)


def _matches(route: str, path: str) -> bool:
    return path.startswith(route[:-1]) if route.endswith("*") else path == route


def origin_of(url: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def path_of(url: str) -> str:
    """Path and query: the target of a request line (RFC 9112 §3.2)."""
    return "/" + url.removeprefix(origin_of(url)).lstrip("/")
