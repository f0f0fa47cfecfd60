"""Applications: their settings, secrets, keys, and access to the management API."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb
from portico_contracts.users import AuthMethod, ClientKind
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language

from portico_users.accounts.word_index import WordIndex
from portico_users.administrators.permissions import Permission
from portico_users.applications.app_record import API_APP, OIDC_APP, App, has_management_access, origins_of
from portico_users.applications.client_keys.key_files import key_file, load_key
from portico_users.applications.client_keys.secret_uses import SecretUses
from portico_users.applications.compliance import TEXTS, findings
from portico_users.applications.edit_apps import AddApp, AppKeys, RegenerateAppSecret
from portico_users.applications.store import MongoApps
from portico_users.catalogue import PACKAGE
from portico_users.management_api.protobuf.details import changed_details_of, details_of, timestamp_of
from portico_users.management_api.protobuf.key_messages import (
    expiration_of,
    key_message,
    key_messages,
    public_key_of,
    replaced_of,
    until_of,
)
from portico_users.management_api.protobuf.listing import (
    by_text,
    by_words,
    details_of_list,
    page_of,
    page_out_of,
    questions_of,
    require_words,
)
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.targets import EVERYWHERE
from portico_users.projects.project import Project
from portico_users.storage.entry import NOT_DELETED

OidcSettings = pb.AddOIDCAppRequest | pb.UpdateOIDCAppConfigRequest
ApiSettings = pb.AddAPIAppRequest | pb.UpdateAPIAppConfigRequest


def with_oidc_settings(app: App, wanted: OidcSettings) -> App:
    after = OIDC_APP.changed(app, MessageValues(wanted))
    return msgspec.structs.replace(after, id_token_signed_response_alg=wanted.id_token_signed_response_alg or "RS256")


def with_api_settings(app: App, wanted: ApiSettings) -> App:
    return API_APP.changed(app, MessageValues(wanted))


def with_scopes(app: App, wanted: pb.SetAPIScopesRequest) -> App:
    return API_APP.changed(app, MessageValues(wanted))


def with_claim_rules(app: App, wanted: pb.SetAppClaimRulesRequest) -> App:
    return OIDC_APP.changed(app, MessageValues(wanted))


def app_message(app: App, language: Language) -> pb.App:
    is_api = app.kind is ClientKind.API
    config = {"api_config": message_of(pb.APIConfig, API_APP, app)} if is_api else {"oidc_config": _oidc(app, language)}
    return message_of(
        pb.App,
        OIDC_APP,
        app,
        id=app.id,
        details=details_of(app),
        previous_secret_replaced=replaced_of(app.previous_secret),
        previous_secret_until=until_of(app.previous_secret),
        **config,
    )


def compliance_of(app: App, language: Language) -> list[pb.ComplianceProblem]:
    words = load_catalogue(PACKAGE, language.tag)
    return [pb.ComplianceProblem(key=key, localized_message=words.gettext(TEXTS[key])) for key in findings(app)]


def _oidc(app: App, language: Language) -> pb.OIDCConfig:
    problems = compliance_of(app, language)
    return message_of(
        pb.OIDCConfig,
        OIDC_APP,
        app,
        none_compliant=bool(problems),
        compliance_problems=problems,
        allowed_origins=origins_of(app),
    )


CONDITIONS: Final = {
    "name_query": by_text("name", "name"),
    "words_query": by_words,
    "api_query": lambda query: {"apis": query.client_id},
}


async def get_app_by_id(
    call: Call[App], _request: pb.GetAppByIDRequest, *, secret_uses: SecretUses, clock: Clock
) -> pb.GetAppByIDResponse:
    message = app_message(call.target.subject, call.language)
    message.secrets.extend(await _secrets(call.target.subject, secret_uses, clock.now()))
    return pb.GetAppByIDResponse(app=message)


async def _secrets(app: App, uses: SecretUses, now: float) -> list[pb.ClientSecret]:
    """The current one first; without a previous one that no longer works."""
    if not app.secret_hash:
        return []
    previous = app.previous_secret if app.previous_secret and app.previous_secret.until > now else None
    used = await uses.last_uses(app.client_id, (app.secret_hash, *((previous.hash,) if previous else ())))
    found = [(False, app.secret_hash, app.secret_created, app.secret_until)]
    found += [(True, previous.hash, previous.created, previous.until)] if previous else []
    return [
        pb.ClientSecret(
            is_previous=is_previous,
            creation_date=timestamp_of(created) if created else None,
            expiration_date=timestamp_of(until) if until else None,
            last_used=timestamp_of(used[hash]) if hash in used else None,
        )
        for is_previous, hash, created, until in found
    ]


async def list_apps(
    call: Call[Project], request: pb.ListAppsRequest, *, apps: MongoApps, word_index: WordIndex
) -> pb.ListAppsResponse:
    await require_words(request.queries, word_index)
    question = {
        "$and": [{"projectId": call.target.subject.id}, NOT_DELETED, *questions_of(request.queries, CONDITIONS)]
    }
    found = await apps.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListAppsResponse(
        details=details_of_list(found.total), result=[app_message(app, call.language) for app in found.records]
    )


async def regenerate_oidc_client_secret(
    call: Call[App], request: pb.RegenerateOIDCClientSecretRequest, *, regenerate: RegenerateAppSecret
) -> pb.RegenerateOIDCClientSecretResponse:
    app, days = call.target.subject, request.expires_after_days
    record, secret = await regenerate(app, request.keep_seconds, days, actor=call.caller.user_id)
    return pb.RegenerateOIDCClientSecretResponse(
        client_secret=secret, details=changed_details_of(record), previous_secret_until=until_of(record.previous_secret)
    )


async def regenerate_api_client_secret(
    call: Call[App], request: pb.RegenerateAPIClientSecretRequest, *, regenerate: RegenerateAppSecret
) -> pb.RegenerateAPIClientSecretResponse:
    app, days = call.target.subject, request.expires_after_days
    record, secret = await regenerate(app, request.keep_seconds, days, actor=call.caller.user_id)
    return pb.RegenerateAPIClientSecretResponse(
        client_secret=secret, details=changed_details_of(record), previous_secret_until=until_of(record.previous_secret)
    )


async def add_oidc_app(call: Call[Project], request: pb.AddOIDCAppRequest, *, add_app: AddApp) -> pb.AddOIDCAppResponse:
    app = _new(call, request.name, ClientKind.OIDC)
    record, secret = await add_app(with_oidc_settings(app, request), actor=call.caller.user_id)
    problems = compliance_of(record, call.language)
    return pb.AddOIDCAppResponse(
        app_id=record.id,
        details=changed_details_of(record),
        client_id=record.client_id,
        client_secret=secret,
        none_compliant=bool(problems),
        compliance_problems=problems,
    )


async def add_api_app(call: Call[Project], request: pb.AddAPIAppRequest, *, add_app: AddApp) -> pb.AddAPIAppResponse:
    app = _new(call, request.name, ClientKind.API)
    record, secret = await add_app(with_api_settings(app, request), actor=call.caller.user_id)
    return pb.AddAPIAppResponse(
        app_id=record.id, details=changed_details_of(record), client_id=record.client_id, client_secret=secret
    )


def _new(call: Call[Project], name: str, kind: ClientKind) -> App:
    project = call.target.subject
    return App(
        id="",
        org_id=project.org_id,
        project_id=project.id,
        name=name,
        client_id="",
        kind=kind,
        auth_method=AuthMethod.CLIENT_SECRET_BASIC,
    )


async def add_app_key(call: Call[App], request: pb.AddAppKeyRequest, *, app_keys: AppKeys) -> pb.AddAppKeyResponse:
    public_key, expires_at = public_key_of(request), expiration_of(request)
    added = await app_keys.add(call.target.subject, public_key, expires_at, actor=call.caller.user_id)
    app, pair = added.app, added.pair
    file = key_file("application", pair, appId=app.id, clientId=app.client_id) if pair else b""
    return pb.AddAppKeyResponse(id=added.key.kid, details=changed_details_of(app), key_details=file)


async def get_app_key(call: Call[App], request: pb.GetAppKeyRequest) -> pb.GetAppKeyResponse:
    app = call.target.subject
    return pb.GetAppKeyResponse(key=key_message(app, load_key(app.keys, request.key_id)))


async def list_app_keys(call: Call[App], request: pb.ListAppKeysRequest) -> pb.ListAppKeysResponse:
    app = call.target.subject
    page = page_out_of(app.keys, request.query)
    return pb.ListAppKeysResponse(details=details_of_list(len(app.keys)), result=key_messages(app, page))


OWNERS_DECIDE = ErrorCode(
    "USER-738",
    Kind.PERMISSION_DENIED,
    "Only an owner of the instance can allow an application to use the management API.",
    "Do not change managementAccess, or ask an owner of the instance (IAM_OWNER).",
)

Settings = pb.AddOIDCAppRequest | pb.UpdateOIDCAppConfigRequest


def only_owners_change_management_access(call: Call[App | Project], request: Settings) -> None:
    """Raises USER-738 if the request changes the setting and the caller is not an instance owner."""
    subject = call.target.subject
    before = has_management_access(subject) if isinstance(subject, App) else False
    wanted = request.management_access if request.HasField("management_access") else before
    if wanted != before and not call.caller.may(Permission.IAM_WRITE, EVERYWHERE):
        raise OWNERS_DECIDE.error()
