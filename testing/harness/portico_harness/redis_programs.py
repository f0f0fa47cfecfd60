"""The programs that can be Redis: that of the lock file, and with TLS a newer Redis and Valkey."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from portico_stack.binaries import ProgramMissing

from portico_harness.certificates import Files

_SYSTEM_PROGRAMS: Final = "/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin:/opt/homebrew/bin"
"""Not the search path: a virtual environment has a Redis there that is built without TLS."""


class InstalledProgram(NamedTuple):
    """A program of the system, as ``scripts/valkey.sh`` installs it."""

    file: str
    variable: str
    """Environment variable that names another program instead."""


VALKEY: Final = InstalledProgram("valkey-server", "PORTICO_STACK_VALKEY_SERVER")
REDIS: Final = InstalledProgram("redis-server", "PORTICO_STACK_REDIS_TLS_SERVER")


def find_installed(program: InstalledProgram) -> Path:
    """Where it is.

    Raises:
        ProgramMissing: it is not installed; the text states how to install it.
    """
    found = os.environ.get(program.variable) or shutil.which(program.file, path=_SYSTEM_PROGRAMS)
    if not found or not os.access(found, os.X_OK):
        raise ProgramMissing(
            f"There is no {program.file}: `make tools` installs it where it may; or name it with {program.variable}."
        )
    return Path(found)


def over_tls(config: str, files: Files) -> str:
    """A configuration with TLS at the port in the place of no TLS, also between the servers."""
    lines = config.replace("\nport ", "\nport 0\ntls-port ")
    return f"""{lines}
tls-cert-file "{files.certificate}"
tls-key-file "{files.key}"
tls-ca-cert-file "{files.authority}"
tls-auth-clients no
tls-replication yes
"""
