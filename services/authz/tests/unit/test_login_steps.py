"""The step table of the login: every set of facts there can be."""

from __future__ import annotations

from itertools import product

import pytest
from portico_authz.steps import STEPS, LoginFacts, Proven, next_step
from portico_contracts.login import StepName

PROVEN = [None, *(Proven(password, mail) for password, mail in product([False, True], repeat=2))]
EVERYTHING = [
    LoginFacts(choose, registering, registered, name, proven)
    for choose, registering, registered, name, proven in product(
        [False, True], [False, True], [False, True], ["", "ada"], PROVEN
    )
]


def expected(facts: LoginFacts) -> StepName:
    """The rule, said once more in the plainest way."""
    if facts.proven is None:
        if facts.registered:
            return StepName.VERIFY_MAIL
        if facts.must_choose:
            return StepName.SELECT_ACCOUNT
        if facts.registering:
            return StepName.REGISTER
        return StepName.PASSWORD if facts.login_name else StepName.LOGIN_NAME
    if facts.proven.must_change_password:
        return StepName.CHANGE_PASSWORD
    return StepName.VERIFY_MAIL if facts.proven.must_verify_mail else StepName.DONE


@pytest.mark.parametrize("facts", EVERYTHING)
def test_every_set_of_facts_leads_to_one_step(facts: LoginFacts) -> None:
    """Policy x user state x what the person did, 80 in all."""
    assert next_step(facts) is expected(facts)


def test_nothing_is_done_without_a_proof() -> None:
    """LG-08: whatever else is settled."""
    assert all(facts.proven == Proven() for facts in EVERYTHING if next_step(facts) is StepName.DONE)


def test_every_step_but_done_stands_in_the_table_once() -> None:
    """A step without a row would never be asked."""
    assert sorted(step for step, _ in STEPS) == sorted(set(StepName) - {StepName.DONE})


def test_every_step_is_reached() -> None:
    """A row no facts lead to is dead."""
    assert {next_step(facts) for facts in EVERYTHING} == set(StepName)
