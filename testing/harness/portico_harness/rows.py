from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def row(*values: object) -> Iterator[None]:
    """Adds `values`, one row of a table that a test checks in one case, to an error about it."""
    try:
        yield
    except BaseException as error:  # pytest.raises raises no Exception
        error.add_note(f"row: {values}")
        raise
