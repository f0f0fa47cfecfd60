from __future__ import annotations

from itertools import product
from typing import Final

from portico_authz.login.steps import REQUIREMENTS
from portico_authz.steps import AuthenticatedUser, LoginState, next_step
from portico_contracts.step_names import StepName

UNAUTHENTICATED: Final = (
    (LoginState(), StepName.LOGIN_NAME),
    (LoginState(login_name="ada"), StepName.PASSWORD),
    (LoginState(passkey=True), StepName.PASSKEY),
    (LoginState(passkey=True, login_name="ada"), StepName.PASSKEY),
    (LoginState(email_code=True, login_name="ada"), StepName.EMAIL_CODE),
    (LoginState(registering=True), StepName.REGISTER),
    (LoginState(registering=True, login_name="ada"), StepName.REGISTER),
    (LoginState(registering=True, passkey=True, login_name="ada"), StepName.REGISTER),
    (LoginState(must_choose=True), StepName.SELECT_ACCOUNT),
    (LoginState(must_choose=True, login_name="ada"), StepName.SELECT_ACCOUNT),
    (LoginState(must_choose=True, registering=True, passkey=True, login_name="ada"), StepName.SELECT_ACCOUNT),
)
"""States before the first factor is verified, with the step requested next."""

EXTERNAL: Final = (StepName.LDAP, StepName.COMPLETE_EXTERNAL, StepName.EXTERNAL_NO_ACCOUNT)
"""Pages that replace the first factor: each precedes every step of `UNAUTHENTICATED`."""

FACTORS: Final = (
    StepName.PASSWORD,
    StepName.SECURITY_KEY,
    StepName.TOTP,
    StepName.OTP_EMAIL,
    StepName.OTP_SMS,
    StepName.RECOVERY_CODE,
    StepName.FACTOR_MISSING,
    StepName.ENROL_EMAIL,
    StepName.ENROL,
    StepName.ENROL_PASSKEY,
    StepName.ENROL_KEY,
    StepName.ENROL_TOTP,
)
"""Steps of the second factor: each precedes every other requirement of an authenticated user."""

REQUIRED: Final = (StepName.RECOVERY_CODES, StepName.CHANGE_PASSWORD, StepName.VERIFY_EMAIL)
"""In order: the codes of a factor are seen before anything else is changed."""

AUTHENTICATED: Final = (
    (AuthenticatedUser(), StepName.DONE),
    (AuthenticatedUser(needs_password=True), StepName.DONE),
    *((AuthenticatedUser(required=step), step) for step in REQUIRED),
    *((AuthenticatedUser(step), step) for step in FACTORS),
    *((AuthenticatedUser(step, required), step) for step in FACTORS for required in REQUIRED),
)
"""Users whose first factor is verified, with the step requested next."""

TABLE: Final = (
    *UNAUTHENTICATED,
    *((LoginState(external=step), step) for step in EXTERNAL),
    *((LoginState(must_choose=True, registering=True, passkey=True, external=step), step) for step in EXTERNAL),
    (LoginState(registered=True), StepName.VERIFY_EMAIL),
    (LoginState(registered=True, login_name="ada"), StepName.VERIFY_EMAIL),
    *((LoginState(True, True, True, True, True, external=step), StepName.VERIFY_EMAIL) for step in EXTERNAL),
    *((LoginState(user=user), step) for user, step in AUTHENTICATED),
    *((LoginState(True, True, True, True, True, "ada", user, StepName.LDAP), step) for user, step in AUTHENTICATED),
)

FLAG: Final = (False, True)
USERS: Final = (
    None,
    *(AuthenticatedUser(*requirements) for requirements in product((None, *FACTORS), (None, *REQUIRED), FLAG, FLAG)),
)
EVERYTHING: Final = [
    LoginState(*facts) for facts in product(FLAG, FLAG, FLAG, FLAG, FLAG, ("", "ada"), USERS, (None, *EXTERNAL))
]


def test_next_step_is_the_first_required_one() -> None:
    """Each step is requested where it alone is required, and before each step that follows it in the table."""
    found = [(state, next_step(state)) for state, _ in TABLE]

    assert [(*one, step) for one, (_, step) in zip(found, TABLE, strict=True) if one[1] is not step] == []


def test_no_login_is_done_without_authentication() -> None:
    """A login is done only with an authenticated user without open requirements (LG-08)."""
    users = {state.user for state in EVERYTHING if next_step(state) is StepName.DONE}

    assert {(user.factor, user.required) for user in users if user} == {(None, None)}
    assert None not in users


def test_second_factor_precedes_everything_else() -> None:
    """No state postpones the second factor required of an authenticated user (LG-08)."""
    authenticated = [(state.user.factor, next_step(state)) for state in EVERYTHING if state.user]

    assert [(factor, step) for factor, step in authenticated if factor and step is not factor] == []


def test_authenticated_user_needs_no_first_factor() -> None:
    steps = {next_step(state) for state in EVERYTHING if state.user}

    assert steps == {*FACTORS, *REQUIRED, StepName.DONE}


def test_listed_states_lead_to_every_step() -> None:
    assert {step for _, step in TABLE} == set(StepName) - {StepName.CONSENT}


def test_requirements_are_in_order() -> None:
    assert tuple(step for step, _ in REQUIREMENTS) == REQUIRED
