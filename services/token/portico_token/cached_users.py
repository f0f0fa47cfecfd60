"""Users' claims, roles and project access in versioned caches (decision 0039)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from portico_contracts.events import USER_CHANGED, Changed
from portico_contracts.users import (
    CHECK_PROJECT_ACCESS,
    CONFIRM_VERSIONS,
    GET_CLAIMS,
    GET_CONSENT,
    GET_GROUPS,
    GET_ROLES,
    ApiScope,
    CheckProjectAccess,
    Client,
    ConfirmVersions,
    ConsentFound,
    GetClaims,
    GetConsent,
    GetGroups,
    GetRoles,
    Groups,
    ProjectAccess,
    Roles,
    User,
    UserClaims,
    allowed_in,
)
from portico_runtime.bus.bus import Bus
from portico_runtime.process.background import Background
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.dated import Dated
from portico_runtime.versioned_cache.memory import VersionedCache
from portico_runtime.versioned_cache.remembered import BETWEEN

from portico_token.domain.roles import RolesByProject


class CachedUsers:
    """`version` is the user's as read with the grant, None if not read; unknown and inactive users look alike."""

    def __init__(self, bus: Bus, memory: VersionedCache) -> None:
        self._bus = bus
        self._memory = memory
        self._claims = memory.remember(UserClaims, self._ask_claims)
        self._roles = memory.remember(Roles, self._ask_roles)
        self._groups = memory.remember(Groups, self._ask_groups)
        self._access = memory.remember(ProjectAccess, self._ask_access)
        self._consents = memory.remember(ConsentFound, self._ask_consent)
        self.ruled = memory.derive(dict[str, Any])
        """Claims of claim rules by user and chosen rules."""

    def listen(self) -> None:
        self._bus.subscribe(USER_CHANGED, self._forget)

    def upkeep(self) -> tuple[Background, ...]:
        return self._memory.upkeep(self._confirm)

    async def claims_of(self, user_id: str, version: str | None = None) -> UserClaims:
        """Returns all claims that userinfo may return; `user` is None unless it is active."""
        return await self._claims.get(user_id, await self._memory.version_of(user_id, version))

    async def find_user(self, user_id: str, version: str | None = None) -> User | None:
        return (await self.claims_of(user_id, version)).user

    def asked_at(self, user_id: str, projects: tuple[str, ...], project_id: str) -> tuple[int | None, ...]:
        """When users returned or confirmed what claim rules read of a user, for what is cached of it."""
        roles, access = BETWEEN.join((user_id, *projects)), BETWEEN.join((user_id, project_id))
        cached = ((self._claims, user_id), (self._groups, user_id), (self._roles, roles), (self._access, access))
        return tuple(kind.asked_at(key) for kind, key in cached)

    async def roles_of(self, user_id: str, projects: tuple[str, ...], version: str | None = None) -> RolesByProject:
        if not projects:
            return {}
        key = BETWEEN.join((user_id, *projects))
        return (await self._roles.get(key, await self._memory.version_of(user_id, version))).roles

    async def groups_of(self, user: User | None, client: Client, version: str | None = None) -> tuple[str, ...]:
        """The names of the user's groups; an application of another organization gets none.

        Two organizations may have groups of the same name.
        """
        if user is None or user.org_id != client.org_id:
            return ()
        return (await self._groups.get(user.user_id, await self._memory.version_of(user.user_id, version))).names

    async def has_project_access(self, user_id: str, client: Client, version: str | None = None) -> bool:
        if not (client.checks_roles or client.checks_project):
            return True
        key = BETWEEN.join((user_id, client.project_id))
        access = await self._access.get(key, await self._memory.version_of(user_id, version))
        return (access.has_role or not client.checks_roles) and (access.has_project or not client.checks_project)

    async def are_of_project(self, user_id: str, client: Client, version: str | None = None) -> bool:
        key = BETWEEN.join((user_id, client.project_id))
        return (await self._access.get(key, await self._memory.version_of(user_id, version))).has_project

    async def allowed_to(self, user_id: str, client_id: str, version: str | None = None) -> frozenset[ApiScope]:
        key = BETWEEN.join((user_id, client_id))
        return allowed_in(await self._consents.get(key, await self._memory.version_of(user_id, version)))

    async def _ask_claims(self, user_id: str, seen: str) -> Dated[UserClaims]:
        claims = await self._bus.call(GET_CLAIMS, GetClaims(user_id=user_id, seen=seen))
        if claims.user is None:
            return Dated(claims, "", "")
        return Dated(claims, claims.user.version, keys.organization(claims.user.org_id).field)

    async def _ask_roles(self, key: str, _seen: str) -> Dated[Roles]:
        user_id, *projects = key.split(BETWEEN)
        roles = await self._bus.call(GET_ROLES, GetRoles(user_id=user_id, project_ids=tuple(projects)))
        return Dated(roles, roles.version, keys.ANY)

    async def _ask_groups(self, user_id: str, _seen: str) -> Dated[Groups]:
        groups = await self._bus.call(GET_GROUPS, GetGroups(user_id=user_id))
        return Dated(groups, groups.version, keys.ANY)

    async def _ask_access(self, key: str, _seen: str) -> Dated[ProjectAccess]:
        user_id, project_id = key.split(BETWEEN)
        access = await self._bus.call(CHECK_PROJECT_ACCESS, CheckProjectAccess(user_id=user_id, project_id=project_id))
        return Dated(access, access.version, keys.ANY)

    async def _ask_consent(self, key: str, seen: str) -> Dated[ConsentFound]:
        user_id, client_id = key.split(BETWEEN)
        found = await self._bus.call(GET_CONSENT, GetConsent(user_id=user_id, client_id=client_id, seen=seen))
        return Dated(found, found.version, keys.organization(found.org_id).field if found.org_id else "")

    async def _confirm(self, versions: Mapping[str, str]) -> Iterable[str]:
        return (await self._bus.call(CONFIRM_VERSIONS, ConfirmVersions(versions=dict(versions)))).changed

    async def _forget(self, changed: Changed) -> None:
        # Only a hint: the version decides. The others are few, and found by their version.
        self._claims.forget(changed.aggregate_id)
