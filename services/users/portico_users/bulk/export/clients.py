"""Writes projects with their roles, applications and members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts.apply import (
    ApiApp,
    ApiAuthMethodName,
    AuthMethodName,
    ClientAssertionAudience,
    ClientAssertionJti,
    Key,
    Member,
    OidcApp,
    Project,
    ProjectGrant,
    Role,
)
from portico_contracts.users import AuthMethod, ClientKind
from portico_runtime.clock import Clock

from portico_users.bulk.export.settings import MOST, THERE
from portico_users.bulk.export.states import state_of
from portico_users.bulk.export.written import Notes, listed
from portico_users.commands.command import Assembled
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.apps import vocabulary
from portico_users.directory.apps.app_record import App, has_management_access
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.client_keys.assertion_keys import AssertionKey, pem_of
from portico_users.directory.grants.project_grant_store import MongoProjectGrants
from portico_users.directory.members.store import MongoMembers
from portico_users.directory.projects.project import Project as ProjectRecord
from portico_users.directory.projects.store import MongoProjects
from portico_users.directory.projects.vocabulary import PRIVATE_LABELING_SETTINGS
from portico_users.kernel.records import State
from portico_users.kernel.timestamps import rfc_3339

_AUTH_METHODS = {value: name for name, value in vocabulary.AUTH_METHODS.items() if isinstance(name, AuthMethodName)}
_API_METHODS = {value: name for name, value in vocabulary.AUTH_METHODS.items() if isinstance(name, ApiAuthMethodName)}
_RESPONSE_TYPES = {value.value: name for name, value in vocabulary.RESPONSE_TYPES.items()}
_GRANT_TYPES = {value: name for name, value in vocabulary.GRANT_TYPES.items()}
ACCESS_TOKEN_TYPES = {value: name for name, value in vocabulary.ACCESS_TOKEN_TYPES.items()}


@dataclass(frozen=True, slots=True)
class ClientExport(Assembled):
    """Exports projects with their applications, grants and members."""

    projects: MongoProjects
    members: MongoMembers
    accounts: MongoAccounts
    apps: MongoApps
    clock: Clock
    project_grants: MongoProjectGrants

    async def projects_of(self, org_id: str, notes: Notes) -> tuple[Project, ...]:
        """The projects of an organization."""
        found = await self.projects.list_where({"orgId": org_id, **THERE}, MOST, order=("nameKey",))
        return tuple([await self._project(project, notes) for project in found])

    async def members_of(self, scope_id: str, *, without_org: str = "") -> tuple[Member, ...]:
        """The members of a scope, without those who belong to an organization."""
        found = await self.members.list_where({"scopeId": scope_id, **THERE}, MOST, order=("userId",))
        members = []
        for member in found:
            user = await self.accounts.find(member.user_id)
            if member.roles and user and user.state is not State.DELETED and user.org_id != without_org:
                members.append(Member(user=user.id, roles=member.roles))
        return tuple(members)

    async def _project(self, project: ProjectRecord, notes: Notes) -> Project:
        apps = await self.apps.list_where({"projectId": project.id, **THERE}, MOST, order=("nameKey",))
        now = self.clock.now()
        for app in apps:
            if app.secret_hash:
                notes.add(app.id, "clientSecret is not exported: where it does not stand yet, one is made and shown.")
        return Project(
            id=project.id,
            name=project.name,
            project_role_assertion=project.project_role_assertion,
            project_role_check=project.project_role_check,
            has_project_check=project.has_project_check,
            private_labeling_setting=PRIVATE_LABELING_SETTINGS[project.private_labeling],
            roles=listed(
                Role(role_key=role.key, display_name=role.display_name, group=role.group) for role in project.roles
            ),
            oidc_apps=listed(_oidc(app, now, notes) for app in apps if app.kind is ClientKind.OIDC),
            api_apps=listed(_api(app, now, notes) for app in apps if app.kind is ClientKind.API),
            members=await self.members_of(project.id) or None,
            state=state_of(project),
            grants=await self._grants(project.id) or None,
        )

    async def _grants(self, project_id: str) -> tuple[ProjectGrant, ...]:
        found = await self.project_grants.list_where({"projectId": project_id, **THERE}, MOST, order=("created", "_id"))
        return tuple(
            [
                ProjectGrant(
                    organization=grant.granted_org_id,
                    id=grant.id,
                    role_keys=grant.role_keys,
                    members=await self.members_of(grant.id) or None,
                    state=state_of(grant),
                )
                for grant in found
            ]
        )


def keys_of(owner_id: str, keys: Sequence[AssertionKey], now: float, notes: Notes) -> tuple[Key, ...] | None:
    """The keys that still verify something."""
    good = [key for key in keys if key.expires_at == 0 or now < key.expires_at]
    if len(good) < len(keys):
        notes.add(owner_id, "Keys that have expired are left out.")
    return listed(
        Key(id=key.kid, public_key=pem_of(key), expiration_date=rfc_3339(key.expires_at) if key.expires_at else "")
        for key in good
    )


def _keys(app: App, now: float, notes: Notes) -> tuple[Key, ...] | None:
    return keys_of(app.id, app.keys, now, notes) if app.auth_method is AuthMethod.PRIVATE_KEY_JWT else None


def _api(app: App, now: float, notes: Notes) -> ApiApp:
    return ApiApp(
        id=app.id,
        name=app.name,
        client_id=app.client_id,
        auth_method_type=_API_METHODS[app.auth_method],
        client_assertion_jti=_jti(app),
        keys=_keys(app, now, notes),
        state=state_of(app),
    )


def _oidc(app: App, now: float, notes: Notes) -> OidcApp:
    return OidcApp(
        id=app.id,
        name=app.name,
        client_id=app.client_id,
        redirect_uris=app.redirect_uris,
        post_logout_redirect_uris=app.post_logout_redirect_uris,
        response_types=tuple(_RESPONSE_TYPES[value] for value in app.response_types),
        grant_types=tuple(_GRANT_TYPES[value] for value in app.grant_types),
        app_type=app.app_type,
        auth_method_type=_AUTH_METHODS[app.auth_method],
        access_token_type=ACCESS_TOKEN_TYPES[app.access_token_type],
        dev_mode=app.dev_mode,
        access_token_role_assertion=app.access_token_role_assertion,
        id_token_role_assertion=app.id_token_role_assertion,
        id_token_userinfo_assertion=app.id_token_userinfo_assertion,
        additional_origins=app.additional_origins,
        back_channel_logout_uri=app.back_channel_logout_uri,
        id_token_signed_response_alg=app.id_token_signed_response_alg,
        refresh_token_grace_seconds=app.refresh_token_grace_seconds,
        client_assertion_audience=(
            ClientAssertionAudience.ISSUER if app.issuer_audience_only else ClientAssertionAudience.ANY
        ),
        client_assertion_jti=_jti(app),
        clock_skew=vocabulary.CLOCK_SKEWS[app.clock_skew_seconds],
        strict_auth_method=app.strict_auth_method,
        roles_claim=app.roles_claim,
        hinted_logout=app.hinted_logout,
        logo_uri=app.logo_uri,
        policy_uri=app.policy_uri,
        tos_uri=app.tos_uri,
        management_access=has_management_access(app),
        keys=_keys(app, now, notes),
        state=state_of(app),
    )


def _jti(app: App) -> ClientAssertionJti:
    return ClientAssertionJti.REQUIRED if app.assertion_jti_required else ClientAssertionJti.OPTIONAL
