"""Passwords, verified at users, which counts the attempts; and what users returns about a factor."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users import VERIFY_PASSWORD, Factor, User, VerifyPassword

from portico_authz.dependencies import Dependencies


class Attempted(NamedTuple):
    """Wrong credentials; the id of the user is empty for an unknown name. Both are only for the event (LG-01).

    `failure` is empty where it follows from the step.
    """

    user_id: str
    failure: str = ""


class Verified(NamedTuple):
    """`device_bound`: the key states with its signature that it cannot be copied to another device.

    `is_refused`: the factor is right, but the organization does not allow it.
    """

    user: User | None
    factor: Factor
    device_bound: bool = False
    user_verified: bool = False
    is_refused: bool = False

    def result(self, user_id: str) -> User | Attempted:
        """Returns the user, or the failed attempt of the user with this id."""
        return self.user or Attempted(user_id, SignInFailure.NOT_ALLOWED if self.is_refused else "")


async def verify_named(deps: Dependencies, login_name: str, password: str, org_id: str) -> User | Attempted:
    """Returns the user of a login name with this password; users counts it as an attempt (LG-05)."""
    question = VerifyPassword(login_name=login_name, password=password, org_id=org_id)
    asked = deps.users_client.begin()
    verified = await deps.bus.call(VERIFY_PASSWORD, question)
    if verified.user is None:
        return Attempted(verified.attempted, verified.failure)
    # Saves the request for this user when the browser comes for the response.
    deps.users_client.cache_user(verified.user, asked)
    return verified.user
