from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_oauth.opaque import fingerprint
from portico_oauth.redirect_uris import may_register

from portico_contracts.subjects import Message, Report, Rpc, Secret
from portico_contracts.users.branding import PrivateLabeling
from portico_contracts.users.claim_rules import ClaimRule
from portico_contracts.users.consents import Consent
from portico_contracts.users.public_keys import PublicKey
from portico_contracts.users.token_hooks import TokenHook
from portico_contracts.users.trusted_workloads import TrustedWorkload

LONGEST_CLOCK_SKEW: Final = 5
"""Maximum registered clock skew of a client, in seconds."""


class AuthMethod(StrEnum):
    """How a client authenticates (OIDC Core section 9, RFC 8705 section 2); exactly one method is registered."""

    CLIENT_SECRET_BASIC = "client_secret_basic"
    CLIENT_SECRET_POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"
    NONE = "none"
    TLS_CLIENT_AUTH = "tls_client_auth"
    SELF_SIGNED_TLS_CLIENT_AUTH = "self_signed_tls_client_auth"


CERTIFICATE_METHODS: Final = (AuthMethod.TLS_CLIENT_AUTH, AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH)
"""With the certificate of a TLS connection, where the operator has turned it on."""

KEY_METHODS: Final = frozenset({AuthMethod.PRIVATE_KEY_JWT, AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH})
"""Those that need registered public keys."""

INTROSPECTION_METHODS: Final = (AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.PRIVATE_KEY_JWT, *CERTIFICATE_METHODS)
"""At the introspection endpoint: never a bare client id, never a secret in the body."""


class AccessTokenType(StrEnum):
    OPAQUE = "opaque"
    JWT = "jwt"


class Dpop(StrEnum):
    """Whether access tokens are bound to a key that the client proves to have (RFC 9449)."""

    OFF = "off"
    """The header DPoP is ignored."""
    ALLOWED = "allowed"
    """Tokens of requests with a proof are bound."""
    REQUIRED = "required"
    """Requests without a proof are refused."""


class ClientKind(StrEnum):
    """The kind of application. An API application can only introspect tokens."""

    OIDC = "oidc"
    API = "api"


class GetClient(Message, frozen=True):
    """Requests one client by its id.

    The rest is for client ids that are URLs, whose documents several organizations may accept (decision 0112):
    `org_id` is that of an earlier answer, `resources` and `named_org_id` are of an authorization request.
    `of_any`: of any organization in which it is active, for nothing but to authenticate the client.
    `client_address` is the fingerprint of the address of the request, which limits how many documents are fetched
    that are not in use, empty if unknown; None: none of these is fetched.
    """

    client_id: str
    org_id: str = ""
    resources: tuple[str, ...] = ()
    named_org_id: str = ""
    of_any: bool = False
    client_address: str | None = ""


class TokenLifetimes(Message, frozen=True):
    """In seconds; `refresh_idle_seconds` counts from the last use, `refresh_seconds` from the grant's first token."""

    access_token_seconds: int
    id_token_seconds: int
    refresh_idle_seconds: int
    refresh_seconds: int


class Client(Message, frozen=True):
    """An active client as used by authz and token.

    Hashes are `portico_oauth.opaque.fingerprint`, times unix seconds. `audience` has every client id of the
    project, then the project id. `strict_auth_method`: the secret is accepted only by `auth_method`.
    `issuer_audience_only`: client assertions must name the issuer, as one string, not the endpoint. `origins`
    are those of the redirect URIs and additional ones (CORS). `lifetimes` is None for token's settings.
    `plain_oauth`: the scope may lack openid where a resource is named.
    `require_pushed_authorization_requests` also allows them where they are off for all applications.
    `plain_schemes`: redirect URIs may have private-use schemes without a dot.
    `fapi2`: it has the FAPI 2.0 Security Profile. `dpop_nonce`: its proofs need a nonce of ours.
    `certificate_subject` is what tls_client_auth compares (`portico_oauth.client_certificates`).
    `any_loopback_port`: the port of a redirect URI on a loopback host may differ (RFC 8252 section 7.3).
    `default_max_age_seconds` is for requests without max_age; a single sign-on session counts for `session_seconds` after
    the sign-in and `session_idle_seconds` after its last use; 0 for no limit. `minimum_acr` is the weakest `acr` that it
    accepts, empty for any. `access_token_acr`: its access tokens state acr and auth_time (RFC 9470).
    `claim_rules` are its own, and those of its project for other claims. `token_hook` is that of its project, else of
    the instance. `agent`: it acts for users by itself; always true of one with a metadata document.
    """

    client_id: str
    kind: ClientKind
    name: str
    app_id: str
    project_id: str
    org_id: str
    auth_method: AuthMethod
    audience: tuple[str, ...]
    secret_hash: Secret = ""
    redirect_uris: tuple[str, ...] = ()
    post_logout_redirect_uris: tuple[str, ...] = ()
    response_types: tuple[str, ...] = ()
    grant_types: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    dev_mode: bool = False
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    id_token_userinfo_assertion: bool = False
    id_token_alg: str = "RS256"
    refresh_token_grace_seconds: int = 0
    back_channel_logout_uri: str = ""
    issuer_audience_only: bool = False
    keys: tuple[PublicKey, ...] = ()
    access_token_roles: bool = False
    id_token_roles: bool = False
    userinfo_roles: bool = False
    checks_roles: bool = False
    checks_project: bool = False
    lifetimes: TokenLifetimes | None = None
    clock_skew_seconds: int = 0
    assertion_jti_required: bool = False
    hinted_logout: bool = True
    logo_uri: str = ""
    policy_uri: str = ""
    tos_uri: str = ""
    private_labeling: PrivateLabeling = PrivateLabeling.UNSPECIFIED
    previous_secret_hash: Secret = ""
    previous_secret_until: float = 0
    secret_until: float = 0
    management_access: bool = False
    strict_auth_method: bool = False
    roles_claim: str = ""
    consent: Consent = Consent.NONE
    plain_oauth: bool = False
    require_pushed_authorization_requests: bool = False
    any_loopback_port: bool = False
    groups_claim: str = ""
    plain_schemes: bool = False
    default_max_age_seconds: int = 0
    session_seconds: int = 0
    session_idle_seconds: int = 0
    minimum_acr: str = ""
    access_token_acr: bool = False
    claim_rules: tuple[ClaimRule, ...] = ()
    dpop: Dpop = Dpop.OFF
    fapi2: bool = False
    token_hook: TokenHook | None = None
    dpop_nonce: bool = False
    trusted_workloads: tuple[TrustedWorkload, ...] = ()
    agent: bool = False
    certificate_subject: str = ""


