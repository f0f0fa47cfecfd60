"""A client that has proven who it is."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import AuthMethod, Client


@dataclass(frozen=True, slots=True)
class AuthenticatedClient:
    """Made by `client_auth` only (a test holds that), so having one means the client was authenticated.

    Args:
        method: how it did so: the one that is registered.
    """

    client: Client
    method: AuthMethod
