"""What authz and token ask about applications."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_contracts.users import (
    AuthMethod,
    CheckOrigin,
    Client,
    ClientFound,
    GetClient,
    OriginChecked,
)
from portico_oauth.redirect_uris import MAX_LENGTH as MAX_URI
from portico_runtime.clock import Clock

from portico_users.directory.apps.app_record import App, has_management_access, origins_of
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.client_keys.assertion_keys import public_keys
from portico_users.directory.instance.store import MongoInstance
from portico_users.directory.instance.token_lifetimes import find_token_lifetimes
from portico_users.directory.projects.project import Project
from portico_users.directory.projects.queries import ActiveProjects
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


@dataclass(frozen=True, slots=True)
class AppQueries:
    """Answers `GET_CLIENT` and `CHECK_ORIGIN`, each by a few indexed reads."""

    apps: MongoApps
    projects: ActiveProjects
    instances: MongoInstance
    clock: Clock

    async def get_client(self, ask: GetClient) -> ClientFound:
        """The client, if it, its project and its organization are active; otherwise nothing."""
        if len(ask.client_id) > MAX_LENGTH:
            return ClientFound()
        app = await self.apps.find_by_client_id(ask.client_id)
        if app is None or app.state is not State.ACTIVE:
            return ClientFound()
        active, client_ids, lifetimes = await asyncio.gather(
            self.projects.list_of((app.project_id,)),
            self.apps.list_client_ids(app.project_id),
            find_token_lifetimes(self.instances),
        )
        if not active:
            return ClientFound()
        ((project, _org),) = active
        audience = (*client_ids, app.project_id)
        client = as_client(app, project, audience, self.clock.now())
        return ClientFound(client=msgspec.structs.replace(client, lifetimes=lifetimes))

    async def knows_origin(self, ask: CheckOrigin) -> OriginChecked:
        """Whether an active application of an active project has the origin, written as browsers do."""
        if len(ask.origin) > MAX_URI:
            return OriginChecked(known=False)
        project_ids = await self.apps.list_projects_with_origin(ask.origin)
        return OriginChecked(known=bool(await self.projects.list_of(project_ids)))


_RENAMED: Final = {
    "id_token_alg": "id_token_signed_response_alg",
    "access_token_roles": "access_token_role_assertion",
    "id_token_roles": "id_token_role_assertion",
}
_SHARED: Final = {name: name for name in Client.__struct_fields__ if name in App.__struct_fields__} | _RENAMED
"""The fields that a client takes from its application; the others are set by `as_client`."""


def as_client(app: App, project: Project, audience: tuple[str, ...], now: float) -> Client:
    """The application in the words of the contract; keys only where its method uses them."""
    shared = {name: getattr(app, of_app) for name, of_app in _SHARED.items()}
    return Client(
        **shared
        | {
            "keys": public_keys(app.keys, now) if app.auth_method is AuthMethod.PRIVATE_KEY_JWT else (),
            "management_access": has_management_access(app),
        },
        app_id=app.id,
        audience=audience,
        previous_secret_hash=app.previous_secret.hash if app.previous_secret else "",
        previous_secret_until=app.previous_secret.until if app.previous_secret else 0,
        origins=origins_of(app),
        userinfo_roles=project.project_role_assertion,
        checks_roles=project.project_role_check,
        checks_project=project.has_project_check,
        private_labeling=project.private_labeling,
    )
