"""Clients and users as the service users has them, cached for a second at most, invalidated by its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from portico_contracts.events import (
    APP_CHANGED,
    INSTANCE_CHANGED,
    ORG_CHANGED,
    PROJECT_CHANGED,
    PROJECT_GRANT_CHANGED,
    USER_CHANGED,
    Changed,
)
from portico_contracts.users import (
    CHECK_ORIGIN,
    CHECK_PROJECT_ACCESS,
    GET_AUDIENCES,
    GET_CLAIMS,
    GET_CLIENT,
    GET_ROLES,
    GET_SERVICE_USER,
    GET_USER,
    CheckOrigin,
    CheckProjectAccess,
    Client,
    GetAudiences,
    GetClaims,
    GetClient,
    GetRoles,
    GetServiceUser,
    GetUser,
    User,
    UserClaims,
)
from portico_oauth.scopes import OWN_PROJECT, project_in
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.read_cache import ReadCache

from portico_token.domain.audience import OWN_AUDIENCE, Audiences
from portico_token.domain.clients import Registration, registered_service_user
from portico_token.domain.roles import RolesByProject

_BETWEEN: Final = "\n"
"""Between the parts of a cache key, users and projects: a character that no id has."""


class Directory:
    """Finds clients and users as they are now; unknown and inactive look alike."""

    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._applications: ReadCache[Registration | None] = ReadCache(clock, self._load_application)
        self._service_users: ReadCache[Registration | None] = ReadCache(clock, self._load_service_user)
        self._users: ReadCache[User | None] = ReadCache(clock, self._load_user)
        self._claims: ReadCache[UserClaims] = ReadCache(clock, self._load_claims)
        self._roles: ReadCache[RolesByProject] = ReadCache(clock, self._load_roles)
        self._audiences: ReadCache[Audiences] = ReadCache(clock, self._load_audiences)
        self._origins: ReadCache[bool] = ReadCache(clock, self._load_origin)
        people = (self._users.drop_all, self._claims.drop_all, self._service_users.drop_all)
        self._all = (
            self._applications.drop_all,
            *people,
            self._roles.drop_all,
            self._audiences.drop_all,
            self._origins.drop_all,
        )

    def listen(self) -> None:
        """Subscribes to changes, which invalidate the caches. Call before the bus starts."""
        self._bus.subscribe(USER_CHANGED, self._invalidate_user)
        self._bus.subscribe(PROJECT_GRANT_CHANGED, self._invalidate_roles)
        # These are rare, and name an object rather than everything that depends on it.
        for event in (APP_CHANGED, PROJECT_CHANGED, ORG_CHANGED, INSTANCE_CHANGED):
            self._bus.subscribe(event, self._invalidate_all)

    async def find_client(self, client_id: str) -> Client | None:
        """An active client.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        application = await self._applications.get(client_id)
        return application.client if application else None

    async def find_registration(self, client_id: str) -> Registration | None:
        """What is registered under a client id: an active application, else an active service user.

        Args:
            client_id: of a service user its user id or its user name.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        return await self._applications.get(client_id) or await self._service_users.get(client_id)

    async def audiences_of(self, scope: Iterable[str]) -> Audiences:
        """The audiences of the projects a scope names; unknown projects are absent.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        named = {project for word in scope if (project := project_in(word))} - {OWN_PROJECT}
        return await self._audiences.get(_BETWEEN.join(sorted(named))) if named else OWN_AUDIENCE

    async def find_user(self, user_id: str) -> User | None:
        """An active user of an active organization.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        return await self._users.get(user_id)

    async def claims_of(self, user_id: str) -> UserClaims:
        """All claims userinfo may return about a user; `user` is None unless it is active.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        return await self._claims.get(user_id)

    async def roles_of(self, user_id: str, projects: tuple[str, ...]) -> RolesByProject:
        """The roles a user was granted in these projects.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        return await self._roles.get(_BETWEEN.join((user_id, *projects))) if projects else {}

    async def has_project_access(self, user_id: str, client: Client) -> bool:
        """The project of a client admits a user: with a role, or by a project grant, where the project requires it.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        if not (client.checks_roles or client.checks_project):
            return True
        request = CheckProjectAccess(user_id=user_id, project_id=client.project_id)
        access = await self._bus.call(CHECK_PROJECT_ACCESS, request)
        return (access.has_role or not client.checks_roles) and (access.has_project or not client.checks_project)

    async def is_known_origin(self, origin: str) -> bool:
        """Some active application has registered this origin.

        Raises:
            ServiceError: `unavailable` when users cannot be reached.
        """
        return await self._origins.get(origin)

    async def _load_application(self, client_id: str) -> Registration | None:
        client = (await self._bus.call(GET_CLIENT, GetClient(client_id=client_id))).client
        return Registration(client, frozenset((client.auth_method,))) if client else None

    async def _load_service_user(self, client_id: str) -> Registration | None:
        found = (await self._bus.call(GET_SERVICE_USER, GetServiceUser(client_id=client_id))).service_user
        return registered_service_user(found) if found else None

    async def _load_audiences(self, projects: str) -> Audiences:
        request = GetAudiences(project_ids=tuple(projects.split(_BETWEEN)))
        return {**(await self._bus.call(GET_AUDIENCES, request)).audiences, **OWN_AUDIENCE}

    async def _load_user(self, user_id: str) -> User | None:
        return (await self._bus.call(GET_USER, GetUser(user_id=user_id))).user

    async def _load_claims(self, user_id: str) -> UserClaims:
        return await self._bus.call(GET_CLAIMS, GetClaims(user_id=user_id))

    async def _load_roles(self, user_and_projects: str) -> RolesByProject:
        user_id, *projects = user_and_projects.split(_BETWEEN)
        return (await self._bus.call(GET_ROLES, GetRoles(user_id=user_id, project_ids=tuple(projects)))).roles

    async def _load_origin(self, origin: str) -> bool:
        return (await self._bus.call(CHECK_ORIGIN, CheckOrigin(origin=origin))).known

    async def _invalidate_user(self, changed: Changed) -> None:
        self._users.drop(changed.aggregate_id)
        self._claims.drop(changed.aggregate_id)
        # Few are cached, and their cache keys are not the user's id, or not only.
        self._roles.drop_all()
        self._service_users.drop_all()

    async def _invalidate_roles(self, _changed: Changed) -> None:
        self._roles.drop_all()

    async def _invalidate_all(self, _changed: Changed) -> None:
        for drop_all in self._all:
            drop_all()
