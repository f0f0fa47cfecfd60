"""Clients, users and public keys of other services in versioned caches (decision 0039)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from portico_contracts import events
from portico_contracts.authz import CodeGrant
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys
from portico_contracts.users import (
    CHECK_ORIGIN,
    CHECK_PROJECT_ACCESS,
    CONFIRM_VERSIONS,
    GET_APIS,
    GET_CLIENT,
    GET_CLIENT_BY_URL,
    GET_CONSENT,
    GET_LOGIN_POLICY,
    GET_USED_GRANT_TYPES,
    GET_USER,
    Api,
    ApiScope,
    CheckOrigin,
    CheckProjectAccess,
    Client,
    ClientFound,
    ConfirmVersions,
    ConsentFound,
    GetApis,
    GetClient,
    GetConsent,
    GetLoginPolicy,
    GetUsedGrantTypes,
    GetUser,
    LoginPolicy,
    ProjectAccess,
    User,
    UserFound,
    allowed_in,
)
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.grant_types import DEVICE_CODE, OPTIONAL
from portico_runtime.bus.bus import Bus
from portico_runtime.process.background import Background
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.dated import Asked, Dated
from portico_runtime.versioned_cache.memory import VersionedCache
from portico_runtime.versioned_cache.read_cache import ReadCache
from portico_runtime.versioned_cache.remembered import BETWEEN

MAX_ID: Final = 200
"""Maximum characters of a client or user id; longer ones are unknown without a request."""

OFFERED_SECONDS: Final = 300.0

OF_ORG: Final = "org"
OF_REQUEST: Final = "request"
"""What cache keys of clients by URL have after the client id, which then has no control characters."""

_DROPPING: Final = (
    events.APP_CHANGED,
    events.PROJECT_CHANGED,
    events.ORG_CHANGED,
    events.INSTANCE_CHANGED,
    events.IDP_CHANGED,
)
"""Events of objects that the cached clients, APIs and login policies consist of."""

STRICTEST: Final = LoginPolicy(may_register=False, verified_mail=True, force_mfa=True)
"""The policy of an unknown organization: it has no users, and permits no registration."""


class Offered(NamedTuple):
    """What is off by default, where it is turned on."""

    grant_types: tuple[str, ...] = ()
    client_metadata: bool = False
    dpop: bool = False
    outside_servers: bool = False
    assertions: bool = False


class UsersClient:
    """Objects of other services, requested on the bus and remembered while they are provably current."""

    def __init__(self, bus: Bus, clock: Clock, memory: VersionedCache) -> None:
        self._bus = bus
        self._memory = memory
        lease = memory.lease
        self._clients: ReadCache[Client | None] = ReadCache(clock, self._fetch_client, lease=lease, name="applications")
        self._by_url: ReadCache[ClientFound] = ReadCache(clock, self._fetch_by_url, lease=lease, name="applications")
        self._apis: ReadCache[tuple[Api, ...]] = ReadCache(clock, self._fetch_apis, lease=lease, name="apis")
        self._policies: ReadCache[LoginPolicy] = ReadCache(clock, self._fetch_policy, lease=lease, name="policies")
        # As `_offered`: the metadata must not need Redis.
        self._origins: ReadCache[bool] = ReadCache(clock, self._fetch_origin, name="origins")
        self._keys: ReadCache[tuple[dict[str, Any], ...]] = ReadCache(clock, self._fetch_keys, name="jwks")
        # Without the lease, which would poll Redis while only health checks read discovery (decision 0089).
        self._offered: ReadCache[Offered] = ReadCache(
            clock, self._fetch_offered, max_age=OFFERED_SECONDS, name="offered"
        )
        self._users = memory.remember(UserFound, self._ask_user)
        self._project_access = memory.remember(ProjectAccess, self._ask_project_access)
        self._consents = memory.remember(ConsentFound, self._ask_consent)
        for event in _DROPPING:
            bus.subscribe(event, self._drop_all)
        bus.subscribe(events.USER_CHANGED, self._forget_user)

    def upkeep(self) -> tuple[Background, ...]:
        """The work that keeps what is remembered current."""
        return self._memory.upkeep(self._confirm)

    async def find_client(self, client_id: str, org_id: str = "") -> Client | None:
        """Where organizations accept the document of a client: that of this one, or of any that has not turned it off."""
        if len(client_id) > MAX_ID:
            return None
        if host_of_client_id(client_id):
            return (await self._find_by_url(BETWEEN.join((client_id, OF_ORG, org_id)))).client
        return await self._clients.get(client_id)

    async def find_requested_client(
        self, client_id: str, resources: Iterable[str], named_org_id: str, client_address: str | None = None
    ) -> ClientFound:
        """The client of an authorization request, whose resources or organization decide whose policy counts.

        Its document is fetched for the address, where it is not in use.
        """
        if not host_of_client_id(client_id):
            return ClientFound(client=await self.find_client(client_id))
        if len(client_id) > MAX_ID:
            return ClientFound()
        key = BETWEEN.join((client_id, OF_REQUEST, named_org_id, *resources))
        found = await self._find_by_url(key)
        if found.is_due and client_address is not None:
            found = await self._bus.call(GET_CLIENT_BY_URL, replace(_ask_by_url(key), client_address=client_address))
        return found

    async def find_client_of(self, grant: CodeGrant) -> Client | None:
        """The client of a grant; in those of the release before, the requested resources decide."""
        if grant.client_org_id:
            return await self.find_client(grant.client_id, grant.client_org_id)
        return (await self.find_requested_client(grant.client_id, grant.resources, "")).client

    async def apis_of(self, client: Client) -> tuple[Api, ...]:
        """Returns the APIs whose scopes an application may request."""
        return await self._apis.get(BETWEEN.join((client.client_id, client.org_id)))

    async def is_known_origin(self, origin: str) -> bool:
        """Returns whether an active application has the origin; a change takes a second."""
        return await self._origins.get(origin)

    def offered_now(self) -> Offered | None:
        """Returns what is cached, so that discovery waits for nothing."""
        return self._offered.cached("")

    async def offered(self) -> Offered:
        """Returns what discovery advertises; a missed event may delay a change for 5 minutes."""
        return await self._offered.get("")

    async def find_user(self, user_id: str, version: str | None = None) -> User | None:
        if len(user_id) > MAX_ID:
            return None
        return (await self._users.get(user_id, await self._memory.version_of(user_id, version))).user

    def begin(self) -> Asked:
        return self._users.begin()

    def cache_user(self, user: User, asked: Asked) -> None:
        self._users.remember(user.user_id, _dated(UserFound(user=user)), asked)

    async def hint_keys(self) -> tuple[dict[str, Any], ...]:
        """The published keys, and those removed from the key set within the life of a session."""
        return await self._keys.get("")

    async def project_access(self, user_id: str, project_id: str, version: str | None = None) -> ProjectAccess:
        key = BETWEEN.join((user_id, project_id))
        return await self._project_access.get(key, await self._memory.version_of(user_id, version))

    async def consent(self, user_id: str, client_id: str, version: str | None = None) -> frozenset[ApiScope]:
        """Returns what a user has allowed an application."""
        key = BETWEEN.join((user_id, client_id))
        return allowed_in(await self._consents.get(key, await self._memory.version_of(user_id, version)))

    async def login_policy(self, org_id: str) -> LoginPolicy:
        return await self._policies.get(org_id if len(org_id) <= MAX_ID else "")

    async def _drop_all(self, _changed: events.Changed) -> None:
        # An app's event names the app; that of another object affects many, so all are dropped.
        self._clients.drop_all()
        self._by_url.drop_all()
        self._apis.drop_all()
        self._policies.drop_all()
        self._offered.drop_all()
        self._origins.drop_all()

    async def _forget_user(self, changed: events.Changed) -> None:
        # Only a hint: the version decides.
        self._users.forget(changed.aggregate_id)

    async def _confirm(self, versions: Mapping[str, str]) -> Iterable[str]:
        return (await self._bus.call(CONFIRM_VERSIONS, ConfirmVersions(versions=dict(versions)))).changed

    async def _fetch_client(self, client_id: str) -> Client | None:
        return (await self._bus.call(GET_CLIENT, GetClient(client_id=client_id))).client

    async def _find_by_url(self, key: str) -> ClientFound:
        found = await self._by_url.get(key)
        if found.client is None:
            self._by_url.drop(key)  # a document that is repaired counts at once
        return found

    async def _fetch_by_url(self, key: str) -> ClientFound:
        return await self._bus.call(GET_CLIENT_BY_URL, _ask_by_url(key))

    async def _fetch_apis(self, key: str) -> tuple[Api, ...]:
        client_id, org_id = key.split(BETWEEN)
        return (await self._bus.call(GET_APIS, GetApis(client_id=client_id, org_id=org_id))).apis

    async def _fetch_origin(self, origin: str) -> bool:
        return (await self._bus.call(CHECK_ORIGIN, CheckOrigin(origin=origin))).known

    async def _fetch_offered(self, _: str) -> Offered:
        ask = GetUsedGrantTypes(grant_types=tuple(one for one in OPTIONAL if one != DEVICE_CODE))
        used, policy = await asyncio.gather(self._bus.call(GET_USED_GRANT_TYPES, ask), self._fetch_policy(""))
        devices = (DEVICE_CODE,) if policy.device_authorization else ()
        return Offered(
            (*devices, *used.grant_types), used.client_metadata, used.dpop, used.outside_servers, used.assertions
        )

    async def _ask_user(self, user_id: str, seen: str) -> Dated[UserFound]:
        return _dated(await self._bus.call(GET_USER, GetUser(user_id=user_id, seen=seen)))

    async def _ask_project_access(self, user_and_project: str, _seen: str) -> Dated[ProjectAccess]:
        user_id, project_id = user_and_project.split(BETWEEN)
        question = CheckProjectAccess(user_id=user_id, project_id=project_id)
        access = await self._bus.call(CHECK_PROJECT_ACCESS, question)
        return Dated(access, access.version, keys.ANY)

    async def _ask_consent(self, user_and_client: str, seen: str) -> Dated[ConsentFound]:
        user_id, client_id = user_and_client.split(BETWEEN)
        found = await self._bus.call(GET_CONSENT, GetConsent(user_id=user_id, client_id=client_id, seen=seen))
        return Dated(found, found.version, keys.organization(found.org_id).field if found.org_id else "")

    async def _fetch_policy(self, org_id: str) -> LoginPolicy:
        try:
            return await self._bus.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=org_id))
        except ServiceError as error:
            if error.kind is not Kind.NOT_FOUND:
                raise
            return STRICTEST

    async def _fetch_keys(self, _: str) -> tuple[dict[str, Any], ...]:
        keys = await self._bus.call(PUBLIC_KEYS, GetPublicKeys())
        return keys.jwks + keys.expired


def _dated(found: UserFound) -> Dated[UserFound]:
    if found.user is None:
        return Dated(found, "", "")
    return Dated(found, found.user.version, keys.organization(found.user.org_id).field)


def _ask_by_url(key: str) -> GetClient:
    client_id, kind, org_id, *resources = key.split(BETWEEN)
    if kind == OF_REQUEST:
        return GetClient(client_id=client_id, resources=tuple(resources), named_org_id=org_id, client_address=None)
    return GetClient(client_id=client_id, org_id=org_id, of_any=not org_id, client_address=None)
