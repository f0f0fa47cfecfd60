from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from portico_contracts.apply import (
    AccessTokenTypeName,
    ApiApp,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    ClaimRule,
    ConsentName,
    DpopName,
    GrantTypeName,
    Key,
    LoopbackPorts,
    ObjectState,
    OidcApp,
    ResponseTypeName,
    ServiceUser,
)
from portico_contracts.apply.vocabulary import UserState
from portico_oauth.jose import ALGORITHMS
from portico_oauth.redirect_uris import needs_plain_schemes

from portico_conversion.applications.addresses import (
    exact_origins,
    exact_uris,
    is_any_port,
    is_native,
    keep_plain_schemes,
)
from portico_conversion.findings import Findings, Place, Reports

MASKED: Final = "the secret is masked in this export: a new secret is needed, which `portico apply` prints"
NO_SECRET: Final = "the export has no secret: a new secret is needed, which `portico apply` prints"
SECRET_LENGTH: Final = (
    "a secret shorter than 16 or longer than 200 characters: a new secret is needed, which `portico apply` prints"
)
ALGORITHM: Final = "the signing algorithm of ID tokens: RS256 is used"
LINK: Final = "a link that is not https or too long"
NO_RULES: Final = "claims of a service user: claim rules are for users who sign in"
HYBRID: Final = "the hybrid flow: register a single response type"

DPOP_WITH_IMPLICIT: Final = "DPoP cannot be required with the implicit flow: it is allowed"
NO_CERTIFICATE: Final = "a client certificate: a service user needs a secret or a key"

_CERTIFICATES: Final = (AuthMethodName.TLS_CLIENT_AUTH, AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH)
_OF_APIS: Final = {
    AuthMethodName.PRIVATE_KEY_JWT: ApiAuthMethodName.PRIVATE_KEY_JWT,
    AuthMethodName.TLS_CLIENT_AUTH: ApiAuthMethodName.TLS_CLIENT_AUTH,
    AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH: ApiAuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH,
}
_SECRET: Final = range(16, 201)
_LONGEST_LINK: Final = 200
_LONGEST_DESCRIPTION: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class OldClient:
    """An OIDC client of any source. `secret` is empty for an export without secrets."""

    place: Place
    client_id: str
    name: str = ""
    description: str = ""
    secret: str = ""
    method: AuthMethodName = AuthMethodName.BASIC
    redirect_uris: Sequence[str] = ()
    post_logout_uris: Sequence[str] = ()
    origins: Sequence[str] = ()
    grant_types: Collection[GrantTypeName] = (GrantTypeName.AUTHORIZATION_CODE,)
    app_type: AppTypeName | None = None
    jwt_access_tokens: bool = True
    claims_in_id_token: bool = False
    id_token_alg: str = "RS256"
    roles_claim: str = ""
    groups_claim: str = ""
    claim_rules: tuple[ClaimRule, ...] = ()
    roles_in_access_token: bool = False
    roles_in_id_token: bool = False
    logout_uri: str = ""
    logo_uri: str = ""
    policy_uri: str = ""
    tos_uri: str = ""
    keys: tuple[Key, ...] = ()
    certificate_subject: str = ""
    consent: bool = False
    push_required: bool = False
    proofs_required: bool = False
    times: Mapping[str, Any] = field(default_factory=dict)
    """Settings of `OidcApp` in seconds, by name."""
    dev_mode: bool = False
    id: str = ""
    active: bool = True

    @property
    def shown(self) -> str:
        return f"client {self.client_id or self.name}"


