from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from portico_harness.plain_http import plain_http
from portico_stack.local_apps import CreatedAtFirstRequest
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process
from portico_stack.servers.apps import LocalApps
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

SETTINGS = {"PORTICO_DEMO_RP_ISSUER": "http://localhost:1", "PORTICO_DEMO_RP_CLIENT_ID": "demo"}


async def test_application_is_created_once_by_its_first_request() -> None:
    """The demo's libraries take no memory before, and requests that arrive meanwhile wait for it."""
    created: list[str] = []

    def create() -> ASGIApp:
        created.append("demo")
        return PlainTextResponse("here")

    app = CreatedAtFirstRequest(create)
    before = list(created)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answers = await asyncio.gather(client.get("/"), client.get("/"))

    assert (before, created) == ([], ["demo"])
    assert [answer.text for answer in answers] == ["here", "here"]


@pytest.mark.slow
async def test_demo_runs_without_mail_catcher(tmp_path: Path) -> None:
    """Where emails are sent, the process serves only the demo application, and ends at a signal."""
    apps = LocalApps(free_port(), SETTINGS)
    process = Process(apps.program(), tmp_path, print)
    await process.start()
    try:
        async with plain_http() as client:
            page = await client.get(f"http://127.0.0.1:{apps.demo_port}/")
    finally:
        await process.stop(5)

    assert (page.status_code, "http://localhost:1" in page.text) == (200, True)
