"""The page of agents ends them until none is left."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_console.console_app.screens import repeated
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

END = "portico.management.v1.AgentService/EndAgents"
PAGE = "/ui/console/orgs/o1/agents"


async def opened(console: ConsoleService, browser: httpx.AsyncClient, *remaining: str) -> None:
    """EndAgents answers with these numbers, one for each call, and then with none."""
    left = list(remaining)

    def answer(_fields: Any, _request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"ended": "5", **({"remaining": left.pop(0)} if left else {})})

    console.provider.answers |= {
        END: answer,
        "portico.management.v1.AgentService/ListAgents": answering({}),
        PERMISSIONS: holding("session.read", "session.delete"),
    }
    await console.sign_in(browser, "/ui/console")


async def test_agents_are_ended_until_none_is_left(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """A call that ends early is repeated with the same host."""
    await opened(console, browser, "700", "200")

    answer = await send(browser, f"{PAGE}/do/end", page=f"{PAGE}/do/end", **{"f.host": "agents.example"})

    assert answer.status_code == 303
    assert console.sent(END) == [{"host": "agents.example"}] * 3


async def test_what_is_left_is_shown(
    console: ConsoleService, browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it takes too long, the form states how many are left, and is sent again with what it has."""
    monkeypatch.setattr(repeated, "PATIENCE", -1.0)
    await opened(console, browser, "700")

    answer = await send(browser, f"{PAGE}/do/end", page=f"{PAGE}/do/end", **{"f.host": "agents.example"})

    assert answer.status_code == 200
    assert "700 entries are left" in answer.text
    assert 'value="agents.example"' in answer.text
