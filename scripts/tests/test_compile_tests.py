from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from compile_tests import rewrite

pytestmark = pytest.mark.slow


def test_pytest_reads_what_was_compiled(tmp_path: Path) -> None:
    """Pytest compiles no module again, and its messages still show the compared values."""
    (tmp_path / "test_one.py").write_text("def test_one():\n    number = 6 * 7\n    assert number == 43\n")
    counts = [rewrite([tmp_path]), rewrite([tmp_path])]
    [stored] = (tmp_path / "__pycache__").iterdir()
    written = stored.stat().st_ino

    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    run = subprocess.run(
        command, cwd=tmp_path, env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, capture_output=True, text=True, check=False
    )

    assert counts == [1, 0]
    assert [one.stat().st_ino for one in (tmp_path / "__pycache__").iterdir()] == [written], "written again"
    assert "assert 42 == 43" in run.stdout
