"""Validates applications (AZ-01, AZ-03; RFC 7591 section 2.1 for response and grant types)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.apply import AppTypeName
from portico_contracts.users import AuthMethod, ClientKind, Consent, Dpop
from portico_oauth.claim_names import may_name_list
from portico_oauth.client_certificates import is_subject
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.grant_types import DEVICE_CODE, TOKEN_EXCHANGE
from portico_oauth.redirect_uris import may_register, needs_plain_schemes, origin_of
from portico_oauth.resources import may_register_resource, resource_key
from portico_oauth.response_types import ResponseType
from portico_oauth.scopes import may_register_scope

from portico_users.applications.app_record import GRANT_OF_RESPONSE_TYPE, App
from portico_users.applications.client_keys import assertion_keys
from portico_users.projects.claim_rules import problems_of_rules
from portico_users.trusted_workloads.rules import problems_of_workloads
from portico_users.values.names import (
    ALG_UNKNOWN,
    INVALID_ID,
    INVALID_LINK,
    INVALID_NAME,
    is_id,
    is_link,
    is_name,
    is_offered,
)
from portico_users.values.problems import Problem, Problems

INVALID_URI = ErrorCode(
    "USER-020",
    Kind.INVALID_REQUEST,
    "This redirect URI cannot be registered.",
    "Use https, http on a loopback host, or a private-use scheme with a dot. Other http addresses need devMode.",
)
PLAIN_SCHEME = ErrorCode(
    "USER-791",
    Kind.INVALID_REQUEST,
    "The scheme of this redirect URI has no dot: only native applications with plainSchemes may use it.",
    "Use https, or a private-use scheme with a dot, such as com.example.app (RFC 8252 section 8.4). If the app has no"
    " other, set plainSchemes, and the type NATIVE.",
)
NO_RESPONSE_TYPE = ErrorCode(
    "USER-021",
    Kind.INVALID_REQUEST,
    "The application has no response type.",
    "Choose at least one response type. Only applications with the grant type device_code need none.",
)
GRANT_MISSING = ErrorCode(
    "USER-022",
    Kind.INVALID_REQUEST,
    "A response type needs a grant type that is not enabled.",
    "code needs authorization_code; id_token and id_token token need implicit.",
)
PUBLIC_EXCHANGE = ErrorCode(
    "USER-884",
    Kind.INVALID_REQUEST,
    "An application without a secret or a key cannot exchange tokens.",
    "Use another authentication method, or remove the grant type token exchange.",
)
PUBLIC_WORKLOADS = ErrorCode(
    "USER-239",
    Kind.INVALID_REQUEST,
    "An application without authentication cannot trust workloads.",
    "Use another authentication method: with private_key_jwt it needs neither a secret nor a key.",
)
NOT_AN_ORIGIN = ErrorCode(
    "USER-023", Kind.INVALID_REQUEST, "Invalid origin.", "Enter scheme, host and port, without a path."
)
INVALID_LOGOUT_URI = ErrorCode(
    "USER-025",
    Kind.INVALID_REQUEST,
    "This back-channel logout URI cannot be registered.",
    "Use https, or http on a loopback host, without a fragment.",
)
INVALID_GROUPS_CLAIM = ErrorCode(
    "USER-108",
    Kind.INVALID_REQUEST,
    "This name cannot be used for the groups claim.",
    "Use at most 100 letters, digits and _ . : / -, starting with a letter, and neither the roles claim nor a claim that"
    " tokens use for something else.",
)
INVALID_ROLES_CLAIM = ErrorCode(
    "USER-028",
    Kind.INVALID_REQUEST,
    "This name cannot be used for the roles claim.",
    "Use at most 100 letters, digits and _ . : / -, starting with a letter, and no claim that"
    " tokens use for something else.",
)

INVALID_RESOURCE = ErrorCode(
    "USER-850",
    Kind.INVALID_REQUEST,
    "This URI cannot be a resource.",
    "Use an absolute URI such as https://api.example.com, each once, without fragment and user information, and no"
    " address of Portico itself.",
)
INVALID_SCOPE = ErrorCode(
    "USER-851",
    Kind.INVALID_REQUEST,
    "This text cannot be a scope of an API.",
    "Use up to 200 printable ASCII characters without spaces, quotation marks and backslashes, each scope once,"
    " and none of OpenID Connect, urn:portico: or urn:zitadel:.",
)
INVALID_API = ErrorCode(
    "USER-852",
    Kind.INVALID_REQUEST,
    "This is not a client id, or it is listed twice.",
    "Use the client ids of API applications, each once.",
)

MOST_APIS: Final = 100
TOO_MANY_APIS = ErrorCode(
    "USER-855",
    Kind.FAILED_PRECONDITION,
    "An application can use at most 100 APIs of other projects.",
    "Remove an API that it does not use. Those of the same project need no entry.",
)

LOOPBACK_PORTS = ErrorCode(
    "USER-892",
    Kind.INVALID_REQUEST,
    "Only native applications may use any loopback port.",
    "Set the type of the application to NATIVE, or register each port.",
)
UNBOUND_RESPONSE = ErrorCode(
    "USER-793",
    Kind.INVALID_REQUEST,
    "An application that must bind its tokens to a key can have no response type that returns tokens at the authorization endpoint.",
    "Use only the response type code, or set dpop to allowed.",
)

AGENT_SETTINGS = ErrorCode(
    "USER-899",
    Kind.INVALID_REQUEST,
    "An agent must request consent, and can have no response type but code.",
    "Set consent to ONCE or ALWAYS and remove other response types, or turn agent off.",
)


INVALID_SUBJECT = ErrorCode(
    "USER-795",
    Kind.INVALID_REQUEST,
    "This is not the subject of a certificate.",
    "Use one of subject_dn:, san_dns:, san_uri:, san_ip: and san_email: with its value, such as"
    " san_dns:client.example.org or subject_dn:CN=client,O=Example (RFC 4514).",
)
NO_SUBJECT = ErrorCode(
    "USER-796",
    Kind.INVALID_REQUEST,
    "The authentication method TLS_CLIENT_AUTH needs the subject of the certificate, and no other method has one.",
    "Set certificateSubject for TLS_CLIENT_AUTH only.",
)


def problems_of(app: App) -> Problems:
    if not is_name(app.name):
        yield Problem("name", INVALID_NAME)
    if not is_id(app.client_id):
        yield Problem("clientId", INVALID_ID)
    yield from assertion_keys.problems_of(app.keys)
    yield from problems_of_workloads(app.trusted_workloads)
    if app.trusted_workloads and app.auth_method is AuthMethod.NONE:
        yield Problem("trustedWorkloads", PUBLIC_WORKLOADS)
    yield from _subject(app)
    yield from _problems_of_oidc(app) if app.kind is ClientKind.OIDC else _problems_of_api(app)


def _problems_of_oidc(app: App) -> Problems:
    yield from _addresses("redirectUris", app.redirect_uris, app)
    yield from _addresses("postLogoutRedirectUris", app.post_logout_redirect_uris, app)
    yield from _response_types(app)
    yield from _exchange(app)
    yield from _agent(app)
    for number, origin in enumerate(app.additional_origins):
        if not _is_bare_origin(origin):
            yield Problem(f"additionalOrigins[{number}]", NOT_AN_ORIGIN)
    if not is_offered(app.id_token_signed_response_alg):
        yield Problem("idTokenSignedResponseAlg", ALG_UNKNOWN)
    if app.back_channel_logout_uri and not _may_be_called(app.back_channel_logout_uri):
        yield Problem("backChannelLogoutUri", INVALID_LOGOUT_URI)
    for number, client_id in enumerate(app.apis):
        if client_id in app.apis[:number] or not is_id(client_id):
            yield Problem(f"apis[{number}]", INVALID_API)
    if app.roles_claim and not may_name_list(app.roles_claim):
        yield Problem("rolesClaim", INVALID_ROLES_CLAIM)
    if app.groups_claim and (not may_name_list(app.groups_claim) or app.groups_claim == app.roles_claim):
        yield Problem("groupsClaim", INVALID_GROUPS_CLAIM)
    yield from problems_of_rules(app.claim_rules, (app.roles_claim, app.groups_claim))
    if app.any_loopback_port and app.app_type is not AppTypeName.NATIVE:
        yield Problem("loopbackPorts", LOOPBACK_PORTS)
    yield from _links(app)


def _problems_of_api(app: App) -> Problems:
    keys = [resource_key(uri) for uri in app.resources]
    for number, uri in enumerate(app.resources):
        if keys[number] in keys[:number] or not may_register_resource(uri):
            yield Problem(f"resources[{number}]", INVALID_RESOURCE)
    names = [one.scope for one in app.scopes]
    for number, scope in enumerate(names):
        if scope in names[:number] or not may_register_scope(scope):
            yield Problem(f"scopes[{number}].scope", INVALID_SCOPE)


def _addresses(name: str, uris: Iterable[str], app: App) -> Problems:
    plain_schemes = app.plain_schemes and app.app_type is AppTypeName.NATIVE
    for number, uri in enumerate(uris):
        if not may_register(uri, dev_mode=app.dev_mode, plain_schemes=plain_schemes):
            yield Problem(f"{name}[{number}]", PLAIN_SCHEME if needs_plain_schemes(uri) else INVALID_URI)


def _links(app: App) -> Problems:
    for name, uri in (("logoUri", app.logo_uri), ("policyUri", app.policy_uri), ("tosUri", app.tos_uri)):
        if uri and not is_link(uri):
            yield Problem(name, INVALID_LINK)


def _response_types(app: App) -> Problems:
    if not app.response_types and DEVICE_CODE not in app.grant_types:
        yield Problem("responseTypes", NO_RESPONSE_TYPE)
    for number, response_type in enumerate(app.response_types):
        if GRANT_OF_RESPONSE_TYPE[response_type] not in app.grant_types:
            yield Problem(f"responseTypes[{number}]", GRANT_MISSING)
        if app.dpop is Dpop.REQUIRED and response_type != ResponseType.CODE.value:
            yield Problem(f"responseTypes[{number}]", UNBOUND_RESPONSE)


def _exchange(app: App) -> Problems:
    if TOKEN_EXCHANGE in app.grant_types and app.auth_method is AuthMethod.NONE:
        yield Problem(f"grantTypes[{app.grant_types.index(TOKEN_EXCHANGE)}]", PUBLIC_EXCHANGE)


def _agent(app: App) -> Problems:
    """What an agent does is what a user allowed, which the token endpoint checks (decision 0154)."""
    if app.agent and (app.consent is Consent.NONE or {*app.response_types} - {ResponseType.CODE.value}):
        yield Problem("agent", AGENT_SETTINGS)


def _subject(app: App) -> Problems:
    if bool(app.certificate_subject) is not (app.auth_method is AuthMethod.TLS_CLIENT_AUTH):
        yield Problem("certificateSubject", NO_SUBJECT)
    elif app.certificate_subject and not is_subject(app.certificate_subject):
        yield Problem("certificateSubject", INVALID_SUBJECT)


def _is_bare_origin(text: str) -> bool:
    # Browsers send origins in lower case; other spellings would never match.
    return may_register(text, dev_mode=True) and origin_of(text) == text == text.lower()


def _may_be_called(uri: str) -> bool:
    return may_register(uri) and urlsplit(uri).scheme in ("http", "https")
