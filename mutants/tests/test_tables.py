from __future__ import annotations

import re
from collections import Counter

import pytest

from mutants.mutant import ROOT, Mutant, read_mutants

MUTANTS = read_mutants()
KILLED_BY_LONG_TESTS: set[str] = set()
"""Mutants that only `make test-all` kills."""

SERVICES = ("authz", "token", "keys", "users", "login-ui", "console")


@pytest.mark.slow
def test_every_mutant_fits_the_source() -> None:
    """A mutant's text occurs exactly once in its file, the change compiles, and its test files exist."""
    assert [problem for mutant in MUTANTS for problem in _problems(mutant)] == []


def _problems(mutant: Mutant) -> list[str]:
    files = [test.partition("::")[0] for test in mutant.tests]
    missing = [f"{mutant.id}: {file} is missing" for file in files if not (ROOT / file).is_file()]
    try:
        changed = mutant.applied_to((ROOT / mutant.file).read_text())
        if mutant.file.endswith(".py"):
            compile(changed, mutant.file, "exec")
    except (ValueError, SyntaxError) as error:
        return [*missing, f"{mutant.id}: {error}"]
    return missing if files else [f"{mutant.id} has no tests"]


def test_every_service_has_mutants() -> None:
    counted = Counter(service for service in SERVICES for one in MUTANTS if one.file.startswith(f"services/{service}/"))

    assert len(MUTANTS) >= 60
    assert len({one.id for one in MUTANTS}) == len(MUTANTS)
    assert all(counted[service] >= 5 for service in SERVICES)


def test_make_test_kills_every_mutant() -> None:
    """Each mutant has a test outside the modules marked ``long``, except those listed."""
    only_long = {mutant.id for mutant in MUTANTS if all(_is_long(test) for test in mutant.tests)}

    assert only_long == KILLED_BY_LONG_TESTS


def _is_long(test: str) -> bool:
    text = (ROOT / test.partition("::")[0]).read_text()
    return re.search(r"^pytestmark = .*\bmark\.long\b", text, re.MULTILINE) is not None
