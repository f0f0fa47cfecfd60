from __future__ import annotations

import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from mutants.copies import environment_of
from mutants.mutant import Mutant

_SECONDS: Final = 600
_FAILED: Final = 1
"""pytest's exit status for failed tests; a broken import or a missing test has another one."""


class Outcome(StrEnum):
    KILLED = "killed"
    SURVIVED = "SURVIVED"
    BROKEN = "BROKEN"


class Verdict(NamedTuple):
    """An outcome, with the end of pytest's output unless the mutant was killed."""

    outcome: Outcome
    output: str = ""


def judge(mutant: Mutant, tree: Path) -> Verdict:
    """Applies the mutant, runs its tests and restores the file; a timeout does not count as a failure.

    Raises:
        ValueError: the mutant does not fit the source.
    """
    file = tree / mutant.file
    original = file.read_text()
    file.write_text(mutant.applied_to(original))
    try:
        ended = run_tests(mutant.tests, tree)
    except subprocess.TimeoutExpired:
        return Verdict(Outcome.BROKEN, f"no end within {_SECONDS} s")
    finally:
        file.write_text(original)
    if ended.returncode == _FAILED:
        return Verdict(Outcome.KILLED)
    outcome = Outcome.BROKEN if ended.returncode else Outcome.SURVIVED
    return Verdict(outcome, ended.stdout[-1500:])


def run_tests(tests: tuple[str, ...], tree: Path, *, seconds: float = _SECONDS) -> subprocess.CompletedProcess[str]:
    """Runs tests against a tree; stops at the first failure.

    Raises:
        subprocess.TimeoutExpired: after `seconds`.
    """
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(
        command, cwd=tree, env=environment_of(tree), capture_output=True, text=True, timeout=seconds, check=False
    )
