"""What users answers: clients, people, passwords, and the declarative apply."""

from __future__ import annotations

from enum import StrEnum

from portico_contracts.apply import Document
from portico_contracts.subjects import Message, Rpc, Secret


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


class AskClient(Message, frozen=True):
    """Asks for one client by its id."""

    client_id: str


class Client(Message, frozen=True):
    """An active client: what authz and token need to know of it.

    Attributes:
        secret_hash: `portico_oauth.opaque.fingerprint` of the generated secret; empty without one.
        audience: `aud` of tokens for it: every client id of its project, then the project id.
        response_types: values of `portico_oauth.response_types.ResponseType`.
        grant_types: wire values, for example ``authorization_code``.
        origins: origins of its redirect URIs and its additional origins (CORS).
        id_token_alg: algorithm its id_tokens are signed with.
        issuer_audience_only: client assertions must name the issuer, not the endpoint.
        keys: public keys of a client that authenticates by `private_key_jwt`.
        access_token_roles, id_token_roles: role claims are put there without being asked for.
        userinfo_roles: the project has userinfo and introspection tell role claims without being asked for.
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


class ClientFound(Message, frozen=True):
    """The client, or nothing: unknown and inactive (also by project or organization) look alike."""

    client: Client | None = None


class AskUser(Message, frozen=True):
    """Asks for one user by id."""

    user_id: str


class FindUser(Message, frozen=True):
    """Asks for the human a typed login name belongs to.

    Attributes:
        login_name: user name, ``username@primarydomain``, or a verified mail address, as typed.
        org_id: only a user of this organization, empty for any.
    """

    login_name: str
    org_id: str = ""


class User(Message, frozen=True):
    """An active user of an active organization.

    Attributes:
        login_name: ``username@primarydomain``: `preferred_username`, and `username` at introspection.
        human: a person; otherwise a service user.
        password_change_required: the next sign-in must set a new password.
    """

    user_id: str
    org_id: str
    user_name: str
    login_name: str
    human: bool
    display_name: str = ""
    has_password: bool = False
    password_change_required: bool = False
    email_verified: bool = False


class UserFound(Message, frozen=True):
    """The user, or nothing: unknown, deleted, locked and inactive look alike."""

    user: User | None = None


class VerifyPassword(Message, frozen=True):
    """Checks a typed password; counts the attempt first, and costs the same for unknown names.

    Attributes:
        login_name: as typed; resolved by users, so that every spelling counts on one counter.
        password: as typed, 1..200 characters.
        org_id: only a user of this organization, empty for any.
    """

    login_name: str
    password: Secret
    org_id: str = ""


class PasswordVerified(Message, frozen=True):
    """The user whose password it was; nothing for a wrong password and an unknown or inactive user alike.

    A caller that must wait gets the refusal `slow_down` with a retry-after instead.
    """

    user: User | None = None


class AskServiceUser(Message, frozen=True):
    """Asks for the service user a client id names: its user id, or its user name."""

    client_id: str


class ServiceUser(Message, frozen=True):
    """An active service user, as a client of the token endpoint.

    Attributes:
        secret_hash: `portico_oauth.opaque.fingerprint` of its generated secret; empty without one.
        keys: what its assertions are signed with (JWT profile).
        access_token_alg: algorithm the tokens issued to it are signed with, where they are JWTs.
    """

    user: User
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    secret_hash: Secret = ""
    keys: tuple[PublicKey, ...] = ()
    access_token_alg: str = "RS256"


class ServiceUserFound(Message, frozen=True):
    """The service user, or nothing: unknown, human and inactive look alike."""

    service_user: ServiceUser | None = None


class AskProjects(Message, frozen=True):
    """Asks who belongs to the audience of some projects (the scope ``urn:portico:project:id:{id}:aud``)."""

    project_ids: tuple[str, ...]


class ProjectAudiences(Message, frozen=True):
    """By id of each active project: every client id in it, then the project id. Unknown projects are absent."""

    audiences: dict[str, tuple[str, ...]]


class AskRoles(Message, frozen=True):
    """Asks which roles a user was granted in some projects."""

    user_id: str
    project_ids: tuple[str, ...]


class Roles(Message, frozen=True):
    """By project id, by role key: the organizations the role was granted by, as id to primary domain."""

    roles: dict[str, dict[str, dict[str, str]]]


class AskOrigin(Message, frozen=True):
    """Asks whether any active application has an origin (a CORS preflight names no client)."""

    origin: str


class OriginKnown(Message, frozen=True):
    """Whether one has."""

    known: bool


class AskClaims(Message, frozen=True):
    """Asks for everything userinfo may say of a user."""

    user_id: str


class UserClaims(Message, frozen=True):
    """Standard claims (OIDC Core §5.1) and reserved ones; unknown values are absent, never empty.

    Attributes:
        claims: JSON-ready values by claim name; token picks by scope.
        metadata: key to base64url value without padding (urn:portico:user:metadata).
        org_id, org_name, org_domain: the resource owner.
    """

    user: User | None = None
    claims: dict[str, str | int | bool | dict[str, str]] = {}
    metadata: dict[str, str] = {}
    org_name: str = ""
    org_domain: str = ""


class Apply(Message, frozen=True):
    """Brings the stored state to what a document says; idempotent.

    Attributes:
        document: what should be there. Nothing is removed that it does not name.
        check: only say what would change.
    """

    document: Document
    check: bool = False


class Change(Message, frozen=True):
    """One thing apply did or would do.

    Attributes:
        action: created, updated or unchanged.
        kind: organization, project, app, human, service_user.
        fields: names of the fields that differ, never values.
        generated_secret: a secret made now and shown this once; empty otherwise.
    """

    action: str
    kind: str
    id: str
    name: str
    fields: tuple[str, ...] = ()
    generated_secret: Secret = ""


class Applied(Message, frozen=True):
    """Every object of the document in order, with what happened to it."""

    changes: tuple[Change, ...]


GET_CLIENT = Rpc("users.v1.client.get", AskClient, ClientFound, ("authz", "token"))
GET_USER = Rpc("users.v1.user.get", AskUser, UserFound, ("authz", "token"))
FIND_USER = Rpc("users.v1.user.find", FindUser, UserFound, ("authz",))
GET_CLAIMS = Rpc("users.v1.user.claims", AskClaims, UserClaims, ("authz", "token"))
GET_SERVICE_USER = Rpc("users.v1.service_user.get", AskServiceUser, ServiceUserFound, ("token",))
GET_AUDIENCES = Rpc("users.v1.project.audiences", AskProjects, ProjectAudiences, ("token",))
GET_ROLES = Rpc("users.v1.user.roles", AskRoles, Roles, ("token",))
KNOWS_ORIGIN = Rpc("users.v1.origin.ask", AskOrigin, OriginKnown, ("token",))
VERIFY_PASSWORD = Rpc("users.v1.password.verify", VerifyPassword, PasswordVerified, ("authz",))
APPLY = Rpc("users.v1.apply.run", Apply, Applied, ("operator",))
