"""Whether the processor can run MongoDB 5 or newer, which otherwise dies of SIGILL without a message."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

CPUINFO: Final = Path("/proc/cpuinfo")


class _Needed(NamedTuple):
    """The line of ``/proc/cpuinfo`` with the features of a processor, the needed one, and its name."""

    line: str
    feature: str
    name: str


_NEEDED: Final = {
    "x86_64": _Needed("flags", "avx", "AVX"),
    # The first feature of ARMv8.2-A that mongod uses; a Raspberry Pi 4 lacks it.
    "aarch64": _Needed("Features", "atomics", "the instructions of ARMv8.2-A"),
}


class ProcessorTooOld(RuntimeError):
    pass


def require_processor_for_mongod(cpuinfo: Path, machine: str) -> None:
    """Raises ProcessorTooOld only where the file lists features of a known machine and the needed one is absent."""
    needed = _NEEDED.get(machine)
    if needed is None or not cpuinfo.exists():
        return
    lines = (line.partition(":") for line in cpuinfo.read_text().splitlines())
    features = next((words.split() for name, _, words in lines if name.strip() == needed.line), None)
    if features is not None and needed.feature not in features:
        raise ProcessorTooOld(
            f"MongoDB needs a processor with {needed.name}, and this one has none. In a virtual machine, set its processor type to that of the host (QEMU, Proxmox: host). Otherwise run MongoDB on another machine and set PORTICO_STACK_MONGO_URL."
        )
