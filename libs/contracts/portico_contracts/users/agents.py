"""When agents use what users allow them."""

from __future__ import annotations

from portico_contracts.subjects import Message, Report


class AgentUsed(Message, frozen=True):
    """An access token of a user was issued to an agent, or to another application by an exchange of a token of it.

    `via` is the client id of that other application, and `actor` the id of a user who acts for this one; both may be
    empty. `audience` is that of the token, and `at` is in unix seconds.
    `provider` is the id of the identity provider whose assertion the token was issued for, by a rule of an administrator.
    """

    user_id: str
    client_id: str
    audience: tuple[str, ...]
    scope: tuple[str, ...]
    at: float
    via: str = ""
    actor: str = ""
    provider: str = ""


AGENT_USED = Report("users.v1.agent.used", AgentUsed, ("token",))
