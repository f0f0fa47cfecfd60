"""The application, and the table of its fields."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.apply import (
    AccessTokenTypeName,
    ApiApp,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    ClientAssertionAudience,
    ClientAssertionJti,
    ConsentName,
    DpopName,
    LoopbackPorts,
    MinimumAcr,
    OidcApp,
    ResponseTypeName,
    SecurityProfile,
)
from portico_contracts.apply import ApiScope as DeclaredScope
from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.users import AccessTokenType, AuthMethod, ClientKind, Consent, Dpop
from portico_oauth import grant_types
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PHR, ACR_PHRH
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import origin_of
from portico_oauth.response_types import ResponseType

from portico_users.applications.client_keys.assertion_keys import AssertionKey
from portico_users.applications.client_keys.client_secrets import PreviousSecret
from portico_users.projects.claim_rules import CLAIM_RULES, ClaimRule
from portico_users.trusted_workloads.workload import TRUSTED_WORKLOADS, TrustedWorkload
from portico_users.values.fields import STATE, Each, Field, Fields, WholeSeconds, Words
from portico_users.values.records import Record

GRANT_TYPES: Final = grant_types.VALUE_OF_NAME

ACCESS_TOKEN_TYPES: Final = {
    AccessTokenTypeName.BEARER: AccessTokenType.OPAQUE,
    AccessTokenTypeName.JWT: AccessTokenType.JWT,
}

GRANT_OF_RESPONSE_TYPE: Final = {
    ResponseType.CODE.value: "authorization_code",
    ResponseType.ID_TOKEN.value: "implicit",
    ResponseType.ID_TOKEN_TOKEN.value: "implicit",
}
"""The grant type that each response type requires."""


FRACTION_OF_A_SECOND = ErrorCode(
    "USER-920", Kind.INVALID_REQUEST, "The clock skew must be in whole seconds.", "Use 0s to 5s."
)

NEEDS_SECRET = frozenset({AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.CLIENT_SECRET_POST})
"""Methods that use a secret; applications with other methods never have one."""


class ApiScope(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A scope of an API (RFC 6749 section 3.3).

    Attributes:
        granted_by_default: granted for its resource when no scope of an API is requested.
        roles: keys of the project; only users with one of them get the scope. Empty: all users.
    """

    scope: str
    title: str = ""
    description: str = ""
    granted_by_default: bool = False
    roles: tuple[str, ...] = ()


