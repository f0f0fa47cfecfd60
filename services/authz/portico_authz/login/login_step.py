"""What a step of a login consists of, and the table of the steps, which `steps` fills: it has a module for each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from portico_contracts.login import Answer
from portico_contracts.login_steps import AnyStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import User

from portico_authz.dependencies import Dependencies
from portico_authz.login.state import Login, Transition
from portico_authz.login.verifiers import Attempted, Verified
from portico_authz.steps import Requirement

Submitted = TypeVar("Submitted", bound=Answer)

Common = dict[str, Any]
"""The fields that every step has."""

Begin = Callable[[Dependencies, Login, tuple[str, ...], str], Awaitable[Transition]]
"""With the languages of the browser, and the owner of the factor, where the progress must not count that user as
authenticated.
"""

Verify = Callable[[Dependencies, str, str, str], Awaitable[Verified]]
"""With the id of the user (empty for a passkey, which identifies its owner), the challenge, and the response."""


@dataclass(frozen=True, slots=True)
class LoginStep(Generic[Submitted]):
    """What the page of a step shows, and what its answer does.

    Attributes:
        begin: what happens before its page is shown: a code is sent, a challenge begins.
        verify: verifies the factor that its page requests.
        requirement: when an authenticated user has to take it.
        failure: why an attempt fails that its page sends, for the event; a `SignInFailure`.
    """

    answer: type[Submitted]
    show: Callable[[Dependencies, Transition, Common], Awaitable[AnyStep]]
    submit: Callable[[Dependencies, Login, Submitted], Awaitable[Transition]]
    begin: Begin | None = None
    verify: Verify | None = None
    requirement: Requirement | None = None
    failure: str = ""


STEPS: Final[dict[StepName, LoginStep[Any]]] = {}
"""Every step with a page; `StepName.DONE` has none."""


async def prepare_step(
    deps: Dependencies, login: Login, languages: tuple[str, ...] = (), owner: str = ""
) -> Transition:
    """Begins the open step; it may go on to another one."""
    step = STEPS.get(login.step)
    if step is None or step.begin is None:
        return Transition(login)
    return await step.begin(deps, login, languages, owner or login.progress.user_id)


def failure_of(step: StepName, verified: User | Attempted | None, org_id: str = "") -> str:
    """Returns why an attempt failed; `org_id` is the only organization whose users may sign in, empty for any."""
    if isinstance(verified, User):
        is_elsewhere = org_id not in ("", verified.org_id)
        return SignInFailure.OTHER_ORGANIZATION if is_elsewhere else SignInFailure.OTHER_USER
    if verified and verified.failure:
        return verified.failure
    row = STEPS.get(step)
    return row.failure if row else ""
