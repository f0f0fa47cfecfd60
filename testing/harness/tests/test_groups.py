"""Which tests run in one worker."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from portico_harness.groups import group_of


@pytest.mark.parametrize(
    ("test", "fixtures", "group"),
    [
        ("services/token/tests/unit/test_a.py::test_one", [], "services/token/tests/unit/test_a.py"),
        ("services/users/tests/store/test_b.py::test_one[world]", ["world"], "services/users/tests/store/test_b.py"),
        ("tests-e2e/test_c.py::test_one", ["world", "tab"], "world"),
        ("tests-e2e/test_c.py::test_two", ["world", "doubled"], "doubled"),
        ("tests-e2e/test_d.py::test_one", ["own_stack"], "tests-e2e/test_d.py"),
    ],
)
def test_a_test_runs_with_those_that_share_its_stack_or_file(test: str, fixtures: list[str], group: str) -> None:
    """Tests of one file run in one worker, and so do all end-to-end tests of one shared stack."""
    item = SimpleNamespace(nodeid=test, fixturenames=fixtures)

    assert group_of(cast("Any", item)) == group
