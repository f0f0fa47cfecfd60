"""What users answers about clients: applications, their audiences and their origins."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.branding import PrivateLabeling

LONGEST_CLOCK_SKEW: Final = 5
"""Seconds a client's clock may be registered to be off."""


class AuthMethod(StrEnum):
    """How a client authenticates (OIDC Core §9); exactly one is registered."""

    CLIENT_SECRET_BASIC = "client_secret_basic"
    CLIENT_SECRET_POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"
    NONE = "none"


class AccessTokenType(StrEnum):
    """What kind of access token is issued."""

    OPAQUE = "opaque"
    JWT = "jwt"


class ClientKind(StrEnum):
    """What kind of application a client is. An API application only introspects."""

    OIDC = "oidc"
    API = "api"


class PublicKey(Message, frozen=True):
    """A registered public key, for `private_key_jwt` and the JWT profile grant.

    Attributes:
        kid: the key id assertions name in their header.
        alg: the one algorithm it verifies.
        jwk: the public JWK (RFC 7517), with kid and alg.
        expires_at: unix seconds from which it verifies nothing; 0 for never.
    """

    kid: str
    alg: str
    jwk: dict[str, str]
    expires_at: float = 0


class GetClient(Message, frozen=True):
    """Requests one client by its id."""

    client_id: str


class TokenLifetimes(Message, frozen=True):
    """How long tokens live, in seconds, as the instance sets them; token's own settings are the most there can be.

    Attributes:
        refresh_idle_seconds: a refresh token that is not used for so long is worth nothing.
        refresh_seconds: nor is any of its grant, so long after the first.
    """

    access_token_seconds: int
    id_token_seconds: int
    refresh_idle_seconds: int
    refresh_seconds: int


class Client(Message, frozen=True):
    """An active client: what authz and token need to know of it.

    Attributes:
        secret_hash: `portico_oauth.opaque.fingerprint` of the generated secret; empty without one.
        previous_secret_hash: the same of the secret before, which is accepted beside it; empty without one.
        previous_secret_until: unix seconds from which that one is refused.
        strict_auth_method: it may present its secret by its `auth_method` only, not by either of the two for secrets.
        audience: `aud` of access tokens for it: every client id of its project, then the project id.
        response_types: values of `portico_oauth.response_types.ResponseType`.
        grant_types: wire values, for example ``authorization_code``.
        origins: origins of its redirect URIs and its additional origins (CORS).
        id_token_alg: algorithm its id_tokens are signed with.
        issuer_audience_only: client assertions must name the issuer, as one string, not the endpoint.
        assertion_jti_required: client assertions without `jti` are refused.
        keys: public keys of a client that authenticates by `private_key_jwt`.
        access_token_roles, id_token_roles: role claims are put there without being requested.
        roles_claim: the claim of id_token, userinfo and access token that lists the roles; empty for none.
        userinfo_roles: userinfo and introspection return role claims without being requested.
        checks_roles: a user without a role in the project may not sign in.
        checks_project: nor may users of organizations it is neither of nor granted to.
        lifetimes: of the tokens issued to it; None for those of token's own settings.
        hinted_logout: its server may end a session by an id_token_hint alone.
        clock_skew_seconds: by how much its clock may be off, `LONGEST_CLOCK_SKEW` at most.
        logo_uri, policy_uri, tos_uri: https addresses of its logo, privacy policy and terms; empty for none.
        private_labeling: whose branding its login pages show.
        management_access: its tokens may be for the management API.
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
    management_access: bool = False
    strict_auth_method: bool = False
    roles_claim: str = ""


class ClientFound(Message, frozen=True):
    """The client, or nothing: unknown and inactive (also by project or organization) look alike."""

    client: Client | None = None


class GetAudiences(Message, frozen=True):
    """Asks who belongs to the audience of some projects (the scope ``urn:portico:project:id:{id}:aud``).

    Attributes:
        org_id: the organization of the client that requests the scope; empty for what an older release asks.
        user_id: the service user that does; empty for an application.
    """

    project_ids: tuple[str, ...]
    org_id: str = ""
    user_id: str = ""


class ProjectAudiences(Message, frozen=True):
    """By id of each active project: every client id in it, then the project id.

    Unknown projects are absent, and so are those the client has nothing to do with: a project is its organization's,
    granted to that, or one in which the service user has a role.
    """

    audiences: dict[str, tuple[str, ...]]


class CheckOrigin(Message, frozen=True):
    """Asks whether any active application has an origin (a CORS preflight names no client)."""

    origin: str


class OriginChecked(Message, frozen=True):
    """Whether one has."""

    known: bool


GET_CLIENT = Rpc("users.v1.client.get", GetClient, ClientFound, ("authz", "token"))
GET_AUDIENCES = Rpc("users.v1.project.audiences", GetAudiences, ProjectAudiences, ("token",))
CHECK_ORIGIN = Rpc("users.v1.origin.ask", CheckOrigin, OriginChecked, ("token",))
