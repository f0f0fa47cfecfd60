from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.clients import AccessTokenType, Dpop, TokenLifetimes
from portico_contracts.users.public_keys import PublicKey
from portico_contracts.users.trusted_workloads import TrustedWorkload


class Factor(StrEnum):
    U2F = "u2f"
    PASSKEY = "passkey"
    TOTP = "totp"
    OTP_EMAIL = "otp_email"
    OTP_SMS = "otp_sms"
    RECOVERY_CODE = "recovery_code"


class GetUser(Message, frozen=True):
    """Requests one user by id.

    `seen` is the version of the cached user in Redis, empty for none; if it differs, users settles it. None
    when the reply will not be cached.
    """

    user_id: str
    seen: str | None = None


class FindUser(Message, frozen=True):
    """Requests the end user of a user name, ``username@domain``, or verified email address (decision 0028).

    `org_id` is the only organization whose users are found; empty for any.
    """

    login_name: str
    org_id: str


class User(Message, frozen=True):
    """An active user of an active organization.

    `login_name` is ``username@primarydomain``. `password_changed` is unix seconds, 0 if unknown. `factors`,
    except recovery codes, are required at every sign-in (LG-08). `version` is random text, new after each
    change. `trust_epoch` differs after each change of credentials or state, which ends the trust in devices.
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
    trust_epoch: int = 0


class UserFound(Message, frozen=True):
    """The user; None for unknown, deleted, locked and inactive users alike."""

    user: User | None = None


class GetServiceUser(Message, frozen=True):
    """Requests the service user of a client id: its user id or its user name."""

    client_id: str


class ServiceUser(Message, frozen=True):
    """An active service user as a client of the token endpoint; fields as in `Client`."""

    user: User
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    secret_hash: Secret = ""
    keys: tuple[PublicKey, ...] = ()
    access_token_alg: str = "RS256"
    lifetimes: TokenLifetimes | None = None
    previous_secret_hash: Secret = ""
    previous_secret_until: float = 0
    secret_until: float = 0
    dpop: Dpop = Dpop.OFF
    trusted_workloads: tuple[TrustedWorkload, ...] = ()


class ServiceUserFound(Message, frozen=True):
    """The service user; None for unknown ids, end users and inactive service users alike."""

    service_user: ServiceUser | None = None


class GetRoles(Message, frozen=True):
    """Requests the roles of a user in some projects."""

    user_id: str
    project_ids: tuple[str, ...]


class Roles(Message, frozen=True):
    """By project id and role key: the granting organizations, as id to primary domain."""

    roles: dict[str, dict[str, dict[str, str]]]
    version: str = ""


class GetGroups(Message, frozen=True):
    """Requests the names of the groups of a user."""

    user_id: str


class Groups(Message, frozen=True):
    """The sorted names of the user's groups, all of the user's organization."""

    names: tuple[str, ...] = ()
    version: str = ""


class CheckProjectAccess(Message, frozen=True):
    """Requests a user's relation to a project."""

    user_id: str
    project_id: str


class ProjectAccess(Message, frozen=True):
    """A user's relation to a project; all false for inactive users and projects, with an empty `version`."""

    has_role: bool = False
    has_project: bool = False
    version: str = ""


class GetClaims(Message, frozen=True):
    """Requests all claims that userinfo may return about a user; `seen` is as in `GetUser`."""

    user_id: str
    seen: str | None = None


class UserClaims(Message, frozen=True):
    """Standard claims (OIDC Core section 5.1) and reserved ones; unknown values are absent, never empty."""

    user: User | None = None
    claims: dict[str, str | int | bool | dict[str, str]] = {}
    metadata: dict[str, str] = {}
    org_name: str = ""
    org_domain: str = ""


class ConfirmVersions(Message, frozen=True):
    """Checks cached versions of users, by id; at most a thousand."""

    versions: dict[str, str]


class VersionsConfirmed(Message, frozen=True):
    """The ids of users whose version differs or who are unknown."""

    changed: tuple[str, ...] = ()


GET_USER = Rpc("users.v1.user.get", GetUser, UserFound, ("authz", "token", "operator"))
FIND_USER = Rpc("users.v1.user.find", FindUser, UserFound, ("authz", "operator"))
GET_CLAIMS = Rpc("users.v1.user.claims", GetClaims, UserClaims, ("authz", "token"))
GET_SERVICE_USER = Rpc("users.v1.service_user.get", GetServiceUser, ServiceUserFound, ("token",))
GET_ROLES = Rpc("users.v1.user.roles", GetRoles, Roles, ("token",))
GET_GROUPS = Rpc("users.v1.user.groups", GetGroups, Groups, ("token",))
CHECK_PROJECT_ACCESS = Rpc("users.v1.user.admission", CheckProjectAccess, ProjectAccess, ("authz", "token"))
CONFIRM_VERSIONS = Rpc("users.v1.user.versions", ConfirmVersions, VersionsConfirmed, ("authz", "token"))
