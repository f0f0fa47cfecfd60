"""The step table of the login: every set of facts there can be."""

from __future__ import annotations

from itertools import product

import pytest
from portico_authz.domain.factors import SECOND_FACTORS
from portico_authz.steps import STEPS, LoginFacts, Proven, next_step
from portico_contracts.login import StepName

FACTORS = [None, StepName.FACTOR_MISSING, *sorted(SECOND_FACTORS)]
PROVEN = [None, *(Proven(*demands) for demands in product(FACTORS, [False, True], [False, True]))]
EVERYTHING = [
    LoginFacts(choose, registering, registered, passkey, name, proven)
    for choose, registering, registered, passkey, name, proven in product(
        [False, True], [False, True], [False, True], [False, True], ["", "ada"], PROVEN
    )
]


def expected(facts: LoginFacts) -> StepName:
    """The rule, said once more in the plainest way."""
    if facts.proven is None:
        return expected_first(facts)
    if facts.proven.factor:
        return facts.proven.factor
    if facts.proven.must_change_password:
        return StepName.CHANGE_PASSWORD
    return StepName.VERIFY_EMAIL if facts.proven.must_verify_mail else StepName.DONE


def expected_first(facts: LoginFacts) -> StepName:
    """Before anything is proven."""
    if facts.registered:
        return StepName.VERIFY_EMAIL
    if facts.must_choose:
        return StepName.SELECT_ACCOUNT
    if facts.registering:
        return StepName.REGISTER
    if facts.passkey:
        return StepName.PASSKEY
    return StepName.PASSWORD if facts.login_name else StepName.LOGIN_NAME


@pytest.mark.parametrize("facts", EVERYTHING)
def test_every_set_of_facts_leads_to_one_step(facts: LoginFacts) -> None:
    """Policy x user state x what the person did, 784 in all."""
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
