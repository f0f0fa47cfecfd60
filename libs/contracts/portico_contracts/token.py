from __future__ import annotations

from enum import StrEnum

from portico_contracts.authz import CodeGrant
from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.claim_rules import ClaimPlace, ClaimRule, NotGiven


class RevokeSession(Message, frozen=True):
    """Revokes every grant of one session, offline ones included; replies once that is durable."""

    user_id: str
    session_id: str


class Revoked(Message, frozen=True):
    """Number of revoked grants; 0 when none was live."""

    grants: int


class RevokeUser(Message, frozen=True):
    """Revokes every grant of a user and all stateless tokens issued before; replies once that is durable."""

    user_id: str


class ListTokenGrants(Message, frozen=True):
    """Lists the applications that have access granted by a user."""

    user_id: str


class TokenGrant(Message, frozen=True):
    """One live grant; `created` is in unix seconds, `session_id` is empty for a service user."""

    client_id: str
    scope: tuple[str, ...]
    created: float
    session_id: str
    offline: bool


class TokenGrants(Message, frozen=True):
    """The live grants; if there are very many, those with the latest expiry."""

    grants: tuple[TokenGrant, ...]


class RevokeUserClient(Message, frozen=True):
    """Revokes every grant of a user to a client; replies once that is durable."""

    user_id: str
    client_id: str


class IssueImplicitTokens(Message, frozen=True):
    """Requests the tokens of an implicit response (OIDC Core section 3.2.2.5)."""

    grant: CodeGrant
    with_access_token: bool


class ImplicitTokens(Message, frozen=True):
    """The members of an implicit response, before state and iss; access token and scope are empty unless requested."""

    id_token: Secret
    access_token: Secret = ""
    expires_in: int = 0
    scope: str = ""


class LogoutNotice(Message, frozen=True):
    """A client to notify of an ended session (OpenID Connect Back-Channel Logout 1.0 section 2.4)."""

    client_id: str
    user_id: str
    session_id: str


class SignLogoutTokens(Message, frozen=True):
    """Requests logout tokens, one per client."""

    notices: tuple[LogoutNotice, ...]


class LogoutTokens(Message, frozen=True):
    """The signed logout tokens in the order of the notices; empty for a client that is no longer active."""

    tokens: tuple[Secret, ...]


class AuthenticateBearer(Message, frozen=True):
    """Authenticates an access token for one of Portico's APIs; `audience` is the API's project.

    `proofs` are the headers DPoP of a call with that scheme, which is a call of `method` at `path` (RFC 9449); None:
    the scheme was Bearer.
    """

    token: Secret
    audience: str
    proofs: tuple[Secret, ...] | None = None
    method: str = ""
    path: str = ""


class Bearer(Message, frozen=True):
    """The active user of an active token; times are in unix seconds.

    `client_id` is the user's id for a service user's token. `auth_time` is 0 for a service user and from
    older releases. Where `auth_time_proven` is false, the authentication counts as long ago. `session_began` is as in
    `CodeGrant`.
    """

    user_id: str
    org_id: str
    client_id: str
    scope: tuple[str, ...]
    expires: int
    acr: str
    session_id: str
    auth_time_proven: bool
    auth_time: int = 0
    session_began: int = 0


class BearerFound(Message, frozen=True):
    """The caller, or None: unknown, expired, revoked and foreign tokens are not distinguished."""

    bearer: Bearer | None = None


class PreviewTokens(Message, frozen=True):
    """Asks what a user would get at an application with a scope, if the user allowed it; nothing is issued or stored.

    `claim_rules` are used in place of those that the application has, and `roles` (as in `Roles`) in place of those that
    the user has in these projects; None for what is stored.
    """

    user_id: str
    client_id: str
    scope: tuple[str, ...]
    claim_rules: tuple[ClaimRule, ...] | None = None
    roles: dict[str, dict[str, dict[str, str]]] | None = None


class ScopeDropped(StrEnum):
    """Why a word of a scope is not granted."""

    UNKNOWN = "unknown"
    """No API that the application may use defines it."""
    PROJECT = "project"
    """The application may not name this project."""
    METADATA = "metadata"
    """The organization of the user has nothing to do with the project."""
    NO_REFRESH_TOKENS = "no_refresh_tokens"
    """The application may not use refresh tokens."""
    ROLE = "role"
    """The user has none of the roles that an API demands for it."""


class DroppedScope(Message, frozen=True):
    """A word of the requested scope that is not granted; `roles` are those of which one is needed in the project."""

    scope: str
    reason: ScopeDropped
    roles: tuple[str, ...] = ()
    project_id: str = ""


class AppliedClaimRule(Message, frozen=True):
    """What a rule gives: the places that show its claim, or the reason why none does."""

    claim: str
    of_project: bool = False
    places: tuple[ClaimPlace, ...] = ()
    reason: NotGiven | None = None


class TokensPreviewed(Message, frozen=True):
    """The granted scope, and the contents as JSON objects; empty for what is not issued or answered.

    `access_token` is the content of a JWT, empty for an opaque token; `introspection` is the answer for a caller of the
    project of the application. `token_hook` is the id of the hook that is called before tokens are issued; a preview does
    not call it.
    """

    scope: tuple[str, ...]
    dropped: tuple[DroppedScope, ...] = ()
    id_token: Secret = ""
    access_token: Secret = ""
    userinfo: str = ""
    introspection: str = ""
    rules: tuple[AppliedClaimRule, ...] = ()
    token_hook: str = ""


AUTHENTICATE_BEARER = Rpc("token.v1.bearer.authenticate", AuthenticateBearer, BearerFound, ("users",))
REVOKE_USER = Rpc("token.v1.user.revoke", RevokeUser, Revoked, ("users",))
LIST_TOKEN_GRANTS = Rpc("token.v1.grants.ask", ListTokenGrants, TokenGrants, ("users",))
REVOKE_USER_CLIENT = Rpc("token.v1.client.revoke", RevokeUserClient, Revoked, ("users",))
ISSUE_IMPLICIT_TOKENS = Rpc("token.v1.front_channel.issue", IssueImplicitTokens, ImplicitTokens, ("authz",))
SIGN_LOGOUT_TOKENS = Rpc("token.v1.logout_token.sign", SignLogoutTokens, LogoutTokens, ("authz",))
REVOKE_SESSION = Rpc("token.v1.session.revoke", RevokeSession, Revoked, ("authz", "users"))
PREVIEW_TOKENS = Rpc("token.v1.tokens.preview", PreviewTokens, TokensPreviewed, ("users", "operator"))
