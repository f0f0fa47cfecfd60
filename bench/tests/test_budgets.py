"""Budgets and verdicts."""

from __future__ import annotations

import pytest

from bench.budgets import BUDGETS, verdict
from bench.operations import OPERATIONS


def test_every_operation_has_its_budget() -> None:
    """The table of operations and the table of budgets name the same."""
    assert [operation.name for operation in OPERATIONS] == list(BUDGETS)


def test_budgets_lie_between_the_limit_and_each_other() -> None:
    """What comes then is less than where to land, and a budget on top of a hash is not compared with the limit."""
    for name, budget in BUDGETS.items():
        assert budget.reach < budget.land_at, name
        assert budget.besides_hash or budget.limit < budget.reach, name


@pytest.mark.parametrize(
    ("cpu_us", "said"), [(60, "reached"), (90, "landed, 50 % to go"), (95, "landed, 58 % to go"), (190, "100 % over")]
)
def test_verdict_states_how_far_it_is(cpu_us: float, said: str) -> None:
    """Over is stated against the first figure, still to go against the second."""
    assert verdict("userinfo", cpu_us) == said


def test_sign_in_is_judged_without_its_hash() -> None:
    """A password hash is what it is on this machine; only the rest is judged."""
    assert verdict("sign-in", 28_000, hash_us=25_000) == "reached"
    assert verdict("sign-in", 28_000, hash_us=16_000) == "100 % over"
