from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from portico_harness.plugin import pytest_ignore_collect

LONG = "pytestmark = [pytest.mark.e2e, pytest.mark.long]\n"


@pytest.mark.parametrize(
    ("text", "selected", "ignored"),
    [
        (LONG, "not long", True),
        ("pytestmark = pytest.mark.long\n", "not long", True),
        (LONG, "", False),
        (LONG, "not slow", False),
        ("pytestmark = pytest.mark.longer\n", "not long", False),
        ("@pytest.mark.long\ndef test_it(): pass\n", "not long", False),
        ("# pytestmark = pytest.mark.long\n", "not long", False),
    ],
)
def test_only_modules_of_long_tests_are_ignored(tmp_path: Path, text: str, selected: str, *, ignored: bool) -> None:
    """A module is not imported if all its tests are long and long tests are not selected."""
    file = tmp_path / "test_it.py"
    file.write_text(text)
    config: Any = SimpleNamespace(option=SimpleNamespace(markexpr=selected))

    assert bool(pytest_ignore_collect(file, config)) == ignored


def test_folders_are_read(tmp_path: Path) -> None:
    config: Any = SimpleNamespace(option=SimpleNamespace(markexpr="not long"))

    assert pytest_ignore_collect(tmp_path, config) is None
