from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret


class RedeemCode(Message, frozen=True):
    """Redeems an authorization code for an authenticated client (RFC 6749 section 4.1.3).

    `redirect_uri` is compared with that of the authorization request. `code_verifier` is empty without PKCE.
    """

    code: Secret
    client_id: str
    redirect_uri: str
    code_verifier: Secret = ""


class CodeGrant(Message, frozen=True):
    """The grant of an authorization code.

    Attributes:
        grant_id: id of the grant to create, chosen when the code was issued.
        auth_time: unix seconds of the last active authentication.
        claims: the `claims` parameter as JSON text, or empty (OIDC Core section 5.5).
        auth_time_asked: max_age was sent or auth_time requested, so the id_token must contain auth_time.
        dropped_scope: requested scopes that were not granted; a refresh may repeat them (RFC 6749 section 6).
        auth_time_proven: false where an identity provider authenticated the user without stating the time.
    """

    grant_id: str
    client_id: str
    user_id: str
    session_id: str
    scope: tuple[str, ...]
    auth_time: int
    amr: tuple[str, ...]
    acr: str
    nonce: str = ""
    claims: str = ""
    auth_time_asked: bool = False
    dropped_scope: tuple[str, ...] = ()
    auth_time_proven: bool = True


class CodeRedeemed(Message, frozen=True):
    """The result of redeeming a code; exactly one attribute is set.

    Attributes:
        grant: the code was valid and is now used.
        spent_grant_id: the right client replayed a used code; the caller must revoke this grant.
    """

    grant: CodeGrant | None = None
    spent_grant_id: str = ""


REDEEM_CODE = Rpc("authz.v1.code.redeem", RedeemCode, CodeRedeemed, ("token",))


class ListSessions(Message, frozen=True):
    """Lists the live sessions of a user."""

    user_id: str


class SessionState(Message, frozen=True):
    """One live session.

    `auth_time` and `used_at` are unix seconds. `device` names browser and system from a closed list, or is empty.
    """

    session_id: str
    auth_time: float
    used_at: float
    amr: tuple[str, ...]
    device: str = ""


class SessionStates(Message, frozen=True):
    """Live sessions, most recently used first."""

    sessions: tuple[SessionState, ...]


class EndSessions(Message, frozen=True):
    """Ends sessions of a user and revokes their tokens; replies once that is durable.

    `session_ids` empty means all. `but_session_id` is never ended: a password change keeps its own session.
    """

    user_id: str
    session_ids: tuple[str, ...] = ()
    but_session_id: str = ""


class SessionsEnded(Message, frozen=True):
    """Number of ended sessions."""

    sessions: int


LIST_SESSIONS = Rpc("authz.v1.session.list", ListSessions, SessionStates, ("users", "operator"))
END_SESSIONS = Rpc("authz.v1.session.end", EndSessions, SessionsEnded, ("users", "operator"))
