"""Clients and people as users knows them, remembered for a second at most and forgotten when an event says so."""

from __future__ import annotations

from portico_contracts.events import APP_CHANGED, ORG_CHANGED, PROJECT_CHANGED, USER_CHANGED, Changed
from portico_contracts.users import (
    GET_CLAIMS,
    GET_CLIENT,
    GET_USER,
    AskClaims,
    AskClient,
    AskUser,
    Client,
    User,
    UserClaims,
)
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.read_cache import ReadCache


class Directory:
    """Answers who a client or a person is right now; unknown and inactive look alike."""

    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._clients: ReadCache[Client | None] = ReadCache(clock, self._load_client)
        self._users: ReadCache[User | None] = ReadCache(clock, self._load_user)
        self._claims: ReadCache[UserClaims] = ReadCache(clock, self._load_claims)

    def listen(self) -> None:
        """Hears what changed. Call before the bus starts."""
        self._bus.listen(USER_CHANGED, self._forget_user)
        # These are rare, and name an object rather than everything that hangs on it.
        for event in (APP_CHANGED, PROJECT_CHANGED, ORG_CHANGED):
            self._bus.listen(event, self._forget_all)

    async def find_client(self, client_id: str) -> Client | None:
        """An active client.

        Raises:
            Refusal: `unavailable` when users cannot be asked.
        """
        return await self._clients.get(client_id)

    async def find_user(self, user_id: str) -> User | None:
        """An active user of an active organization.

        Raises:
            Refusal: `unavailable` when users cannot be asked.
        """
        return await self._users.get(user_id)

    async def claims_of(self, user_id: str) -> UserClaims:
        """Everything userinfo may say of a user; without `user` there is no active one.

        Raises:
            Refusal: `unavailable` when users cannot be asked.
        """
        return await self._claims.get(user_id)

    async def _load_client(self, client_id: str) -> Client | None:
        return (await self._bus.call(GET_CLIENT, AskClient(client_id=client_id))).client

    async def _load_user(self, user_id: str) -> User | None:
        return (await self._bus.call(GET_USER, AskUser(user_id=user_id))).user

    async def _load_claims(self, user_id: str) -> UserClaims:
        return await self._bus.call(GET_CLAIMS, AskClaims(user_id=user_id))

    async def _forget_user(self, changed: Changed) -> None:
        self._users.drop(changed.aggregate_id)
        self._claims.drop(changed.aggregate_id)

    async def _forget_all(self, _changed: Changed) -> None:
        for cache in (self._clients, self._users, self._claims):
            cache.drop_all()
