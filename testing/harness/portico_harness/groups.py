"""Which tests run in one worker: those of a file, and end-to-end tests of one shared stack."""

from __future__ import annotations

from typing import Final

import pytest

STACKS: Final = ("doubled", "federated", "world")
"""The fixtures that are a stack for the whole run; a test that uses several belongs to the first."""

END_TO_END: Final = "tests-e2e/"


def group_of(item: pytest.Item) -> str:
    """The name of the group that the test runs in, for pytest-xdist."""
    file = item.nodeid.partition("::")[0]
    if not file.startswith(END_TO_END):
        return file
    fixtures = getattr(item, "fixturenames", ())
    return next((stack for stack in STACKS if stack in fixtures), file)
