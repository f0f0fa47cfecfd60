"""`portico up --reload` restarts the services whose code changed, and no others."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.eventually import eventually
from portico_stack.assembly.services import Foreground, Replica
from portico_stack.processes.programs import Process, Program
from portico_stack.processes.reloading import restart_changed, services_to_restart, watched_folders


def test_changed_file_selects_the_services_to_restart() -> None:
    """A template of login-ui restarts login-ui, a module of portico_web every service, and a test none."""
    folders = watched_folders()
    package = {folder.name: folder for folder in folders}
    template = package["portico_login_ui"] / "templates" / "password.html"

    assert services_to_restart([template], folders) == ["login-ui"]
    assert services_to_restart([package["portico_web"] / "pages.py"], folders) == sorted(SERVICES)
    assert services_to_restart([package["portico_token"].parent / "tests" / "test_a.py"], folders) == []


@pytest.mark.parametrize(
    ("foreground", "argv"),
    [
        (Foreground(), ("python", "-m", "portico_token")),
        (Foreground("authz", 5678), ("python", "-m", "portico_token")),
        (Foreground("token"), ("python", "-m", "portico_token")),
        (Foreground("token", 5678), ("python", "-m", "debugpy", "--listen", "127.0.0.1:5678", "-m", "portico_token")),
    ],
)
def test_only_the_foreground_service_uses_the_terminal(foreground: Foreground, argv: tuple[str, ...]) -> None:
    """The debugger listens on loopback only, because any client that connects to it can run code."""
    replica = Replica("token", "token", 1, 2)
    program = foreground.applied(Program("token", ("python", "-m", "portico_token"), replica.ready, {}), replica)

    assert program.argv == argv
    assert program.foreground == (foreground.service == "token")


class OneService:
    """A stack of one service, whose code is a file."""

    def __init__(self, folder: Path) -> None:
        self.code = folder / "package" / "service.py"
        self.mark = folder / "mark"
        self.code.parent.mkdir()
        self.process = Process(self._program(), folder / "logs", lambda _line: None)

    async def stop_part(self, _name: str) -> None:
        await self.process.stop(0)
        await asyncio.to_thread(self.mark.unlink, missing_ok=True)

    async def start_part(self, _name: str) -> None:
        await self.process.start()

    def processes(self, _name: str) -> Sequence[Process]:
        return [self.process]

    def write(self, version: str) -> None:
        """Changes the code so that the service writes its version into a file and becomes ready; without one, never."""
        written = f"pathlib.Path({str(self.mark)!r}).write_text({version!r}); " if version else ""
        self.code.write_text(f"import pathlib, time; {written}time.sleep(60)")

    def _program(self) -> Program:
        async def ready() -> None:
            if not await asyncio.to_thread(self.mark.exists):
                raise ConnectionError

        return Program("token", (sys.executable, str(self.code)), ready, {"PATH": os.environ["PATH"]})


@pytest.mark.slow
async def test_changed_file_restarts_its_service(tmp_path: Path) -> None:
    """A changed file restarts its service with the new code, and one that fails to start is retried at the next
    change.
    """
    lines: list[str] = []
    one = await asyncio.to_thread(OneService, tmp_path)
    one.write("first")
    await one.start_part("token")
    watching = asyncio.create_task(restart_changed(one, {one.code.parent: ("token",)}, lines.append))
    try:
        # Until the watching has begun, changes go unnoticed: the file is written until one is noticed.
        async def changed(version: str) -> str:
            await asyncio.to_thread(one.write, version)
            return await asyncio.to_thread(lambda: one.mark.read_text() if one.mark.exists() else "")

        await eventually(lambda: changed("second"), lambda running: running == "second")
        one.process.ready_seconds = 0.01
        await eventually(lambda: changed(""), lambda _: any("next change" in line for line in lines))
        one.process.ready_seconds = 60.0
        await eventually(lambda: changed("third"), lambda running: running == "third")
    finally:
        watching.cancel()
        await one.process.stop(0)

    assert "service.py changed; restarting token" in lines
    assert any(line.startswith("token is ready again after ") for line in lines)
