"""The step table of the login."""

from __future__ import annotations

from portico_authz.steps import STEPS, LoginFacts, next_step
from portico_contracts.login import StepName


def test_nobody_named_is_asked_for_the_login_name() -> None:
    """The first step."""
    assert next_step(LoginFacts()) is StepName.LOGIN_NAME


def test_somebody_named_is_asked_for_the_password() -> None:
    """LG-01: whoever was named."""
    assert next_step(LoginFacts(login_name="nobody-has-this")) is StepName.PASSWORD


def test_every_step_but_done_stands_in_the_table() -> None:
    """A step without a row would never be asked."""
    assert {step for step, _ in STEPS} == set(StepName) - {StepName.DONE}
