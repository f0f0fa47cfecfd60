"""A client of a Keycloak realm (ClientRepresentation)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from portico_contracts.apply import AuthMethodName, ClaimRule, GrantTypeName, Key
from portico_oauth.client_certificates import is_subject

from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.applications.keycloak.client_keys import keys_of
from portico_conversion.applications.keycloak.mappers import Mapper, TokenClaims, read_mappers
from portico_conversion.applications.old_client import HYBRID, OldClient
from portico_conversion.findings import Place, Reports
from portico_conversion.reading.records import Record

SAML: Final = "a SAML client"
MUTUAL_TLS: Final = "authentication by a certificate whose subject is a pattern or missing: set certificateSubject, or use a secret or a key"
SIGNED_SECRET: Final = "authentication by a JWT signed with the secret: the application sends the secret itself"
NO_KEY: Final = "authentication by a key that is not in the export: register the public key"
PASSWORD_GRANT: Final = "the password grant (direct access grants): use the authorization code flow"
TWO_ROLES: Final = "the service account: client credentials need a service user with another name than this client"
TOKEN_EXCHANGE: Final = "token exchange: allow it with the grant type of the application"
TOO_LONG: Final = "a lifetime longer than an installation allows by default: raise that, then set it on the application"
SETTING: Final = "a setting without counterpart"
AUTHORIZATION: Final = "authorization services"

_METHODS: Final = {
    "client-secret": AuthMethodName.BASIC,
    "client-secret-jwt": AuthMethodName.BASIC,
    "client-jwt": AuthMethodName.PRIVATE_KEY_JWT,
}
_WITHOUT_MEANING: Final = frozenset({"realm_client", "client.secret.creation.time", "display.on.consent.screen"})
_READ: Final = frozenset(
    {
        "post.logout.redirect.uris",
        "backchannel.logout.url",
        "logoUri",
        "policyUri",
        "tosUri",
        "id.token.signed.response.alg",
        "oauth2.device.authorization.grant.enabled",
        "require.pushed.authorization.requests",
        "pkce.code.challenge.method",
        "use.refresh.tokens",
        "standard.token.exchange.enabled",
        "use.jwks.url",
        "jwks.url",
        "use.jwks.string",
        "jwks.string",
        "jwt.credential.public.key",
        "jwt.credential.certificate",
        "jwt.credential.kid",
        "token.endpoint.auth.signing.alg",
        "backchannel.logout.session.required",
        "access.token.lifespan",
        "client.session.idle.timeout",
        "client.session.max.lifespan",
        "x509.subjectdn",
        "x509.allow.regex.pattern.comparison",
        "dpop.bound.access.tokens",
    }
)
_TIMES: Final = {
    "access.token.lifespan": ("access_token_seconds", 3_600),
    "client.session.idle.timeout": ("refresh_token_idle_seconds", 2_592_000),
    "client.session.max.lifespan": ("refresh_token_seconds", 7_776_000),
}
"""By attribute: the setting, and the most that an installation allows by default. Client sessions limit refresh tokens."""

_OF_NEARLY_ALL: Final = frozenset(
    {
        "id",
        "adminUrl",
        "baseUrl",
        "description",
        "alwaysDisplayInConsole",
        "nodeReRegistrationTimeout",
        "notBefore",
        "fullScopeAllowed",
        "surrogateAuthRequired",
        "optionalClientScopes",
        "access",
        "origin",
    }
)
_SENSITIVE: Final = re.compile("secret|password|key|credential|token$", re.IGNORECASE)
_OFF: Final = ("", "false", "0", "-1")


SHORTEST: Final = 60
"""The least that an application may have, in seconds."""

Scopes = Mapping[str, Sequence[Mapper]]
"""Protocol mappers of the realm's own client scopes, by name."""


class Client(Record, frozen=True):
    client_id: str
    name: str = ""
    root_url: str = ""
    enabled: bool = True
    client_authenticator_type: str = "client-secret"
    secret: str = ""
    redirect_uris: list[str] = []
    web_origins: list[str] = []
    bearer_only: bool = False
    consent_required: bool = False
    standard_flow_enabled: bool = True
    implicit_flow_enabled: bool = False
    direct_access_grants_enabled: bool = False
    service_accounts_enabled: bool = False
    authorization_services_enabled: bool = False
    public_client: bool = False
    protocol: str = "openid-connect"
    attributes: dict[str, str] = {}
    protocol_mappers: list[Mapper] = []
    default_client_scopes: list[str] = []

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return f"client {self.client_id}"

    @property
    def omitted(self) -> str:
        return "" if self.protocol == "openid-connect" else SAML


def add_client(draft: Draft, project: ProjectDraft, place: Place, client: Client, scopes: Scopes) -> None:
    report = Reports(draft.findings, place, client.title)
    old = _old_client(place, client, scopes, report)
    _report_settings(client, report)
    users_sign_in = bool(old.grant_types)
    if client.bearer_only:
        draft.add_api(project, old)
    elif users_sign_in:
        draft.add_oidc(project, old)
        if client.service_accounts_enabled:
            report(TWO_ROLES)
    elif client.service_accounts_enabled:
        draft.add_service_user(old)
    else:
        draft.add_oidc(project, old)


