from __future__ import annotations

import pytest
from portico_harness.rows import row


def test_error_names_its_row() -> None:
    with pytest.raises(KeyError) as raised, row("a", 7):
        raise KeyError

    assert raised.value.__notes__ == ["row: ('a', 7)"]