def may_return_to(client: Client, uri: str) -> bool:
    """Reports whether the client may still register the URI: a forbidden scheme is never used (AZ-06)."""
    return may_register(uri, dev_mode=client.dev_mode, plain_schemes=client.plain_schemes)


class ClientFound(Message, frozen=True):
    """The client, or None: unknown and inactive clients (also by project or organization) are not distinguished.

    `several`: several organizations accept its document, and the request names none of them. `is_due`: the document
    has to be fetched first, for which `client_address` is missing.
    """

    client: Client | None = None
    several: bool = False
    is_due: bool = False


class GetAudiences(Message, frozen=True):
    """Requests the audiences of projects (the scope ``urn:portico:project:id:{id}:aud``)."""

    project_ids: tuple[str, ...]
    org_id: str = ""
    user_id: str = ""


class ProjectAudiences(Message, frozen=True):
    """By id of each active project: every client id in it, then the project id.

    Projects without a relation to the client are absent: the project belongs to its organization, is granted
    to it, or the service user has a role in it.
    """

    audiences: dict[str, tuple[str, ...]]


class GetUsedGrantTypes(Message, frozen=True):
    """Asks which of these grant types an active application may use; discovery advertises no other optional one."""

    grant_types: tuple[str, ...]


class UsedGrantTypes(Message, frozen=True):
    """Those that an active application may use, in the order of the request.

    `client_metadata`: a policy accepts client-ID metadata documents. `dpop`: an active application may use it.
    `outside_servers`: an organization has registered an outside authorization server, for assertions about its users.
    `assertions`: identity assertions of an active identity provider are accepted.
    """

    grant_types: tuple[str, ...] = ()
    client_metadata: bool = False
    dpop: bool = False
    outside_servers: bool = False
    assertions: bool = False


class CheckOrigin(Message, frozen=True):
    """Asks whether an active application has this origin (a CORS preflight names no client)."""

    origin: str


class OriginChecked(Message, frozen=True):
    """Whether an active application has the origin."""

    known: bool


class SecretUsed(Message, frozen=True):
    """A client authenticated with a secret; `name` is the `secret_name` of it, `at` is in unix seconds."""

    client_id: str
    name: str
    at: float


def secret_name(secret_hash: str) -> str:
    """Distinguishes the secrets of a client; the hash cannot be derived from it."""
    return fingerprint(secret_hash)[:22]


SECRET_USED = Report("users.v1.client.secret_used", SecretUsed, ("token",))
"""At most once an hour for a secret and a replica of token; lost where no replica of users listens."""
GET_CLIENT = Rpc("users.v1.client.get", GetClient, ClientFound, ("authz", "token"))
GET_CLIENT_BY_URL = Rpc("users.v1.client.fetch", GetClient, ClientFound, ("authz", "token"), seconds=8.0)
"""For client ids that are URLs: users may first have to fetch the client's metadata document."""
GET_AUDIENCES = Rpc("users.v1.project.audiences", GetAudiences, ProjectAudiences, ("token",))
GET_USED_GRANT_TYPES = Rpc("users.v1.grant_types.used", GetUsedGrantTypes, UsedGrantTypes, ("authz",))
CHECK_ORIGIN = Rpc("users.v1.origin.ask", CheckOrigin, OriginChecked, ("authz", "keys", "token"))