def _old_client(place: Place, client: Client, scopes: Scopes, report: Reports) -> OldClient:
    attributes = client.attributes
    uris = [_absolute(client, uri) for uri in client.redirect_uris]
    own = [one for name in client.default_client_scopes for one in scopes.get(name, ())]
    claims = read_mappers([*client.protocol_mappers, *own], client.client_id, report)
    method, keys, subject = _authentication(client, report)
    return OldClient(
        place=place,
        client_id=client.client_id,
        name=client.name,
        secret=client.secret,
        method=method,
        redirect_uris=uris,
        post_logout_uris=_logout_uris(client, uris),
        origins=[one for one in client.web_origins if one != "+"],
        grant_types=_grant_types(client, report),
        claims_in_id_token=True,
        id_token_alg=attributes.get("id.token.signed.response.alg") or "RS256",
        roles_claim=claims.roles_claim,
        groups_claim=claims.groups_claim,
        claim_rules=_without_taken(claims),
        roles_in_access_token=claims.in_access_token,
        roles_in_id_token=claims.in_id_token,
        logout_uri=attributes.get("backchannel.logout.url", ""),
        logo_uri=attributes.get("logoUri", ""),
        policy_uri=attributes.get("policyUri", ""),
        tos_uri=attributes.get("tosUri", ""),
        keys=keys,
        certificate_subject=subject,
        consent=client.consent_required,
        times=_times(attributes, report),
        push_required=attributes.get("require.pushed.authorization.requests") == "true",
        proofs_required=attributes.get("dpop.bound.access.tokens") == "true",
        active=client.enabled,
    )


def _without_taken(claims: TokenClaims) -> tuple[ClaimRule, ...]:
    """A claim of rolesClaim or groupsClaim has no rule."""
    return tuple(one for one in claims.rules if one.claim not in (claims.roles_claim, claims.groups_claim))


def _times(attributes: Mapping[str, str], report: Reports) -> dict[str, int]:
    found = {}
    for name, (setting, longest) in _TIMES.items():
        value = attributes.get(name, "")
        seconds = int(value) if value.isascii() and value.isdigit() else 0
        if seconds > longest:
            report(TOO_LONG, f"{name}={value}")
        elif seconds:
            found[setting] = max(seconds, SHORTEST)
    return found


def _grant_types(client: Client, report: Reports) -> tuple[GrantTypeName, ...]:
    if client.bearer_only:
        return ()
    found = []
    if client.standard_flow_enabled:
        found.append(GrantTypeName.AUTHORIZATION_CODE)
        if client.attributes.get("use.refresh.tokens") != "false":
            found.append(GrantTypeName.REFRESH_TOKEN)
    if client.implicit_flow_enabled:
        found.append(GrantTypeName.IMPLICIT)
        if client.standard_flow_enabled:
            report(HYBRID)
    if client.attributes.get("oauth2.device.authorization.grant.enabled") == "true":
        found.append(GrantTypeName.DEVICE_CODE)
    return tuple(found)


def _authentication(client: Client, report: Reports) -> tuple[AuthMethodName, tuple[Key, ...], str]:
    kind = client.client_authenticator_type
    if client.public_client:
        return AuthMethodName.NONE, (), ""
    if kind == "client-x509" and (subject := _subject(client.attributes)):
        return AuthMethodName.TLS_CLIENT_AUTH, (), subject
    if kind not in _METHODS:
        report(MUTUAL_TLS, kind)
    if kind == "client-secret-jwt":
        report(SIGNED_SECRET)
    method = _METHODS.get(kind, AuthMethodName.BASIC)
    if method is not AuthMethodName.PRIVATE_KEY_JWT:
        return method, (), ""
    keys = keys_of(client.attributes)
    if not keys:
        report(NO_KEY, client.attributes.get("jwks.url", ""))
    return method, keys, ""


def _subject(attributes: Mapping[str, str]) -> str:
    """The subject of the certificate as RFC 4514 writes it; empty for a pattern."""
    if attributes.get("x509.allow.regex.pattern.comparison") == "true":
        return ""
    written = re.sub(r"(^|,)\s*EMAILADDRESS=", r"\1emailAddress=", attributes.get("x509.subjectdn", ""))
    subject = f"subject_dn:{written}"
    return subject if is_subject(subject) else ""


def _absolute(client: Client, uri: str) -> str:
    """Keycloak puts the texts together (``RedirectUtils.relativeToAbsoluteURI``), also for a root URL with a path."""
    return client.root_url + uri if uri.startswith("/") else uri


def _logout_uris(client: Client, redirect_uris: Sequence[str]) -> list[str]:
    found = []
    for uri in filter(None, client.attributes.get("post.logout.redirect.uris", "").split("##")):
        if uri == "+":
            found += [one for one in redirect_uris if "*" not in one]
        elif uri != "-":
            found.append(_absolute(client, uri))
    return found


def _report_settings(client: Client, report: Reports) -> None:
    if client.direct_access_grants_enabled:
        report(PASSWORD_GRANT)
    if client.authorization_services_enabled:
        report(AUTHORIZATION)
    if client.attributes.get("standard.token.exchange.enabled") == "true":
        report(TOKEN_EXCHANGE)
    for name, value in client.attributes.items():
        if name not in _READ and name not in _WITHOUT_MEANING and value not in _OFF and not name.startswith("saml"):
            report(SETTING, name if _SENSITIVE.search(name) else f"{name}={value}")
