"""Budgets and verdicts."""

from __future__ import annotations

import pytest

from bench.budgets import BUDGETS, verdict
from bench.operations import OPERATIONS


def test_every_operation_has_its_budget() -> None:
    """The table of operations and the table of budgets name the same."""
    assert [operation.name for operation in OPERATIONS] == list(BUDGETS)


def test_every_budget_is_above_the_limit() -> None:
    """Nothing can cost less than the bare function with the same Redis calls and signatures."""
    assert all(budget.limits > 1 for budget in BUDGETS.values())


@pytest.mark.parametrize(
    ("ratio", "said"), [(1.9, "reached"), (3.8, "reached"), (4.18, "10 % over"), (7.6, "100 % over")]
)
def test_verdict_states_how_far_it_is(ratio: float, said: str) -> None:
    """A multiple of the limit is compared with the one to reach, 3.8 for userinfo."""
    assert verdict("userinfo", ratio) == said
