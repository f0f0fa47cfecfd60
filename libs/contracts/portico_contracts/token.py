"""What token answers."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


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


REVOKE_SESSION = Rpc("token.v1.session.revoke", RevokeSession, Revoked, ("authz", "users"))
