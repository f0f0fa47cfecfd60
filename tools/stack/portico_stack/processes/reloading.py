"""``portico up --reload``: a service restarts when a file of its package, or of a library, changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from portico_contracts.catalogue import SERVICES
from portico_contracts.topology import TOPOLOGY
from watchfiles import awatch

from portico_stack.processes.programs import Process, StartFailed

LIBRARIES: Final = ("portico_oauth", "portico_snippets", "portico_contracts", "portico_web", "portico_runtime")

Folders = Mapping[Path, tuple[str, ...]]
"""By the folder of a package, the services that run its code."""


class Services(Protocol):
    """Running services, such as those of a `Stack`."""

    async def stop_part(self, name: str) -> None: ...

    async def start_part(self, name: str) -> None:
        """Starts it; raises `StartFailed` unless it becomes ready."""
        ...

    def processes(self, name: str) -> Sequence[Process]: ...


def watched_folders() -> dict[Path, tuple[str, ...]]:
    """The folders of all services and libraries, as they are installed."""
    services = {_folder_of(TOPOLOGY[service].module): (service,) for service in SERVICES}
    return services | {_folder_of(library): tuple(SERVICES) for library in LIBRARIES}


def services_to_restart(changed: Iterable[Path], folders: Folders) -> list[str]:
    """The services whose code is among the changed files."""
    return sorted({service for path in changed for folder in path.parents for service in folders.get(folder, ())})


async def restart_changed(running: Services, folders: Folders, report: Callable[[str], None]) -> None:
    """Restarts services when their files change, until it is cancelled; one that does not start waits for the next change."""
    async for changes in awatch(*folders):
        changed = sorted(Path(path) for _, path in changes)
        services = services_to_restart(changed, folders)
        if services:
            report(f"{changed[0].name} changed; restarting {', '.join(services)}")
            await asyncio.gather(*(_restart(running, service, report) for service in services))


async def _restart(running: Services, service: str, report: Callable[[str], None]) -> None:
    await running.stop_part(service)
    try:
        await running.start_part(service)
    except StartFailed as failure:
        report(f"{failure}\n{service} starts again at the next change of a file")
    else:
        seconds = max(process.seconds for process in running.processes(service))
        report(f"{service} is ready again after {seconds:.1f} s")


def _folder_of(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.submodule_search_locations  # noqa: S101, PT018 - every package here is installed
    return Path(spec.submodule_search_locations[0])
