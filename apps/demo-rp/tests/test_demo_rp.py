from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from portico_demo_rp.app import create_app
from portico_demo_rp.memory import BegunSignIns
from portico_demo_rp.settings import DemoRpSettings
from portico_fakes.clock import FrozenClock
from portico_harness.html_forms import Document
from portico_stack.machine.ports import free_port


@pytest.fixture
async def visitor() -> AsyncIterator[httpx.AsyncClient]:
    settings = DemoRpSettings(issuer=f"http://localhost:{free_port()}", client_id="demo")
    transport = httpx.ASGITransport(create_app(settings))
    async with httpx.AsyncClient(transport=transport, base_url=settings.url) as client:
        yield client


async def test_sign_in_is_offered_without_session(visitor: httpx.AsyncClient) -> None:
    page = Document((await visitor.get("/")).text)

    assert page.links["rp-signin"] == "/login"


async def test_no_tokens_without_session(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get("/session.json")

    assert answer.status_code == 404


async def test_unreachable_provider_is_reported_on_a_page(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get("/login")

    assert answer.status_code == 502
    assert "rp-error-code" in Document(answer.text).ids
    assert "provider_unavailable" in answer.text


async def test_unsolicited_callback_is_refused(visitor: httpx.AsyncClient) -> None:
    """A callback without a matching authorization request of this browser signs no user in."""
    answer = await visitor.get("/callback", params={"code": "x", "state": "<b>"})

    assert answer.status_code >= 400
    assert "<b>" not in answer.text
    assert (await visitor.get("/session.json")).status_code == 404


async def test_invalid_logout_token_is_refused(visitor: httpx.AsyncClient) -> None:
    """A logout token that fails verification ends no session, and the response is not cached."""
    answer = await visitor.post("/backchannel-logout", data={"logout_token": "nonsense"})

    assert answer.status_code == 400
    assert answer.headers["cache-control"] == "no-store"
    assert (await visitor.get("/logout-tokens.json")).json() == []


async def test_unsolicited_logout_return_is_refused(visitor: httpx.AsyncClient) -> None:
    """The signed-out page is shown only for a `state` that this application sent."""
    answer = await visitor.get("/signed-out", params={"state": "x"})

    assert answer.status_code == 400
    assert "rp-signed-out" not in Document(answer.text).ids


async def test_pending_sign_in_expires(clock: FrozenClock) -> None:
    """State, nonce and verifier are deleted when their lifetime ends."""
    begun = BegunSignIns(clock)
    await begun.set("state", "value", 60)
    clock.tick(59)
    assert await begun.get("state") == "value"

    clock.tick(1)

    assert await begun.get("state") is None


def test_secret_is_read_from_a_file(tmp_path: Path) -> None:
    """A secret read from a file appears neither in the environment nor in a repr."""
    path = tmp_path / "secret"
    path.write_text("of-the-client\n")
    settings = DemoRpSettings(issuer="http://localhost:1", client_id="demo", client_secret_file=path)

    assert settings.client_secret.get_secret_value() == "of-the-client"
    assert "of-the-client" not in repr(settings)
