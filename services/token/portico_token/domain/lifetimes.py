"""How long what is issued lives."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import Client


class Lifetimes(NamedTuple):
    """In seconds; of the service's own settings, these are the most there can be.

    Keys keeps a retired key for no longer than a token of these lives, and that a user was ended is remembered for no
    longer: what another service says can only make it less.

    Attributes:
        refresh_idle: a refresh token that is not used for so long is worth nothing.
        refresh: nor is any of its grant, so long after the first.
    """

    access_token: int
    id_token: int
    refresh_idle: int
    refresh: int

    def of(self, client: Client) -> Lifetimes:
        """Those of tokens for a client: what users says of it, within these."""
        limits = client.lifetimes
        if limits is None:
            return self
        return Lifetimes(
            min(self.access_token, limits.access_token_seconds),
            min(self.id_token, limits.id_token_seconds),
            min(self.refresh_idle, limits.refresh_idle_seconds),
            min(self.refresh, limits.refresh_seconds),
        )
