"""The tables of mutants fit the source as it is now."""

from __future__ import annotations

from collections import Counter

import pytest

from mutants.mutant import ROOT, Mutant, read_mutants

MUTANTS = read_mutants()
SERVICES = ("authz", "token", "keys", "users", "login-ui", "console")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_a_mutant_fits_the_source(mutant: Mutant) -> None:
    """Its text occurs in its file exactly once, the change compiles, and the files of its tests are there."""
    changed = mutant.applied_to((ROOT / mutant.file).read_text())
    if mutant.file.endswith(".py"):
        compile(changed, mutant.file, "exec")

    assert mutant.tests
    assert all((ROOT / test.partition("::")[0]).is_file() for test in mutant.tests)


def test_there_are_many_over_all_services() -> None:
    """No service is left out, and the list does not shrink when rules move."""
    counted = Counter(service for service in SERVICES for one in MUTANTS if one.file.startswith(f"services/{service}/"))

    assert len(MUTANTS) >= 60
    assert len({one.id for one in MUTANTS}) == len(MUTANTS)
    assert all(counted[service] >= 5 for service in SERVICES)
