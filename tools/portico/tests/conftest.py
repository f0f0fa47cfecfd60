"""A process whose log goes on after a command."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_stays() -> Iterator[None]:
    """A command silences the log of its process, which here is the process of other tests too."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
