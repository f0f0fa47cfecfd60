"""Runs the tests that need no server, in one process of pytest for each processor.

python scripts/unit_tests.py FOLDER…

pytest-xdist exchanges reports with its workers and collects everything in each, which takes 4 ms for each test
(decision 0084). Here each process gets its own files.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from itertools import accumulate
from pathlib import Path
from typing import Final

import pytest

_LEFT_OUT: Final = re.compile(r"^pytestmark = .*mark\.(servers|e2e|slow)\b", re.MULTILINE)
"""A module in which no test is selected need not be imported."""

_SELECTED: Final = "not servers and not e2e and not slow"


def unit_test_files(folders: list[Path]) -> list[Path]:
    """Returns the test modules in the order of their paths."""
    found = (file for folder in folders for file in folder.rglob("tests/**/test_*.py"))
    return sorted({file for file in found if not _LEFT_OUT.search(file.read_text())})


def divide(files: list[Path], count: int) -> list[list[Path]]:
    """Returns at most ``count`` parts with about the same number of bytes, none empty.

    Files that import the same stay together, unless all of them do.
    """
    if len({file.parts[:2] for file in files}) == 1:
        parts = [files[number::count] for number in range(count)]
    else:
        parts = [[] for _ in range(count)]
        ends = list(accumulate(file.stat().st_size for file in files))
        for file, end in zip(files, ends, strict=True):
            parts[(end - 1) * count // ends[-1]].append(file)
    return [part for part in parts if part]


def run(parts: list[list[Path]]) -> int:
    """Returns the exit code. The output of the first process is shown as it comes, that of the others afterwards."""
    if not parts:
        return pytest.ExitCode.NO_TESTS_COLLECTED
    with tempfile.TemporaryDirectory() as folder:
        outputs = [Path(folder, str(number)) for number in range(1, len(parts))]
        others = [_started(part, output) for part, output in zip(parts[1:], outputs, strict=True)]
        codes = [_started(parts[0]).wait()]
        for other, output in zip(others, outputs, strict=True):
            codes.append(other.wait())
            sys.stdout.write(output.read_text())
    failed = set(codes) - {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    return max(failed) if failed else min(codes)


def _started(files: list[Path], output: Path | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", _SELECTED, *map(str, files)]
    if output is None:
        return subprocess.Popen(command)
    with output.open("wb") as file:
        return subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)


if __name__ == "__main__":
    processors = os.cpu_count() or 1
    sys.exit(run(divide(unit_test_files([Path(folder) for folder in sys.argv[1:]]), processors)))
