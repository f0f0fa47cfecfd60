"""What authz and token ask about applications."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

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


def as_client(app: App, project: Project, audience: tuple[str, ...], now: float) -> Client:
    """The application in the words of the contract; keys only where its method uses them."""
    return Client(
        client_id=app.client_id,
        kind=app.kind,
        name=app.name,
        app_id=app.id,
        project_id=app.project_id,
        org_id=app.org_id,
        auth_method=app.auth_method,
        audience=audience,
        secret_hash=app.secret_hash,
        previous_secret_hash=app.previous_secret.hash if app.previous_secret else "",
        previous_secret_until=app.previous_secret.until if app.previous_secret else 0,
        redirect_uris=app.redirect_uris,
        post_logout_redirect_uris=app.post_logout_redirect_uris,
        response_types=app.response_types,
        grant_types=app.grant_types,
        origins=origins_of(app),
        dev_mode=app.dev_mode,
        access_token_type=app.access_token_type,
        id_token_userinfo_assertion=app.id_token_userinfo_assertion,
        id_token_alg=app.id_token_signed_response_alg,
        refresh_token_grace_seconds=app.refresh_token_grace_seconds,
        back_channel_logout_uri=app.back_channel_logout_uri,
        issuer_audience_only=app.issuer_audience_only,
        keys=public_keys(app.keys, now) if app.auth_method is AuthMethod.PRIVATE_KEY_JWT else (),
        access_token_roles=app.access_token_role_assertion,
        id_token_roles=app.id_token_role_assertion,
        userinfo_roles=project.project_role_assertion,
        checks_roles=project.project_role_check,
        checks_project=project.has_project_check,
        clock_skew_seconds=app.clock_skew_seconds,
        assertion_jti_required=app.assertion_jti_required,
        hinted_logout=app.hinted_logout,
        logo_uri=app.logo_uri,
        policy_uri=app.policy_uri,
        tos_uri=app.tos_uri,
        strict_auth_method=app.strict_auth_method,
        roles_claim=app.roles_claim,
        private_labeling=project.private_labeling,
        management_access=has_management_access(app),
    )
