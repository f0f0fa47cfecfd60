"""Acting for a user (RFC 8693 section 1.1, decision 0096): users decides, logs and notifies before token issues."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class ActForUser(Message, frozen=True):
    """Asks whether a user may act for another one, through an application.

    Unless `only_asked`, the answer is logged and the other user is notified.
    """

    actor_id: str
    user_id: str
    client_id: str
    only_asked: bool = False


class MayAct(Message, frozen=True):
    """The user may; otherwise the response is an error."""


ACT_FOR_USER = Rpc("users.v1.user.impersonate", ActForUser, MayAct, ("token",))
