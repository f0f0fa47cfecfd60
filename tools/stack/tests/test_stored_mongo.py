from __future__ import annotations

from pathlib import Path

import pytest
from portico_stack.assembly.stored_mongo import NothingStored, stored_mongo
from portico_stack.installation.installation import load_or_create
from portico_stack.processes.lock import DirectoryLock
from portico_stack.processes.programs import Process, StartFailed
from portico_stack.running.record import Running, write_running


@pytest.fixture
def data(tmp_path: Path) -> Path:
    installation = load_or_create(tmp_path)
    installation.ports["mongo"] = 9
    installation.save(tmp_path)
    write_running(tmp_path, Running(issuer="http://localhost:1", gateway_port=1, bus_url="", internal_ports={}))
    return tmp_path


async def test_running_services_are_refused(data: Path) -> None:
    lock = DirectoryLock(data)
    lock.acquire()
    with pytest.raises(NothingStored, match="services are running"):
        async with stored_mongo(data, services_stopped=True):
            pass
    lock.release()


async def test_record_of_a_crashed_stack_is_no_running_service(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record stays when the machine loses power, the lock does not: an operator must be able to restore then."""

    async def start(process: Process) -> None:
        raise StartFailed(f"{process.program.name} is started")

    monkeypatch.setattr(Process, "start", start)
    with pytest.raises(StartFailed, match="mongo is started"):
        async with stored_mongo(data, services_stopped=True):
            pass

    DirectoryLock(data).acquire()
