"""Assertions for authorization servers outside of this installation: users decides by the rules of administrators."""

from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message, Rpc, Secret


class AssertionRefusal(StrEnum):
    """The first condition that no rule fulfils."""

    NOT_OFFERED = "not_offered"
    """No organization has registered an outside server."""
    USER = "user"
    """The user is not active, or no rule for the application and the resources covers the user."""
    AUDIENCE = "audience"
    """The organization of the user has no such server that the application may use."""
    RESOURCE = "resource"
    SCOPE = "scope"


class RequestAssertion(Message, frozen=True):
    """Requests the contents of an assertion of a user for an application; what is given is logged.

    `user_id` is empty to ask only whether any server is registered. `audience` names the server. Without `resources`, and
    with a `scope` of None, all that the rule has are requested.
    """

    client_id: str
    user_id: str = ""
    audience: str = ""
    resources: tuple[str, ...] = ()
    scope: tuple[str, ...] | None = None


class AssertionRequested(Message, frozen=True):
    """What the assertion states, or why there is none; `wanted` has what the failed condition allows, for diagnostics.

    `audience` is the issuer of the server as it is registered, and `client_id` that of the application there. `email`
    is empty unless the rule allows a verified address.
    """

    refusal: AssertionRefusal | None = None
    wanted: tuple[str, ...] = ()
    audience: str = ""
    client_id: str = ""
    resources: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    email: Secret = ""


REQUEST_ASSERTION = Rpc("users.v1.outside_server.assert", RequestAssertion, AssertionRequested, ("token",))
