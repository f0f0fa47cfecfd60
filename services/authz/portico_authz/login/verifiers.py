"""Passwords, verified at users, which counts the attempts; and what users returns about a factor."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import VERIFY_PASSWORD, Factor, User, VerifyPassword

from portico_authz.dependencies import Dependencies


class Attempted(NamedTuple):
    """Wrong credentials; the id of the user is empty for an unknown name, and only for the event (LG-01)."""

    user_id: str


class Verified(NamedTuple):
    """`device_bound`: the key states with its signature that it cannot be copied to another device."""

    user: User | None
    factor: Factor
    device_bound: bool = False
    user_verified: bool = False


async def verify_named(deps: Dependencies, login_name: str, password: str, org_id: str) -> User | Attempted:
    """Returns the user of a login name with this password; users counts it as an attempt (LG-05)."""
    question = VerifyPassword(login_name=login_name, password=password, org_id=org_id)
    asked = deps.users_client.begin()
    verified = await deps.bus.call(VERIFY_PASSWORD, question)
    if verified.user is None:
        return Attempted(verified.attempted)
    # Saves the request for this user when the browser comes for the response.
    deps.users_client.cache_user(verified.user, asked)
    return verified.user
