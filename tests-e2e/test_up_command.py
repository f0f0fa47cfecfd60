"""`portico up` in a fresh clone of the repository."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page
from portico_harness.eventually import eventually
from portico_harness.portico_command import PORTICO, portico, processes_of
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port
from portico_stack.running.record import find_running

pytestmark = [pytest.mark.e2e, pytest.mark.long]

READY_SECONDS = 60.0
STOP_SECONDS = 20.0
"""Seconds after which a stop is considered to hang."""


@dataclass
class Up:
    process: asyncio.subprocess.Process
    lines: list[str]

    def row(self, name: str) -> str:
        found = next((match for line in self.lines if (match := re.match(rf"\s+{name}\s+(.+)", line))), None)
        assert found is not None, "\n".join(self.lines)
        return found.group(1)

    async def read_until(self, words: str, seconds: float) -> str:
        assert self.process.stdout is not None
        async with asyncio.timeout(seconds):
            while line := (await self.process.stdout.readline()).decode():
                self.lines.append(line.rstrip())
                if words in line:
                    return line
        raise AssertionError("it ended: " + "\n".join(self.lines))

    async def interrupt(self) -> float:
        """Sends Ctrl-C; returns the seconds until the command ended."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(2 * STOP_SECONDS):
            await self.process.wait()
        return time.monotonic() - began


@asynccontextmanager
async def _up(data: Path, *options: str) -> AsyncIterator[Up]:
    process = await asyncio.create_subprocess_exec(
        PORTICO, "up", "--data", data, *options, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        yield Up(process, [])
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def _pid_of(module: str, data: Path) -> int:
    return next(pid for pid, process in processes_of(data).items() if module in process.command)


async def _sign_in_as_administrator(tab: Page, up: Up) -> None:
    name, password = up.row("Administrator").split("  password ")
    pages = RelyingPartyPages(tab, up.row("Demo").split("/  ")[0])
    await pages.begin()
    await LoginPages(tab).sign_in(name, password)
    await pages.expect_signed_in()


async def _sign_out_everywhere(tab: Page, up: Up) -> None:
    pages = RelyingPartyPages(tab, up.row("Demo").split("/  ")[0])
    await pages.sign_out_everywhere()
    await pages.expect_signed_out()

    async def logout_tokens() -> list[str]:
        tokens: list[str] = await (await tab.request.get(f"{pages.url}/logout-tokens.json")).json()
        return tokens

    await eventually(logout_tokens, bool)


async def test_first_start_sign_in_stop_and_restart(tab: Page, tmp_path: Path) -> None:
    """The printed information suffices to sign in, Ctrl-C leaves nothing running, and a restart preserves data."""
    data = tmp_path / "data"
    async with _up(data, "--port", "0", "--verbose") as up:
        await up.read_until("Portico is ready", READY_SECONDS)
        await _sign_in_as_administrator(tab, up)
        await _sign_out_everywhere(tab, up)
        status = await portico("status", "--data", data)
        os.kill(_pid_of("portico_token", data), signal.SIGKILL)
        await up.read_until("token was stopped by SIGKILL; restarting it", STOP_SECONDS)
        await up.read_until("token is ready again", READY_SECONDS)
        took = await up.interrupt()
    async with _up(data, "--port", "0") as again:
        await again.read_until("Portico is ready", READY_SECONDS)
        await tab.context.clear_cookies()
        await _sign_in_as_administrator(tab, again)
        await again.interrupt()

    assert up.process.returncode == 0
    assert took < STOP_SECONDS
    assert status[0] == 0, status[1]
    assert again.row("Issuer") == up.row("Issuer")
    assert again.row("Administrator") == up.row("Administrator")
    assert float(up.row("Start-up").split()[0]) <= READY_SECONDS
    assert float(up.row("Memory").split()[0]) <= 400
    assert processes_of(data) == {}


async def test_taken_port_is_replaced_and_reported(tmp_path: Path) -> None:
    """A port in use causes a clear message and another port."""
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", free_port())
    port = str(server.sockets[0].getsockname()[1])
    async with server, _up(tmp_path / "data", "--port", port) as up:
        await up.read_until("Portico is ready", READY_SECONDS)
        await up.interrupt()

    assert f"Port {port} is in use" in "\n".join(up.lines)
    assert not up.row("Issuer").endswith(f":{port}")
    assert "Traceback" not in "\n".join(up.lines)


async def test_second_start_from_one_directory_is_refused(world: World) -> None:
    """A second stack of a data directory ends with a message and status 1."""
    data = world.stack.options.data
    status, output = await portico("up", "--data", data, "--port", "0")

    assert status == 1
    assert "Traceback" not in output
    assert str(data) in output
    assert (await world.http.get(world.metadata["jwks_uri"])).status_code == 200


async def test_ctrl_c_while_starting_stops_everything(tmp_path: Path) -> None:
    """Ctrl-C before everything is ready stops the processes started so far."""
    data = tmp_path / "data"
    async with _up(data, "--port", "0") as up:
        await up.read_until("ready", READY_SECONDS)
        took = await up.interrupt()

    assert took < STOP_SECONDS
    assert processes_of(data) == {}


async def _requests_served(port: int) -> float:
    """Returns the requests served by one replica, of any status."""
    async with httpx.AsyncClient() as client:
        lines = (await client.get(f"http://127.0.0.1:{port}/metrics")).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("portico_http_requests_total{"))


async def test_one_service_has_several_replicas(tmp_path: Path) -> None:
    """With two processes of token the gateway reaches both, status lists them, and Ctrl-C ends all."""
    data = tmp_path / "data"
    async with _up(data, "--port", "0", "--replicas", "token=2") as up:
        await up.read_until("Portico is ready", READY_SECONDS)
        status = await portico("status", "--data", data)
        async with httpx.AsyncClient() as client:
            issuer = up.row("Issuer")
            asked = [client.post(f"{issuer}/oauth/v2/token", data={"grant_type": "x"}) for _ in range(20)]
            statuses = {answer.status_code for answer in await asyncio.gather(*asked)}
        running = find_running(data)
        assert running is not None
        ports = running.internal_ports
        served = [await _requests_served(ports[name]) for name in ("token-1", "token-2")]
        await up.interrupt()

    assert sorted(ports) == ["authz", "console", "keys", "login-ui", "token-1", "token-2", "users"]
    assert status[0] == 0, status[1]
    assert {"token-1", "token-2"} <= {line.split()[0] for line in status.lines}
    assert statuses == {400}
    assert sum(served) == 20
    assert processes_of(data) == {}
