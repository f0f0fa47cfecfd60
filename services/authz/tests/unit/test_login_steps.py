"""The step table of the login: every possible state."""

from __future__ import annotations

from itertools import product

import pytest
from portico_authz.domain.factors import SECOND_FACTORS
from portico_authz.steps import STEPS, AuthenticatedUser, LoginState, next_step
from portico_contracts.login import StepName

KEYS = [StepName.ENROL_PASSKEY, StepName.ENROL_KEY]
ENROLMENT = [StepName.ENROL_EMAIL, StepName.ENROL, StepName.ENROL_TOTP, *KEYS]
FACTORS = [None, StepName.FACTOR_MISSING, *ENROLMENT, *sorted(SECOND_FACTORS)]
USERS = [
    None,
    *(AuthenticatedUser(*demands) for demands in product(FACTORS, [False, True], [False, True], [False, True])),
]
EXTERNAL = [None, StepName.DIRECTORY, StepName.COMPLETE_EXTERNAL, StepName.EXTERNAL_NO_ACCOUNT]
EVERYTHING = [
    LoginState(choose, registering, registered, passkey, name, authenticated, external)
    for choose, registering, registered, passkey, name, authenticated, external in product(
        [False, True], [False, True], [False, True], [False, True], ["", "ada"], USERS, EXTERNAL
    )
]


def expected(state: LoginState) -> StepName:
    """The rule, restated in the plainest way."""
    if state.user is None:
        return expected_first(state)
    if state.user.factor:
        return state.user.factor
    if state.user.must_see_codes:
        return StepName.RECOVERY_CODES
    if state.user.must_change_password:
        return StepName.CHANGE_PASSWORD
    return StepName.VERIFY_EMAIL if state.user.must_verify_email else StepName.DONE


def expected_first(state: LoginState) -> StepName:
    """The first step, before any factor is verified."""
    if state.registered:
        return StepName.VERIFY_EMAIL
    if state.external:
        return state.external
    if state.must_choose:
        return StepName.SELECT_ACCOUNT
    if state.registering:
        return StepName.REGISTER
    if state.passkey:
        return StepName.PASSKEY
    return StepName.PASSWORD if state.login_name else StepName.LOGIN_NAME


@pytest.mark.parametrize("state", EVERYTHING)
def test_every_state_leads_to_one_step(state: LoginState) -> None:
    """Policy, user and answers combine to 9,344 states with one step each."""
    assert next_step(state) is expected(state)


def test_no_login_is_done_without_authentication() -> None:
    """LG-08: whatever else is settled, an authenticated user without requirements is needed."""
    assert all(state.user == AuthenticatedUser() for state in EVERYTHING if next_step(state) is StepName.DONE)


def test_every_step_but_done_is_in_the_table_once() -> None:
    """A step without a row would never be requested."""
    assert sorted(step for step, _ in STEPS) == sorted(set(StepName) - {StepName.DONE})


def test_every_step_is_reached() -> None:
    """A row no facts lead to is dead."""
    assert {next_step(state) for state in EVERYTHING} == set(StepName)
