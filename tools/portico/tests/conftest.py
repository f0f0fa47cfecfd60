from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_stays() -> Iterator[None]:
    """Restores logging, because a command silences it for the whole test process."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