class App(Record, frozen=True, kw_only=True):
    """An application of a project, with protocol values.

    Attributes:
        secret_hash: `portico_oauth.opaque.fingerprint` of the secret; empty without one.
        secret_created: when the secret was set, in unix seconds; 0 if an older release did.
        secret_until: when it expires; 0 for never.
        issuer_audience_only: the audience of client assertions must be the issuer as a single string.
        strict_auth_method: accept the secret only by `auth_method`, not by either secret method.
        roles_claim: claim with the user's role keys; empty for none.
        groups_claim: claim with the names of the user's groups; empty for none.
        claim_rules: claims about users; they replace those of the project for the same claims.
        hinted_logout: allows the application's server to end a session with only an id_token_hint.
        logo_uri, policy_uri, tos_uri: https URLs for the login pages; empty for none.
        management_access: an instance owner allowed tokens for the management API.
        consent: when users are asked what the application may do.
        plain_oauth: requests that name a resource may lack the scope openid.
        plain_schemes: redirect URIs of a native application may have private-use schemes without a dot.
        default_max_age_seconds: for requests without max_age; as all following seconds, 0 for no limit of its own.
        session_seconds, session_idle_seconds: since sign-in and last use, after which a session does not count.
        access_token_seconds, id_token_seconds, refresh_token_idle_seconds, refresh_token_seconds: lifetimes of its
            tokens, where those of the instance are not shorter.
        minimum_acr: the weakest `acr` it accepts; empty for any.
        any_loopback_port: the port of a redirect URI on a loopback host may differ.
        apis: client ids of APIs in other projects of its organization whose scopes it may request.
        resources: of an API, the absolute URIs that requests name it by (RFC 8707).
        scopes: of an API, the scopes that clients may request.
        fapi2: it has the FAPI 2.0 Security Profile.
        dpop: whether its access tokens are bound to a key that it proves to have.
        dpop_nonce: its proofs need a nonce of ours.
        agent: it acts for users by itself; `is_agent` also knows those with a metadata document.
        certificate_subject: for tls_client_auth, such as ``san_dns:client.example.org``.
        metadata_document: unregistered; the client id is the URL of its client-ID metadata document.
        former_resources: what `resources` had before, as `resource_key`: reserved for the organization.
        trusted_workloads: other issuers' tokens that authenticate it (decision 0152).
        further_document: another organization's application with the same document was stored before.
    """

    project_id: str
    name: str
    client_id: str
    auth_method: AuthMethod
    kind: ClientKind = ClientKind.OIDC
    secret_hash: str = ""
    secret_created: float = 0.0
    secret_until: float = 0.0
    previous_secret: PreviousSecret | None = None
    redirect_uris: tuple[str, ...] = ()
    post_logout_redirect_uris: tuple[str, ...] = ()
    response_types: tuple[str, ...] = ()
    grant_types: tuple[str, ...] = ()
    app_type: AppTypeName = AppTypeName.WEB
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    dev_mode: bool = False
    access_token_role_assertion: bool = False
    id_token_role_assertion: bool = False
    id_token_userinfo_assertion: bool = False
    additional_origins: tuple[str, ...] = ()
    back_channel_logout_uri: str = ""
    id_token_signed_response_alg: str = "RS256"
    refresh_token_grace_seconds: int = 0
    issuer_audience_only: bool = False
    clock_skew_seconds: int = 0
    assertion_jti_required: bool = False
    strict_auth_method: bool = False
    roles_claim: str = ""
    hinted_logout: bool = True
    logo_uri: str = ""
    policy_uri: str = ""
    tos_uri: str = ""
    management_access: bool = False
    apis: tuple[str, ...] = ()
    consent: Consent = Consent.NONE
    plain_oauth: bool = False
    require_pushed_authorization_requests: bool = False
    any_loopback_port: bool = False
    plain_schemes: bool = False
    groups_claim: str = ""
    default_max_age_seconds: int = 0
    session_seconds: int = 0
    session_idle_seconds: int = 0
    access_token_seconds: int = 0
    id_token_seconds: int = 0
    refresh_token_idle_seconds: int = 0
    refresh_token_seconds: int = 0
    minimum_acr: str = ""
    access_token_acr_assertion: bool = False
    claim_rules: tuple[ClaimRule, ...] = ()
    resources: tuple[str, ...] = ()
    scopes: tuple[ApiScope, ...] = ()
    former_resources: tuple[str, ...] = ()
    keys: tuple[AssertionKey, ...] = ()
    metadata_document: bool = False
    further_document: bool = False
    dpop: Dpop = Dpop.OFF
    fapi2: bool = False
    dpop_nonce: bool = False
    trusted_workloads: tuple[TrustedWorkload, ...] = ()
    agent: bool = False
    certificate_subject: str = ""


def has_management_access(app: App) -> bool:
    """Reports whether tokens may be for the management API; always true for the console and the account page."""
    return app.management_access or app.project_id == OWN_APPLICATIONS


def is_agent(app: App) -> bool:
    """Reports whether the application acts for users by itself (decision 0154)."""
    return app.agent or app.metadata_document


_ONLY_OF_API_APPS: Final = frozenset({"resources", "scopes"})
_OF_API_APPS: Final = _ONLY_OF_API_APPS | {
    "state",
    "name",
    "client_id",
    "auth_method",
    "assertion_jti_required",
    "grant_types",
    "trusted_workloads",
    "certificate_subject",
}


class _MayExchange:
    """An API has one grant type, or none: a switch in messages and documents."""

    def read(self, value: object) -> tuple[str, ...]:
        return (grant_types.TOKEN_EXCHANGE,) if value else ()

    def write(self, value: object) -> bool:
        return bool(value)


_JTI: Final = Field(
    "assertion_jti_required",
    "client_assertion_jti",
    Words({ClientAssertionJti.OPTIONAL: False, ClientAssertionJti.REQUIRED: True}),
)


