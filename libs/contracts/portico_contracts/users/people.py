"""What users answers about users: humans, service users, their claims and their roles."""

from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.clients import AccessTokenType, PublicKey, TokenLifetimes


class Factor(StrEnum):
    """What a user can prove themselves with besides a password."""

    U2F = "u2f"
    PASSKEY = "passkey"
    TOTP = "totp"
    OTP_EMAIL = "otp_email"
    RECOVERY_CODE = "recovery_code"


class GetUser(Message, frozen=True):
    """Requests one user by id.

    Attributes:
        seen: the version of the user's facts in Redis, empty for none: where it is another one, users settles it. None
            when the answer is not going to be remembered.
    """

    user_id: str
    seen: str | None = None


class FindUser(Message, frozen=True):
    """Requests the human an identifier means (decision 0028).

    Attributes:
        login_name: user name, qualified name ``username@domain``, or verified email address, as typed or hinted.
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
        password_changed: unix seconds at which the password was set; 0 without one, and where it is unknown.
        factors: what they have; one that is not a recovery code is requested at every sign-in (LG-08).
        version: random text that is another one after each change of the user (decision 0039).
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
    factors: tuple[Factor, ...] = ()
    password_changed: float = 0.0
    version: str = ""


class UserFound(Message, frozen=True):
    """The user, or nothing: unknown, deleted, locked and inactive look alike."""

    user: User | None = None


class GetServiceUser(Message, frozen=True):
    """Requests the service user a client id names: its user id, or its user name."""

    client_id: str


class ServiceUser(Message, frozen=True):
    """An active service user, as a client of the token endpoint.

    Attributes:
        secret_hash: `portico_oauth.opaque.fingerprint` of its generated secret; empty without one.
        keys: what its assertions are signed with (JWT profile).
        access_token_alg: algorithm the tokens issued to it are signed with, where they are JWTs.
        lifetimes, previous_secret_hash, previous_secret_until: see `Client`.
    """

    user: User
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    secret_hash: Secret = ""
    keys: tuple[PublicKey, ...] = ()
    access_token_alg: str = "RS256"
    lifetimes: TokenLifetimes | None = None
    previous_secret_hash: Secret = ""
    previous_secret_until: float = 0


class ServiceUserFound(Message, frozen=True):
    """The service user, or nothing: unknown, human and inactive look alike."""

    service_user: ServiceUser | None = None


class GetRoles(Message, frozen=True):
    """Asks which roles a user was granted in some projects."""

    user_id: str
    project_ids: tuple[str, ...]


class Roles(Message, frozen=True):
    """By project id, by role key: the organizations the role was granted by, as id to primary domain.

    Attributes:
        version: of the user; empty where there is no active one.
    """

    roles: dict[str, dict[str, dict[str, str]]]
    version: str = ""


class CheckProjectAccess(Message, frozen=True):
    """Asks what a user has to do with a project."""

    user_id: str
    project_id: str


class ProjectAccess(Message, frozen=True):
    """What a user has to do with a project; nothing for inactive users and projects.

    Attributes:
        has_role: a role of the project that counts was given to the user.
        has_project: the project belongs to the user's organization, or is granted to it.
        version: of the user; empty where there is no active one.
    """

    has_role: bool = False
    has_project: bool = False
    version: str = ""


class GetClaims(Message, frozen=True):
    """Requests everything userinfo may return about a user.

    Attributes:
        seen: see `GetUser`.
    """

    user_id: str
    seen: str | None = None


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


class ConfirmVersions(Message, frozen=True):
    """Asks whether users are as they were: by id, the version that is remembered; a thousand at most."""

    versions: dict[str, str]


class VersionsConfirmed(Message, frozen=True):
    """The ids of those that are not: changed, or unknown."""

    changed: tuple[str, ...] = ()


GET_USER = Rpc("users.v1.user.get", GetUser, UserFound, ("authz", "token"))
FIND_USER = Rpc("users.v1.user.find", FindUser, UserFound, ("authz",))
GET_CLAIMS = Rpc("users.v1.user.claims", GetClaims, UserClaims, ("authz", "token"))
GET_SERVICE_USER = Rpc("users.v1.service_user.get", GetServiceUser, ServiceUserFound, ("token",))
GET_ROLES = Rpc("users.v1.user.roles", GetRoles, Roles, ("token",))
CHECK_PROJECT_ACCESS = Rpc("users.v1.user.admission", CheckProjectAccess, ProjectAccess, ("authz", "token"))
CONFIRM_VERSIONS = Rpc("users.v1.user.versions", ConfirmVersions, VersionsConfirmed, ("authz", "token"))
