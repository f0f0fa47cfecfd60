"""What authz and token ask about applications."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from portico_contracts.users import AskClient, Client, ClientFound
from portico_oauth.redirect_uris import origin_of

from portico_users.apps.app_record import App
from portico_users.apps.store import MongoApps
from portico_users.domain.names import MAX_LENGTH
from portico_users.domain.records import State
from portico_users.orgs.store import MongoOrgs
from portico_users.projects.store import MongoProjects


@dataclass(frozen=True, slots=True)
class AppQueries:
    """Answers `GET_CLIENT`: four indexed reads, three of them at the same time."""

    apps: MongoApps
    projects: MongoProjects
    orgs: MongoOrgs

    async def get_client(self, ask: AskClient) -> ClientFound:
        """The client, if it, its project and its organization are active; otherwise nothing."""
        if len(ask.client_id) > MAX_LENGTH:
            return ClientFound()
        app = await self.apps.find_by_client_id(ask.client_id)
        if app is None or app.state is not State.ACTIVE:
            return ClientFound()
        project, org, client_ids = await asyncio.gather(
            self.projects.find(app.project_id), self.orgs.find(app.org_id), self.apps.list_client_ids(app.project_id)
        )
        if not all(owner and owner.state is State.ACTIVE for owner in (project, org)):
            return ClientFound()
        return ClientFound(client=as_client(app, (*client_ids, app.project_id)))


def as_client(app: App, audience: tuple[str, ...]) -> Client:
    """The application in the words of the contract."""
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
        redirect_uris=app.redirect_uris,
        post_logout_redirect_uris=app.post_logout_redirect_uris,
        response_types=app.response_types,
        grant_types=app.grant_types,
        origins=_origins(app),
        dev_mode=app.dev_mode,
        access_token_type=app.access_token_type,
        id_token_userinfo_assertion=app.id_token_userinfo_assertion,
        id_token_alg=app.id_token_signed_response_alg,
        refresh_token_grace_seconds=app.refresh_token_grace_seconds,
        back_channel_logout_uri=app.back_channel_logout_uri,
        issuer_audience_only=app.issuer_audience_only,
    )


def _origins(app: App) -> tuple[str, ...]:
    of_redirects = (origin_of(uri) for uri in app.redirect_uris)
    return tuple(dict.fromkeys(origin for origin in (*of_redirects, *app.additional_origins) if origin))
