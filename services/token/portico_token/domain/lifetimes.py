from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import Client


class Lifetimes(NamedTuple):
    """Maximum lifetimes in seconds; retired keys and revocations of users are retained that long.

    `refresh` is counted from the first refresh token of a grant; `refresh_idle` is the idle timeout.
    """

    access_token: int
    id_token: int
    refresh_idle: int
    refresh: int

    def of(self, client: Client) -> Lifetimes:
        limits = client.lifetimes
        if limits is None:
            return self
        return Lifetimes(
            min(self.access_token, limits.access_token_seconds),
            min(self.id_token, limits.id_token_seconds),
            min(self.refresh_idle, limits.refresh_idle_seconds),
            min(self.refresh, limits.refresh_seconds),
        )
