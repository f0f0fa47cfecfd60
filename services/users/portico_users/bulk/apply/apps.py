"""Plans applications of both kinds, with their secrets and keys."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.apply import ApiApp, ClientAssertionAudience, ClientAssertionJti, OidcApp
from portico_contracts.users import ClientKind

from portico_users.bulk.apply.finding import Wanted, find_existing
from portico_users.bulk.apply.keys import wanted_keys
from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.commands.apps import AddApp, UpdateApp
from portico_users.commands.command import Assembled
from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.apps.vocabulary import (
    ACCESS_TOKEN_TYPES,
    AUTH_METHODS,
    CLOCK_SKEWS,
    GRANT_TYPES,
    RESPONSE_TYPES,
)
from portico_users.directory.projects.project import Project
from portico_users.kernel.problems import below
from portico_users.kernel.records import State
from portico_users.kernel.schema import IdSpace

AnyApp = OidcApp | ApiApp


@dataclass(frozen=True, slots=True)
class AppPlanner(Assembled):
    """Plans applications."""

    add_app: AddApp
    update_app: UpdateApp
    apps: MongoApps
    ids: IdSpace

    async def plan_app(self, plan: Plan, project: Project, wanted: AnyApp, path: str) -> tuple[App, Step]:
        """The application as it will be, and its step.

        Raises:
            ServiceError: naming the place, when it may not be so.
        """
        before = await self._find_app(project, wanted, path)
        app = _with_settings(before or await _new_app(plan, project, wanted, path), wanted)
        keys, secret = wanted_keys(wanted.keys, path, exact=plan.prune), wanted.client_secret or ""
        with below(path):
            if before is None:
                planned = await self.add_app.plan(app, keys=keys, secret=secret)
            else:
                planned = await self.update_app.plan(before, app, keys=keys, secret=secret)
        step = step_of(Subject("app", path, app.name), planned.entry, secret=planned.secret)
        return planned.entry.after, step

    async def _find_app(self, project: Project, wanted: AnyApp, path: str) -> App | None:
        kind = _kind_of(wanted)
        named = await self.apps.find_by_name(project.id, wanted.name)

        def fits(app: App) -> bool:
            return app.project_id == project.id and app.kind is kind and app.state is not State.DELETED

        return await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.apps.find, named))


async def _new_app(plan: Plan, project: Project, wanted: AnyApp, path: str) -> App:
    return App(
        id=wanted.id or wanted.client_id or await plan.new_id(path),
        org_id=project.org_id,
        project_id=project.id,
        name=wanted.name,
        client_id="",
        auth_method=AUTH_METHODS[wanted.auth_method_type],
        kind=_kind_of(wanted),
    )


def _kind_of(wanted: AnyApp) -> ClientKind:
    return ClientKind.OIDC if isinstance(wanted, OidcApp) else ClientKind.API


def _with_settings(app: App, wanted: AnyApp) -> App:
    app = msgspec.structs.replace(
        app,
        name=wanted.name,
        client_id=app.client_id if wanted.client_id is None else wanted.client_id,
        state=app.state if wanted.state is None else State(wanted.state.value),
        auth_method=AUTH_METHODS[wanted.auth_method_type],
        assertion_jti_required=wanted.client_assertion_jti is ClientAssertionJti.REQUIRED,
    )
    return _with_oidc_settings(app, wanted) if isinstance(wanted, OidcApp) else app


def _with_oidc_settings(app: App, wanted: OidcApp) -> App:
    return msgspec.structs.replace(
        app,
        redirect_uris=wanted.redirect_uris,
        post_logout_redirect_uris=wanted.post_logout_redirect_uris,
        response_types=tuple(RESPONSE_TYPES[name].value for name in wanted.response_types),
        grant_types=tuple(GRANT_TYPES[name] for name in wanted.grant_types),
        app_type=wanted.app_type,
        access_token_type=ACCESS_TOKEN_TYPES[wanted.access_token_type],
        dev_mode=wanted.dev_mode,
        access_token_role_assertion=wanted.access_token_role_assertion,
        id_token_role_assertion=wanted.id_token_role_assertion,
        id_token_userinfo_assertion=wanted.id_token_userinfo_assertion,
        additional_origins=wanted.additional_origins,
        back_channel_logout_uri=wanted.back_channel_logout_uri,
        id_token_signed_response_alg=wanted.id_token_signed_response_alg,
        refresh_token_grace_seconds=wanted.refresh_token_grace_seconds,
        issuer_audience_only=wanted.client_assertion_audience is ClientAssertionAudience.ISSUER,
        clock_skew_seconds=CLOCK_SKEWS.index(wanted.clock_skew),
        strict_auth_method=wanted.strict_auth_method,
        roles_claim=wanted.roles_claim,
        hinted_logout=wanted.hinted_logout,
        logo_uri=wanted.logo_uri,
        policy_uri=wanted.policy_uri,
        tos_uri=wanted.tos_uri,
        management_access=wanted.management_access,
    )