def oidc_app(old: OldClient, name: str, seen: Collection[str], findings: Findings) -> OidcApp:
    report = Reports(findings, old.place, old.shown)
    uris = exact_uris(old.redirect_uris, seen, report, dev_mode=old.dev_mode)
    app_type = old.app_type or _app_type(old, uris)
    after_logout = exact_uris(old.post_logout_uris, (), report, dev_mode=old.dev_mode)
    uris, after_logout = [
        keep_plain_schemes(one, report, is_native=app_type is AppTypeName.NATIVE) for one in (uris, after_logout)
    ]
    alg = old.id_token_alg if old.id_token_alg in ALGORITHMS else "RS256"
    if alg != old.id_token_alg:
        report(ALGORITHM, old.id_token_alg)
    findings.converted()
    return OidcApp(
        name=name,
        id=old.id or None,
        client_id=old.client_id or None,
        client_secret=usable_secret(old, findings),
        redirect_uris=uris,
        post_logout_redirect_uris=after_logout,
        response_types=_response_types(old),
        grant_types=tuple(one for one in GrantTypeName if one in old.grant_types),
        app_type=app_type,
        auth_method_type=old.method,
        access_token_type=AccessTokenTypeName.JWT if old.jwt_access_tokens else AccessTokenTypeName.BEARER,
        dev_mode=old.dev_mode,
        access_token_role_assertion=old.roles_in_access_token,
        id_token_role_assertion=old.roles_in_id_token,
        id_token_userinfo_assertion=old.claims_in_id_token,
        additional_origins=exact_origins(old.origins, uris, report),
        back_channel_logout_uri=old.logout_uri,
        id_token_signed_response_alg=alg,
        roles_claim=old.roles_claim,
        groups_claim=old.groups_claim,
        claim_rules=old.claim_rules,
        logo_uri=_link(old.logo_uri, report),
        policy_uri=_link(old.policy_uri, report),
        tos_uri=_link(old.tos_uri, report),
        consent=ConsentName.ONCE if old.consent else ConsentName.NONE,
        require_pushed_authorization_requests=old.push_required,
        dpop=_dpop(old, report),
        loopback_ports=LoopbackPorts.ANY
        if app_type is AppTypeName.NATIVE and is_any_port(uris)
        else LoopbackPorts.EXACT,
        plain_schemes=any(map(needs_plain_schemes, (*uris, *after_logout))),
        certificate_subject=old.certificate_subject,
        keys=old.keys or None,
        state=None if old.active else ObjectState.INACTIVE,
        **old.times,
    )


def _dpop(old: OldClient, report: Reports) -> DpopName:
    """Implicit responses cannot be bound, so that proofs cannot be required beside them."""
    if old.proofs_required and GrantTypeName.IMPLICIT in old.grant_types:
        report(DPOP_WITH_IMPLICIT)
        return DpopName.ALLOWED
    return DpopName.REQUIRED if old.proofs_required else DpopName.OFF


def api_app(old: OldClient, name: str, findings: Findings) -> ApiApp:
    findings.converted()
    return ApiApp(
        name=name,
        id=old.id or None,
        client_id=old.client_id or None,
        client_secret=usable_secret(old, findings),
        auth_method_type=_OF_APIS.get(old.method, ApiAuthMethodName.BASIC),
        certificate_subject=old.certificate_subject,
        keys=old.keys or None,
        state=None if old.active else ObjectState.INACTIVE,
    )


def service_user(old: OldClient, findings: Findings) -> ServiceUser:
    """A client without users: here its client id is the name of a service user, which may use the same secret."""
    if old.method in _CERTIFICATES:
        findings.not_moved(old.place, old.shown, NO_CERTIFICATE)
    if old.claim_rules:
        findings.not_moved(old.place, old.shown, NO_RULES, ", ".join(one.claim for one in old.claim_rules))
    findings.converted()
    return ServiceUser(
        id=old.id or None,
        username=old.client_id,
        name=old.name or old.client_id,
        description=old.description[:_LONGEST_DESCRIPTION],
        secret=usable_secret(old, findings),
        access_token_type=AccessTokenTypeName.JWT if old.jwt_access_tokens else AccessTokenTypeName.BEARER,
        keys=old.keys or None,
        dpop=DpopName.REQUIRED if old.proofs_required else DpopName.OFF,
        state=None if old.active else UserState.INACTIVE,
    )


def usable_secret(old: OldClient, findings: Findings) -> str | None:
    if old.method not in (AuthMethodName.BASIC, AuthMethodName.POST):
        return None
    if not old.secret:
        reason = NO_SECRET
    elif is_masked(old.secret):
        reason = MASKED
    elif len(old.secret) not in _SECRET:
        reason = SECRET_LENGTH
    else:
        return old.secret
    findings.not_moved(old.place, old.shown, reason)
    return None


def is_masked(secret: str) -> bool:
    """Returns whether asterisks replace a secret."""
    return bool(secret) and set(secret) == {"*"}


def _app_type(old: OldClient, uris: Collection[str]) -> AppTypeName:
    if old.method is not AuthMethodName.NONE:
        return AppTypeName.WEB
    return AppTypeName.NATIVE if is_native(uris) else AppTypeName.USER_AGENT


def _response_types(old: OldClient) -> tuple[ResponseTypeName, ...]:
    code = (ResponseTypeName.CODE,) if GrantTypeName.AUTHORIZATION_CODE in old.grant_types else ()
    implicit = (ResponseTypeName.ID_TOKEN, ResponseTypeName.ID_TOKEN_TOKEN)
    return (*code, *(implicit if GrantTypeName.IMPLICIT in old.grant_types else ()))


def _link(uri: str, report: Reports) -> str:
    if uri.startswith("https://") and len(uri) <= _LONGEST_LINK:
        return uri
    if uri:
        report(LINK, uri)
    return ""
