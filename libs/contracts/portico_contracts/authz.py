"""What authz answers."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret


class RedeemCode(Message, frozen=True):
    """Token presents an authorization code on behalf of an authenticated client (RFC 6749 §4.1.3).

    Attributes:
        code: the code as it was presented.
        client_id: the client that authenticated.
        redirect_uri: as presented; compared with the one of the authorization request.
        code_verifier: PKCE verifier, empty when none was presented.
    """

    code: Secret
    client_id: str
    redirect_uri: str
    code_verifier: Secret = ""


class CodeGrant(Message, frozen=True):
    """The grant of an authorization code.

    Attributes:
        grant_id: id the grant made from this code must carry, chosen when the code was issued.
        scope: granted scopes in order.
        auth_time: unix seconds of the last active authentication.
        claims: the `claims` parameter as JSON text, empty when there was none (OIDC Core §5.5).
        auth_time_asked: max_age was sent or auth_time requested, so that it must be in the id_token.
        dropped_scope: the requested words that were not granted; a refresh may repeat them (RFC 6749 §6).
        auth_time_proven: false where another identity provider authenticated the user and did not state when.
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
    """Exactly one of the two is set.

    Attributes:
        grant: the caller is the one winner.
        spent_grant_id: the right client presented a used code again: revoke what it gave, then refuse.
    """

    grant: CodeGrant | None = None
    spent_grant_id: str = ""


REDEEM_CODE = Rpc("authz.v1.code.redeem", RedeemCode, CodeRedeemed, ("token",))


class ListSessions(Message, frozen=True):
    """Requests the live sessions of a user."""

    user_id: str


class SessionState(Message, frozen=True):
    """One live session.

    Attributes:
        auth_time, used_at: unix seconds.
        device: browser and system at the sign-in, in words from a closed list; empty for none of them.
    """

    session_id: str
    auth_time: float
    used_at: float
    amr: tuple[str, ...]
    device: str = ""


class SessionStates(Message, frozen=True):
    """The sessions, the last used first."""

    sessions: tuple[SessionState, ...]


class EndSessions(Message, frozen=True):
    """Ends sessions of a user, with all their tokens; answered once that is durable.

    Attributes:
        session_ids: only these; empty for all.
        but_session_id: never this one (a password change keeps the session it was done in).
    """

    user_id: str
    session_ids: tuple[str, ...] = ()
    but_session_id: str = ""


class SessionsEnded(Message, frozen=True):
    """How many ended."""

    sessions: int


LIST_SESSIONS = Rpc("authz.v1.session.list", ListSessions, SessionStates, ("users", "operator"))
END_SESSIONS = Rpc("authz.v1.session.end", EndSessions, SessionsEnded, ("users", "operator"))
