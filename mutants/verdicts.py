"""Runs the tests of a mutant in a changed tree."""

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
"""pytest's exit status for tests that ran and failed; a broken import or a missing test is another one."""


class Outcome(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    BROKEN = "BROKEN"


class Verdict(NamedTuple):
    """An outcome, with the end of pytest's output unless the mutant was killed."""

    outcome: Outcome
    output: str = ""


def judge(mutant: Mutant, tree: Path) -> Verdict:
    """Changes the tree, runs the tests, and changes the tree back; tests that do not end prove nothing.

    Raises:
        ValueError: when the mutant does not fit the source.
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
    """Runs some tests against a tree; stops with the first that fails.

    Raises:
        subprocess.TimeoutExpired: after `seconds`.
    """
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(
        command, cwd=tree, env=environment_of(tree), capture_output=True, text=True, timeout=seconds, check=False
    )