OIDC_APP: Final = Fields(
    App,
    OidcApp,
    (
        STATE,
        Field(
            "auth_method",
            "auth_method_type",
            Words(
                {
                    AuthMethodName.BASIC: AuthMethod.CLIENT_SECRET_BASIC,
                    AuthMethodName.POST: AuthMethod.CLIENT_SECRET_POST,
                    AuthMethodName.NONE: AuthMethod.NONE,
                    AuthMethodName.PRIVATE_KEY_JWT: AuthMethod.PRIVATE_KEY_JWT,
                    AuthMethodName.TLS_CLIENT_AUTH: AuthMethod.TLS_CLIENT_AUTH,
                    AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH: AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH,
                }
            ),
        ),
        Field(
            "response_types",
            conversion=Each(
                Words(
                    {
                        ResponseTypeName.CODE: ResponseType.CODE.value,
                        ResponseTypeName.ID_TOKEN: ResponseType.ID_TOKEN.value,
                        ResponseTypeName.ID_TOKEN_TOKEN: ResponseType.ID_TOKEN_TOKEN.value,
                    }
                )
            ),
        ),
        Field("grant_types", conversion=Each(Words(GRANT_TYPES))),
        Field("app_type", conversion=Words({name: name for name in AppTypeName})),
        Field("access_token_type", conversion=Words(ACCESS_TOKEN_TYPES)),
        Field(
            "issuer_audience_only",
            "client_assertion_audience",
            Words({ClientAssertionAudience.ANY: False, ClientAssertionAudience.ISSUER: True}),
        ),
        Field("consent", conversion=Words({name: Consent(name.value) for name in ConsentName})),
        Field(
            "minimum_acr",
            conversion=Words(
                {
                    MinimumAcr.ANY: "",
                    MinimumAcr.MFA: ACR_MULTI_FACTOR,
                    MinimumAcr.PHR: ACR_PHR,
                    MinimumAcr.PHRH: ACR_PHRH,
                }
            ),
        ),
        CLAIM_RULES,
        TRUSTED_WORKLOADS,
        Field("dpop", conversion=Words({name: Dpop(name.value) for name in DpopName})),
        Field("fapi2", "security_profile", Words({SecurityProfile.NONE: False, SecurityProfile.FAPI2: True})),
        Field("any_loopback_port", "loopback_ports", Words({LoopbackPorts.EXACT: False, LoopbackPorts.ANY: True})),
        Field("clock_skew_seconds", "clock_skew", WholeSeconds(FRACTION_OF_A_SECOND)),
        _JTI,
    ),
    hidden=_ONLY_OF_API_APPS
    | {"project_id", "kind", "secret_hash", "secret_created", "secret_until", "previous_secret", "keys"}
    | {"metadata_document", "further_document", "former_resources"},
    shown={"management_access": has_management_access},
)
API_APP: Final = Fields(
    App,
    ApiApp,
    (
        STATE,
        Field(
            "auth_method",
            "auth_method_type",
            Words(
                {
                    ApiAuthMethodName.BASIC: AuthMethod.CLIENT_SECRET_BASIC,
                    ApiAuthMethodName.PRIVATE_KEY_JWT: AuthMethod.PRIVATE_KEY_JWT,
                    ApiAuthMethodName.TLS_CLIENT_AUTH: AuthMethod.TLS_CLIENT_AUTH,
                    ApiAuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH: AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH,
                }
            ),
        ),
        _JTI,
        TRUSTED_WORKLOADS,
        Field("grant_types", "token_exchange", _MayExchange()),
        Field("scopes", conversion=Each(Fields(ApiScope, DeclaredScope))),
    ),
    hidden=frozenset(App.__struct_fields__) - _OF_API_APPS,
)


def origins_of(app: App) -> tuple[str, ...]:
    """Returns the origins of redirect URIs and additional origins, serialized as browsers do (RFC 6454 section 6.2)."""
    origins = (origin_of(uri) for uri in (*app.redirect_uris, *app.additional_origins))
    return tuple(dict.fromkeys(_as_browsers_write(origin) for origin in origins if origin))


def _as_browsers_write(origin: str) -> str:
    lower = origin.lower()
    return lower.removesuffix(":443" if lower.startswith("https:") else ":80")
