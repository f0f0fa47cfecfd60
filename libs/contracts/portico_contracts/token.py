"""What token answers."""

from __future__ import annotations

from portico_contracts.authz import CodeGrant
from portico_contracts.subjects import Message, Rpc, Secret


class RevokeSession(Message, frozen=True):
    """Ends every grant of one session, offline ones as well; answered once it is durable.

    Attributes:
        user_id: whose session; its grants share the user's bucket.
        session_id: the `sid` of the session that ended.
    """

    user_id: str
    session_id: str


class Revoked(Message, frozen=True):
    """How many grants ended; 0 when nothing was live."""

    grants: int


class RevokeUser(Message, frozen=True):
    """Ends every grant of a user, and refuses what was issued statelessly before; answered once it is durable."""

    user_id: str


class ListTokenGrants(Message, frozen=True):
    """Which applications were given access by a user, and still have it."""

    user_id: str


class TokenGrant(Message, frozen=True):
    """One live grant.

    Attributes:
        created: unix seconds.
        session_id: of the session it was given in; empty for a service user.
        offline: it has a refresh token.
    """

    client_id: str
    scope: tuple[str, ...]
    created: float
    session_id: str
    offline: bool


class TokenGrants(Message, frozen=True):
    """The live grants; of very many those that live longest."""

    grants: tuple[TokenGrant, ...]


class RevokeUserClient(Message, frozen=True):
    """Ends every grant of a user to a client; answered once it is durable."""

    user_id: str
    client_id: str


class IssueImplicitTokens(Message, frozen=True):
    """Authz requests the tokens of an implicit response (OIDC Core §3.2.2.5).

    Attributes:
        grant: what was granted; its `grant_id` is the id of the grant to make.
        with_access_token: response type ``id_token token``; otherwise ``id_token`` alone.
    """

    grant: CodeGrant
    with_access_token: bool


class ImplicitTokens(Message, frozen=True):
    """The members of an implicit answer, before state and iss.

    Attributes:
        id_token: with at_hash when an access token comes with it.
        access_token: empty unless requested; so is the scope.
        expires_in: seconds, 0 without an access token.
    """

    id_token: Secret
    access_token: Secret = ""
    expires_in: int = 0
    scope: str = ""


class LogoutNotice(Message, frozen=True):
    """One client to be notified that a session ended (OpenID Connect Back-Channel Logout 1.0 §2.4)."""

    client_id: str
    user_id: str
    session_id: str


class SignLogoutTokens(Message, frozen=True):
    """Authz requests logout tokens, each for one client."""

    notices: tuple[LogoutNotice, ...]


class LogoutTokens(Message, frozen=True):
    """The signed tokens, in the order of the notices; empty text for a client that is not active any more."""

    tokens: tuple[Secret, ...]


class AuthenticateBearer(Message, frozen=True):
    """One of our own APIs asks whose access token it was given.

    Attributes:
        audience: who the token must be for: the API's own project.
    """

    token: Secret
    audience: str


class Bearer(Message, frozen=True):
    """Who calls: the active user of an active token.

    Attributes:
        client_id: the application it was issued to; of a service user's own token the user's id.
        expires: unix seconds.
        auth_time: when the user signed in for it, in unix seconds; 0 for a service user, and of a release that did not
            send it.
        acr: how strong that sign-in was.
        session_id: the session of that sign-in; empty for a service user, and where it is not known.
        auth_time_proven: false where another identity provider did not state when the user authenticated: then it counts as long ago.
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
    """The caller, or nothing: unknown, expired, revoked and issued to another client look alike."""

    bearer: Bearer | None = None


AUTHENTICATE_BEARER = Rpc("token.v1.bearer.authenticate", AuthenticateBearer, BearerFound, ("users",))
REVOKE_USER = Rpc("token.v1.user.revoke", RevokeUser, Revoked, ("users",))
LIST_TOKEN_GRANTS = Rpc("token.v1.grants.ask", ListTokenGrants, TokenGrants, ("users",))
REVOKE_USER_CLIENT = Rpc("token.v1.client.revoke", RevokeUserClient, Revoked, ("users",))
ISSUE_IMPLICIT_TOKENS = Rpc("token.v1.front_channel.issue", IssueImplicitTokens, ImplicitTokens, ("authz",))
SIGN_LOGOUT_TOKENS = Rpc("token.v1.logout_token.sign", SignLogoutTokens, LogoutTokens, ("authz",))
REVOKE_SESSION = Rpc("token.v1.session.revoke", RevokeSession, Revoked, ("authz", "users"))
