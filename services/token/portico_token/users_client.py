"""Clients, audiences and origins of users, cached under the lease on versions (decision 0039)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from portico_contracts.authz import CodeGrant
from portico_contracts.events import APP_CHANGED, INSTANCE_CHANGED, ORG_CHANGED, PROJECT_CHANGED, USER_CHANGED, Changed
from portico_contracts.users import (
    CHECK_ORIGIN,
    FIND_ASSERTED,
    FIND_ASSERTION_TRUSTS,
    GET_APIS,
    GET_AUDIENCES,
    GET_CLIENT,
    GET_CLIENT_BY_URL,
    GET_SERVICE_USER,
    Api,
    Asserted,
    AssertionTrust,
    CheckOrigin,
    Client,
    FindAsserted,
    FindAssertionTrusts,
    GetApis,
    GetAudiences,
    GetClient,
    GetServiceUser,
)
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.scopes import OWN_PROJECT, of_apis, projects_in
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.read_cache import ReadCache

from portico_token.domain.audience import OWN_AUDIENCE, Audiences
from portico_token.domain.clients import Registration, registered_application, registered_service_user
from portico_token.domain.grants import AssertedBy, Grant

MAX_CLIENT_ID: Final = 200
"""Characters of a client id; longer ones are unknown without a request."""

_BETWEEN: Final = "\n"
"""Separator in cache keys; ids never contain it."""


class UsersClient:
    def __init__(self, bus: Bus, clock: Clock, lease: Lease) -> None:
        self._bus = bus
        self._applications: ReadCache[Registration | None] = ReadCache(
            clock, self._load_application, lease=lease, name="applications"
        )
        self._by_url: ReadCache[Registration | None] = ReadCache(
            clock, self._load_by_url, lease=lease, name="applications"
        )
        # Found by id or name, so that no version is read with the request: cached for a second at most.
        self._service_users: ReadCache[Registration | None] = ReadCache(
            clock, self._load_service_user, name="service users"
        )
        self._audiences: ReadCache[Audiences] = ReadCache(clock, self._load_audiences, lease=lease, name="audiences")
        # These also depend on roles, whose changes do not affect the lease: cached for a second at most.
        self._own_audiences: ReadCache[Audiences] = ReadCache(clock, self._load_audiences, name="audiences")
        self._apis: ReadCache[tuple[Api, ...]] = ReadCache(clock, self._load_apis, lease=lease, name="apis")
        self._own_apis: ReadCache[tuple[Api, ...]] = ReadCache(clock, self._load_apis, name="apis")
        # Links, and rules of organizations: cached for a second at most.
        self._trusts: ReadCache[tuple[AssertionTrust, ...]] = ReadCache(clock, self._load_trusts, name="assertions")
        self._asserted: ReadCache[Asserted] = ReadCache(clock, self._load_asserted, name="assertions")
        self._origins: ReadCache[bool] = ReadCache(clock, self._load_origin, lease=lease, name="origins")
        self._all = tuple(
            cache.drop_all
            for cache in (
                self._applications,
                self._by_url,
                self._service_users,
                self._audiences,
                self._own_audiences,
                self._apis,
                self._own_apis,
                self._origins,
                self._trusts,
                self._asserted,
            )
        )

    def listen(self) -> None:
        """Subscribes to changes, which invalidate the caches. Call before the bus starts."""
        self._bus.subscribe(USER_CHANGED, self._invalidate_service_users)
        # These events are rare, and name an object rather than everything that depends on it.
        for event in (APP_CHANGED, PROJECT_CHANGED, ORG_CHANGED, INSTANCE_CHANGED):
            self._bus.subscribe(event, self._invalidate_all)

    async def find_client(self, client_id: str) -> Client | None:
        """Returns an active client. Raises `unavailable` when users cannot be reached."""
        if len(client_id) > MAX_CLIENT_ID:
            return None
        application = await self._application(client_id)
        return application.client if application else None

    async def find_client_of(self, grant: CodeGrant | Grant) -> Client | None:
        """The active client of a grant, in the organization that accepted its document (decision 0112).

        In grants of the release before, the resources decide, as in the authorization request.
        """
        if not host_of_client_id(grant.client_id):
            return await self.find_client(grant.client_id)
        found = await self._find_by_url(_BETWEEN.join((grant.client_id, grant.client_org_id, *grant.resources)))
        return found.client if found else None

    async def current(self, client: Client, grant: CodeGrant | Grant) -> Client | None:
        """The authenticated client as `find_client_of`, where authentication does not know the organization."""
        return await self.find_client_of(grant) if host_of_client_id(client.client_id) else client

    async def fetch_document(self, client_id: str, client_address: str) -> None:
        """Has the document of a client fetched that is not in use yet; the address limits how many are."""
        if len(client_id) <= MAX_CLIENT_ID and host_of_client_id(client_id) and not await self._application(client_id):
            ask = GetClient(client_id=client_id, of_any=True, client_address=client_address)
            await self._bus.call(GET_CLIENT_BY_URL, ask)

    async def find_registration(self, client_id: str) -> Registration | None:
        """Finds the active application by client id, else the active service user by user id or user name.

        An application by metadata document is that of any organization that has not turned it off: this is enough to
        authenticate it, and `find_client_of` finds the one of a grant.
        """
        if not 0 < len(client_id) <= MAX_CLIENT_ID:
            return None
        return await self._application(client_id) or await self._service_users.get(client_id)

    async def audiences_of(self, scope: tuple[str, ...], client: Client) -> Audiences:
        """Returns the audiences of the projects that the scope names and the client may name.

        These are projects of its organization, those granted to it, for a service user those in which it has
        a role, and the management API where it has access. All others are absent, whether they exist or not.
        An application by metadata document may name none (decision 0095).
        """
        own = OWN_AUDIENCE if client.management_access else {}
        named = sorted({*projects_in(scope).values()} - {OWN_PROJECT})
        if not named or host_of_client_id(client.client_id):
            return own
        user_id = "" if client.app_id else client.client_id
        cache = self._own_audiences if user_id else self._audiences
        return {**await cache.get(_BETWEEN.join((client.org_id, user_id, *named))), **own}

    async def apis_of(self, scope: tuple[str, ...], client: Client) -> tuple[Api, ...]:
        """Returns the APIs that define words of the scope, of those whose scopes the client may request."""
        wanted = of_apis(scope)
        return tuple([api for api in await self.all_apis_of(client) if not wanted.isdisjoint(api.scopes)])

    async def all_apis_of(self, client: Client) -> tuple[Api, ...]:
        """Returns the APIs whose scopes the client may request."""
        cache = self._apis if client.app_id else self._own_apis
        return await cache.get(_BETWEEN.join((client.client_id, client.org_id)))

    async def assertion_trusts(self, client_id: str, issuer: str) -> tuple[AssertionTrust, ...]:
        """Returns the providers with this issuer whose assertions are accepted of the client."""
        return await self._trusts.get(_BETWEEN.join((client_id, issuer))) if _BETWEEN not in issuer else ()

    async def find_asserted(self, asserted: AssertedBy, client_id: str) -> Asserted:
        """Returns the user of an asserted identity, and what the client may have for it, at most a second ago."""
        texts = (client_id, asserted.provider_id, asserted.issuer, asserted.subject)
        return await self._asserted.get(_BETWEEN.join(texts))

    async def is_known_origin(self, origin: str) -> bool:
        return await self._origins.get(origin)

    async def _application(self, client_id: str) -> Registration | None:
        if host_of_client_id(client_id):
            return await self._find_by_url(client_id)
        return await self._applications.get(client_id)

    async def _find_by_url(self, key: str) -> Registration | None:
        found = await self._by_url.get(key)
        if found is None:
            self._by_url.drop(key)  # a document that is repaired counts at once
        return found

    async def _load_application(self, client_id: str) -> Registration | None:
        client = (await self._bus.call(GET_CLIENT, GetClient(client_id=client_id))).client
        return registered_application(client) if client else None

    async def _load_by_url(self, key: str) -> Registration | None:
        client_id, *grant = key.split(_BETWEEN)
        ask = GetClient(client_id=client_id, of_any=True, client_address=None)
        if grant:
            org_id, *resources = grant
            ask = replace(ask, of_any=False, org_id=org_id, resources=tuple(resources))
        client = (await self._bus.call(GET_CLIENT_BY_URL, ask)).client
        return registered_application(client) if client else None

    async def _load_service_user(self, client_id: str) -> Registration | None:
        found = (await self._bus.call(GET_SERVICE_USER, GetServiceUser(client_id=client_id))).service_user
        return registered_service_user(found) if found else None

    async def _load_audiences(self, key: str) -> Audiences:
        org_id, user_id, *projects = key.split(_BETWEEN)
        request = GetAudiences(project_ids=tuple(projects), org_id=org_id, user_id=user_id)
        return (await self._bus.call(GET_AUDIENCES, request)).audiences

    async def _load_apis(self, key: str) -> tuple[Api, ...]:
        client_id, org_id = key.split(_BETWEEN)
        return (await self._bus.call(GET_APIS, GetApis(client_id=client_id, org_id=org_id))).apis

    async def _load_trusts(self, key: str) -> tuple[AssertionTrust, ...]:
        client_id, issuer = key.split(_BETWEEN)
        ask = FindAssertionTrusts(client_id=client_id, issuer=issuer)
        return (await self._bus.call(FIND_ASSERTION_TRUSTS, ask)).trusts

    async def _load_asserted(self, key: str) -> Asserted:
        client_id, provider_id, issuer, subject = key.split(_BETWEEN, 3)
        ask = FindAsserted(provider_id=provider_id, issuer=issuer, subject=subject, client_id=client_id)
        return await self._bus.call(FIND_ASSERTED, ask)

    async def _load_origin(self, origin: str) -> bool:
        return (await self._bus.call(CHECK_ORIGIN, CheckOrigin(origin=origin))).known

    async def _invalidate_service_users(self, _changed: Changed) -> None:
        # Few are cached, and their cache keys may be names.
        self._service_users.drop_all()

    async def _invalidate_all(self, _changed: Changed) -> None:
        for drop_all in self._all:
            drop_all()
