"""The order of the steps of a login, in one table.

A step is needed as long as its question is open; the first open one is asked next. A new step is a word in
`StepName`, a fact here, and a row in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from portico_contracts.login import StepName


@dataclass(frozen=True, slots=True)
class LoginFacts:
    """What is settled of a login that is under way.

    Attributes:
        login_name: as typed and accepted; accepted whether or not anybody has it (LG-01).
    """

    login_name: str = ""


def _is_nobody_named(facts: LoginFacts) -> bool:
    return not facts.login_name


def _is_not_proven(_facts: LoginFacts) -> bool:
    # A proven password ends the login; there is no state in between that could be resumed (LG-08).
    return True


STEPS: Final[tuple[tuple[StepName, Callable[[LoginFacts], bool]], ...]] = (
    (StepName.LOGIN_NAME, _is_nobody_named),
    (StepName.PASSWORD, _is_not_proven),
)


def next_step(facts: LoginFacts) -> StepName:
    """The first step whose question is open."""
    return next((step for step, is_open in STEPS if is_open(facts)), StepName.DONE)
