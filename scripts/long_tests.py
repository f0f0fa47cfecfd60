"""Runs the suites that `make test` leaves out, and prints a summary.

python scripts/long_tests.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from image_python import missing_image_python
from portico_harness.redis_programs import REDIS, REDIS_6_2, VALKEY, find_installed
from portico_stack.machine.binaries import ProgramMissing, find_program

ROOT: Final = Path(__file__).resolve().parent.parent
_PARTS: Final = ("tests-e2e", "libs", "tools", "apps", "testing", "scripts", "bench", "mutants", "services")
_APACHE: Final = ("usr/sbin/apache2", "usr/lib/apache2/modules/mod_auth_openidc.so")
_PROGRAMS: Final = {
    "go": "clients in Go, kustomize and Helm",
    "mvn": "the client in Spring",
    "dscreate": "sign-ins at 389 Directory Server (389-ds-base)",
    "samba-tool": "sign-ins at Samba (samba, samba-ad-provision)",
}
"""What tests skip where a program is missing."""


def _missing_apache() -> str:
    folder = Path(os.environ.get("PORTICO_TEST_APACHE", "/"))
    installed = all((folder / file).exists() for file in _APACHE)
    return "" if installed else "Apache with mod_auth_openidc is not installed"


def _missing_docker() -> str:
    answers = (
        shutil.which("docker") and not subprocess.run(["docker", "info"], capture_output=True, check=False).returncode
    )
    return "" if answers else "no Docker engine answers"


def _never() -> str:
    return ""


class Suite(NamedTuple):
    """A command, and why it cannot run here (empty if it can)."""

    name: str
    command: tuple[str, ...]
    missing: Callable[[], str] = _never


def _stores(name: str, find: Callable[[], Path]) -> Suite:
    try:
        server, missing = str(find()), ""
    except ProgramMissing as error:
        server, missing = "", str(error)
    return Suite(f"stores on {name}", ("make", "--no-print-directory", "stores", f"SERVER={server}"), lambda: missing)


_DIRECTORIES: Final = "services/users/tests/protocol/test_real_directories.py tests-e2e/test_real_directories.py"
_PYTEST: Final = (sys.executable, "-m", "pytest", "-q")

SUITES: Final = (
    Suite(
        "tests marked long",
        (*_PYTEST, "-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder", "-m", "long", *_PARTS),
    ),
    Suite("the Python of the images", ("make", "--no-print-directory", "image-python"), missing_image_python),
    Suite(
        "directories on the Python of the images",
        ("make", "--no-print-directory", "image-python", f"ARGS=-m long {_DIRECTORIES}"),
        missing_image_python,
    ),
    _stores("Redis 6.2", lambda: find_program(REDIS_6_2)),
    _stores("Redis of the system", lambda: find_installed(REDIS)),
    _stores("Valkey of the system", lambda: find_installed(VALKEY)),
    Suite("Apache as relying party", (*_PYTEST, "tests-e2e/clients/drill_apache.py"), _missing_apache),
    Suite(
        "docker-compose.yml and the one container by an engine",
        ("make", "--no-print-directory", "compose"),
        _missing_docker,
    ),
)


def main() -> int:
    """Runs every suite, also after a failure; returns 1 if one failed."""
    results = [_run(suite) for suite in SUITES]
    print("\nmake test-all, after make test:")
    for program, tests in _PROGRAMS.items():
        if not shutil.which(program):
            print(f"left out  {tests}: {program} is not installed")
    print("\n".join(text for text, _ in results))
    return 0 if all(passed for _, passed in results) else 1


def _run(suite: Suite) -> tuple[str, bool]:
    if reason := suite.missing():
        return f"left out  {suite.name}: {reason}", True
    began = time.monotonic()
    passed = subprocess.run(suite.command, cwd=ROOT, check=False).returncode == 0
    return f"{'passed' if passed else 'FAILED':<9} {suite.name} ({(time.monotonic() - began) / 60:.1f} min)", passed


if __name__ == "__main__":
    sys.exit(main())
