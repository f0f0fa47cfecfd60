"""Plans applications of both kinds, with their secrets and keys."""

from __future__ import annotations

import msgspec
from portico_contracts.apply import ApiApp, ClientAssertionAudience, ClientAssertionJti, OidcApp
from portico_contracts.users import AuthMethod, ClientKind
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import fingerprint

from portico_users.bulk.apply.finding import Stored, Wanted, find_existing
from portico_users.bulk.apply.keys import plan_keys
from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.directory.apps.app_record import NEEDS_SECRET, App
from portico_users.directory.apps.changes import put_app
from portico_users.directory.apps.client_secrets import new_secret
from portico_users.directory.apps.vocabulary import (
    ACCESS_TOKEN_TYPES,
    AUTH_METHODS,
    CLOCK_SKEWS,
    GRANT_TYPES,
    RESPONSE_TYPES,
)
from portico_users.directory.projects.project import Project
from portico_users.kernel.journal import ID_TAKEN
from portico_users.kernel.problems import at
from portico_users.kernel.records import State

SECRET_NOT_USED = ErrorCode(
    "USER-026",
    Kind.INVALID_REQUEST,
    "An application with this authentication method has no secret.",
    "Leave the secret out, or use the method BASIC or POST.",
)
KEYS_NOT_USED = ErrorCode(
    "USER-027",
    Kind.INVALID_REQUEST,
    "An application with this authentication method has no keys.",
    "Leave the keys out, or use the method PRIVATE_KEY_JWT.",
)
CLIENT_ID_FIXED = ErrorCode(
    "USER-013",
    Kind.FAILED_PRECONDITION,
    "The client id of an application never changes.",
    "Use the id it was created with.",
)

AnyApp = OidcApp | ApiApp


async def plan_app(plan: Plan, project: Project, wanted: AnyApp, path: str) -> tuple[App, Step]:
    """The application as it will be, and the step that brings it there.

    Raises:
        ServiceError: naming the place, when it may not be so.
    """
    stored = plan.stored
    before = await _find_app(stored, project, wanted, path)
    base = before or await _new_app(plan, project, wanted, path)
    if wanted.client_id not in (None, base.client_id):
        raise at(f"{path}.clientId", CLIENT_ID_FIXED.error())
    if wanted.keys and AUTH_METHODS[wanted.auth_method_type] is not AuthMethod.PRIVATE_KEY_JWT:
        raise at(f"{path}.keys", KEYS_NOT_USED.error())
    keys = await plan_keys(plan, base.keys, wanted.keys, path)
    after = msgspec.structs.replace(_with_settings(base, wanted), keys=keys)
    after, secret = _with_secret(stored, after, wanted, path)
    if wanted.state is not None:
        after = msgspec.structs.replace(after, state=State(wanted.state.value))
    return after, step_of(Subject("app", path, after.name), put_app(before, after, path=path), secret=secret)


async def _find_app(stored: Stored, project: Project, wanted: AnyApp, path: str) -> App | None:
    kind = _kind_of(wanted)
    named = await stored.apps.find_by_name(project.id, wanted.name)

    def fits(app: App) -> bool:
        return app.project_id == project.id and app.kind is kind and app.state is not State.DELETED

    return await find_existing(stored.ids, Wanted(path, wanted.id, "name", fits, stored.apps.find, named))


async def _new_app(plan: Plan, project: Project, wanted: AnyApp, path: str) -> App:
    # One id for both unless both are given: whoever caches by client id can use the event's object id.
    id = wanted.id or wanted.client_id or await plan.new_id(path)
    client_id = wanted.client_id or id
    if wanted.client_id is not None and not await plan.stored.ids.is_free(client_id):
        raise at(f"{path}.clientId", ID_TAKEN.error())
    return App(
        id=id,
        org_id=project.org_id,
        project_id=project.id,
        name=wanted.name,
        client_id=client_id,
        auth_method=AUTH_METHODS[wanted.auth_method_type],
        kind=_kind_of(wanted),
    )


def _kind_of(wanted: AnyApp) -> ClientKind:
    return ClientKind.OIDC if isinstance(wanted, OidcApp) else ClientKind.API


def _with_settings(app: App, wanted: AnyApp) -> App:
    app = msgspec.structs.replace(
        app,
        name=wanted.name,
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
        hinted_logout=wanted.hinted_logout,
    )


def _with_secret(stored: Stored, app: App, wanted: AnyApp, path: str) -> tuple[App, str]:
    """The application with its secret's fingerprint, and the secret when it was made here."""
    if app.auth_method not in NEEDS_SECRET:
        if wanted.client_secret is not None:
            raise at(f"{path}.clientSecret", SECRET_NOT_USED.error())
        return msgspec.structs.replace(app, secret_hash=""), ""
    if app.secret_hash:
        return app, ""
    made = "" if wanted.client_secret else new_secret(stored.random)
    return msgspec.structs.replace(app, secret_hash=fingerprint(wanted.client_secret or made)), made
