"""Lifetimes of issued tokens."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import Client


class Lifetimes(NamedTuple):
    """In seconds; those of the service's settings are the maximum.

    The service keys publishes a retired key for no longer than a token of these lives, and the revocation of a user is
    stored for no longer: the lifetimes of a client can only be shorter.

    Attributes:
        refresh_idle: a refresh token that is unused for so long expires.
        refresh: no refresh token of a grant is valid so long after the first.
    """

    access_token: int
    id_token: int
    refresh_idle: int
    refresh: int

    def of(self, client: Client) -> Lifetimes:
        """The lifetimes for a client: those of its registration, within these."""
        limits = client.lifetimes
        if limits is None:
            return self
        return Lifetimes(
            min(self.access_token, limits.access_token_seconds),
            min(self.id_token, limits.id_token_seconds),
            min(self.refresh_idle, limits.refresh_idle_seconds),
            min(self.refresh, limits.refresh_seconds),
        )
