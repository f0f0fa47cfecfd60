from __future__ import annotations

from portico_contracts.authz import CodeGrant
from portico_contracts.subjects import Message, Rpc, Secret


class RevokeSession(Message, frozen=True):
    """Revokes every grant of one session, offline ones included; replies once that is durable.

    `user_id` locates the grants: they share the user's bucket. `session_id` is the `sid`.
    """

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
    """One live grant.

    Attributes:
        created: unix seconds.
        session_id: the session that granted it; empty for a service user.
        offline: it has a refresh token.
    """

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
    """Requests the tokens of an implicit response (OIDC Core section 3.2.2.5).

    `grant.grant_id` is the id of the grant to create. `with_access_token` is response type ``id_token
    token``, otherwise ``id_token``.
    """

    grant: CodeGrant
    with_access_token: bool


class ImplicitTokens(Message, frozen=True):
    """The members of an implicit response, before state and iss.

    Attributes:
        id_token: contains at_hash when there is an access token.
        access_token: empty unless requested; so is the scope.
        expires_in: seconds, 0 without an access token.
    """

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
    """Authenticates an access token presented to one of Portico's own APIs.

    `audience` is the API's project, which the token must be for.
    """

    token: Secret
    audience: str


class Bearer(Message, frozen=True):
    """The caller: the active user of an active token.

    Attributes:
        client_id: the application the token was issued to; the user's id for a service user's token.
        expires: unix seconds.
        auth_time: unix seconds of the sign-in; 0 for a service user and from older releases.
        acr: the strength of that sign-in.
        session_id: the session of that sign-in; empty for a service user and where unknown.
        auth_time_proven: false where an identity provider did not state the time of authentication; it then
            counts as long ago.
    """

    user_id: str
    org_id: str
    client_id: str
    scope: tuple[str, ...]
    expires: int
    auth_time: int = 0
    acr: str = ""
    session_id: str = ""
    auth_time_proven: bool = True


class BearerFound(Message, frozen=True):
    """The caller, or None: unknown, expired, revoked and foreign tokens are not distinguished."""

    bearer: Bearer | None = None


AUTHENTICATE_BEARER = Rpc("token.v1.bearer.authenticate", AuthenticateBearer, BearerFound, ("users",))
REVOKE_USER = Rpc("token.v1.user.revoke", RevokeUser, Revoked, ("users",))
LIST_TOKEN_GRANTS = Rpc("token.v1.grants.ask", ListTokenGrants, TokenGrants, ("users",))
REVOKE_USER_CLIENT = Rpc("token.v1.client.revoke", RevokeUserClient, Revoked, ("users",))
ISSUE_IMPLICIT_TOKENS = Rpc("token.v1.front_channel.issue", IssueImplicitTokens, ImplicitTokens, ("authz",))
SIGN_LOGOUT_TOKENS = Rpc("token.v1.logout_token.sign", SignLogoutTokens, LogoutTokens, ("authz",))
REVOKE_SESSION = Rpc("token.v1.session.revoke", RevokeSession, Revoked, ("authz", "users"))
