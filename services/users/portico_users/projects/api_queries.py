"""The APIs whose scopes a client may request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import (
    Api,
    ApisFound,
    ClientKind,
    DescribedScope,
    DescribeScopes,
    GetApis,
    GetRoles,
    RoleScope,
    ScopesDescribed,
)
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.grant_types import TOKEN_EXCHANGE

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.metadata_places import MetadataPlaces, app_of_document
from portico_users.applications.store import MongoApps
from portico_users.grants.role_queries import RoleQueries
from portico_users.groups.inherited import Memberships, given_by
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.projects.project import Project
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import ActiveProjects
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import Document
from portico_users.values.names import MAX_LENGTH, canonical
from portico_users.values.records import State

_HAS_SCOPES: Final = {"$exists": True}


class UsableApi(NamedTuple):
    api: App
    project: Project
    org: Org


@dataclass(frozen=True, slots=True)
class ApiQueries:
    apps: MongoApps
    accounts: MongoAccounts
    orgs: MongoOrgs
    projects: ActiveProjects
    project_grants: MongoProjectGrants
    roles: RoleQueries
    places: MetadataPlaces
    memberships: Memberships

    async def get_apis(self, ask: GetApis) -> ApisFound:
        """Returns nothing for an unknown client; without those of inactive projects and organizations."""
        client_id = ask.client_id[: MAX_LENGTH + 1]
        app = await self._find_app(client_id, ask.org_id)
        if app is None:
            service_user = await self.accounts.find_service_user(client_id)
            return await self._found(await self._of_service_user(service_user)) if service_user else ApisFound()
        return await self._found(await self._of_app(app)) if _requests_tokens(app) else ApisFound()

    async def list_usable(self, app: App) -> list[UsableApi]:
        """Returns the APIs whose scopes a registered application may request, by name."""
        found = await self._owned_apis(await self._of_app(app)) if _requests_tokens(app) else []
        return sorted(found, key=lambda one: (canonical(one.api.name), one.api.id))

    async def describe_scopes(self, ask: DescribeScopes) -> ScopesDescribed:
        """Returns the texts of those scopes and resources that the application may request, of each API that has them."""
        app = await self._find_app(ask.client_id[: MAX_LENGTH + 1], ask.org_id)
        if app is None or app.kind is not ClientKind.OIDC:
            return ScopesDescribed()
        org = await self.orgs.find(app.org_id)
        apis = await self._active_apis(await self._of_app(app)) if ask.scopes else []
        scopes = tuple(one for api in apis for one in _described(api) if one.scope in ask.scopes)
        # An unregistered application is not one of the organization; only its host is certain.
        host = host_of_client_id(app.client_id) if app.metadata_document else ""
        return ScopesDescribed(scopes=scopes, org_name=host or (org.name if org else ""))

    async def _find_app(self, client_id: str, org_id: str) -> App | None:
        app = await self.apps.find_by_client_id(client_id)
        if app and not app.metadata_document:
            return app
        place = await self.places.find(client_id, org_id) if host_of_client_id(client_id) else None
        return app_of_document(client_id, place) if place else None

    async def _of_app(self, app: App) -> list[Document]:
        granted = await self.project_grants.list_projects_granted(app.org_id)
        ways: list[Document] = [{"apiKey": {"$in": [app.project_id, *granted]}}]
        if app.apis:
            ways.append({"clientId": {"$in": list(app.apis)}, "orgId": app.org_id, "apiKey": _HAS_SCOPES})
        return ways

    async def _of_service_user(self, user: ServiceUser) -> list[Document]:
        given = (*user.grants, *given_by(await self.memberships.list_of(user)))
        ask = GetRoles(user_id=user.id, project_ids=tuple(grant.project_id for grant in given))
        granted, with_role = await asyncio.gather(
            self.project_grants.list_projects_granted(user.org_id), self.roles.get_roles(ask)
        )
        others = sorted({*granted, *with_role.roles})
        return [{"orgId": user.org_id, "apiKey": _HAS_SCOPES}, {"apiKey": {"$in": others}}]

    async def _found(self, ways: list[Document]) -> ApisFound:
        return ApisFound(apis=tuple([_as_api(api) for api in await self._active_apis(ways)]))

    async def _active_apis(self, ways: list[Document]) -> list[App]:
        return [one.api for one in await self._owned_apis(ways)]

    async def _owned_apis(self, ways: list[Document]) -> list[UsableApi]:
        apis = await self.apps.list_where({"state": State.ACTIVE.value, "$or": ways}, None, order=("_id",))
        active = {owned.project.id: owned for owned in await self.projects.list_of(api.project_id for api in apis)}
        return [UsableApi(api, *active[api.project_id]) for api in apis if api.project_id in active]


def _requests_tokens(app: App) -> bool:
    return app.kind is ClientKind.OIDC or TOKEN_EXCHANGE in app.grant_types


def _described(api: App) -> Iterator[DescribedScope]:
    for resource in api.resources:
        yield DescribedScope(scope=resource, api=api.name, client_id=api.client_id)
    for one in api.scopes:
        yield DescribedScope(
            scope=one.scope, api=api.name, title=one.title, description=one.description, client_id=api.client_id
        )


def _as_api(app: App) -> Api:
    limited = tuple(RoleScope(scope=one.scope, roles=one.roles) for one in app.scopes if one.roles)
    return Api(
        client_id=app.client_id,
        resources=app.resources,
        scopes=tuple(one.scope for one in app.scopes),
        default_scopes=tuple(one.scope for one in app.scopes if one.granted_by_default),
        role_scopes=limited,
        project_id=app.project_id if limited else "",
    )
