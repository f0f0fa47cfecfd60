"""Hypothesis as the plugin of all tests sets it up."""

from __future__ import annotations

import importlib

from hypothesis import given, settings, strategies


@given(strategies.just(1))
def test_modules_are_not_read_for_values(value: int) -> None:
    """Reading all modules takes longer than most tests."""
    providers = importlib.import_module("hypothesis.internal.conjecture.providers")
    assert len(vars(providers)["_get_local_constants"]()) == 0, value


def test_every_run_draws_the_same_examples_without_a_deadline() -> None:
    assert (settings().derandomize, settings().deadline, settings().database) == (True, None, None)
