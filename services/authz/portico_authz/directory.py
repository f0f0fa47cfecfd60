"""Clients, users and public keys of other services, cached for at most a second and dropped on events."""

from __future__ import annotations

from typing import Any, Final

from portico_contracts import events
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys
from portico_contracts.users import (
    CHECK_PROJECT_ACCESS,
    GET_CLIENT,
    GET_LOGIN_POLICY,
    GET_USER,
    CheckProjectAccess,
    Client,
    GetClient,
    GetLoginPolicy,
    GetUser,
    LoginPolicy,
    ProjectAccess,
    User,
)
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.read_cache import ReadCache

MAX_ID: Final = 200
"""Characters of a client or user id; longer ones are unknown without a request."""

_BETWEEN: Final = "\n"
"""Between the parts of a cache key: a character that no id has."""

STRICTEST: Final = LoginPolicy(may_register=False, verified_mail=True, force_mfa=True)
"""The policy of an unknown organization: it has no users, and permits no registration."""


class BusDirectory:
    """Implements `domain.ports.Directory` by requests on the bus."""

    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._clients: ReadCache[Client | None] = ReadCache(clock, self._fetch_client)
        self._users: ReadCache[User | None] = ReadCache(clock, self._fetch_user)
        self._keys: ReadCache[tuple[dict[str, Any], ...]] = ReadCache(clock, self._fetch_keys)
        self._policies: ReadCache[LoginPolicy] = ReadCache(clock, self._fetch_policy)
        self._project_access: ReadCache[ProjectAccess] = ReadCache(clock, self._fetch_project_access)
        bus.subscribe(events.PROJECT_GRANT_CHANGED, self._drop_project_access)
        for event in (events.APP_CHANGED, events.PROJECT_CHANGED, events.ORG_CHANGED, events.INSTANCE_CHANGED):
            bus.subscribe(event, self._drop_all)
        bus.subscribe(events.USER_CHANGED, self._drop_user)

    async def find_client(self, client_id: str) -> Client | None:
        """See `Directory.find_client`."""
        return await self._clients.get(client_id) if len(client_id) <= MAX_ID else None

    async def find_user(self, user_id: str) -> User | None:
        """See `Directory.find_user`."""
        return await self._users.get(user_id) if len(user_id) <= MAX_ID else None

    def cache_user(self, user: User, *, as_of: float) -> None:
        """See `Directory.cache_user`."""
        self._users.remember(user.user_id, user, asked=as_of)

    async def public_keys(self) -> tuple[dict[str, Any], ...]:
        """See `Directory.public_keys`."""
        return await self._keys.get("")

    async def project_access(self, user_id: str, project_id: str) -> ProjectAccess:
        """See `Directory.project_access`."""
        return await self._project_access.get(_BETWEEN.join((user_id, project_id)))

    async def login_policy(self, org_id: str) -> LoginPolicy:
        """See `Directory.login_policy`."""
        return await self._policies.get(org_id if len(org_id) <= MAX_ID else "")

    async def _drop_all(self, _changed: events.Changed) -> None:
        # An app's event names the app, a project's or organization's event affects many: drop them all.
        self._clients.drop_all()
        self._users.drop_all()
        self._policies.drop_all()
        self._project_access.drop_all()

    async def _drop_user(self, changed: events.Changed) -> None:
        self._users.drop(changed.aggregate_id)
        self._project_access.drop_all()

    async def _drop_project_access(self, _changed: events.Changed) -> None:
        self._project_access.drop_all()

    async def _fetch_client(self, client_id: str) -> Client | None:
        return (await self._bus.call(GET_CLIENT, GetClient(client_id=client_id))).client

    async def _fetch_user(self, user_id: str) -> User | None:
        return (await self._bus.call(GET_USER, GetUser(user_id=user_id))).user

    async def _fetch_project_access(self, user_and_project: str) -> ProjectAccess:
        user_id, project_id = user_and_project.split(_BETWEEN)
        return await self._bus.call(CHECK_PROJECT_ACCESS, CheckProjectAccess(user_id=user_id, project_id=project_id))

    async def _fetch_policy(self, org_id: str) -> LoginPolicy:
        try:
            return await self._bus.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=org_id))
        except ServiceError as error:
            if error.kind is not Kind.NOT_FOUND:
                raise
            return STRICTEST

    async def _fetch_keys(self, _: str) -> tuple[dict[str, Any], ...]:
        return (await self._bus.call(PUBLIC_KEYS, GetPublicKeys())).jwks
