from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

SENDERS = "portico.management.v1.SenderService"
BASE = "/ui/console/orgs/o1/senders"
HOOK = {"url": "https://hook.example", "details": {"sequence": "3"}}


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers[PERMISSIONS] = holding("org.read", "org.sender.write")
    await console.sign_in(browser, "/ui/console")
    return browser


@pytest.mark.parametrize(
    ("kind", "stored", "expected"),
    [
        ("Sms", {}, ["change"]),
        ("Sms", {"sender": HOOK}, ["change", "test", "secret", "remove"]),
        ("Email", {}, ["change"]),
        ("Email", {"sender": {"smtpHost": "mail.example"}}, ["change", "test", "remove"]),
        ("Email", {"sender": HOOK}, ["change", "test", "secret", "remove"]),
    ],
)
async def test_actions_need_a_sender(
    console: ConsoleService, signed_in: httpx.AsyncClient, kind: str, stored: dict[str, Any], expected: list[str]
) -> None:
    """Only a hook has a secret."""
    console.provider.answers[f"{SENDERS}/Get{kind}Sender"] = answering(stored)
    page = (await signed_in.get(f"{BASE}/{kind.lower()}")).text

    assert re.findall(r'id="do-([a-z]+)"', page) == expected


async def test_manager_of_settings_is_offered_no_change(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """A sender reads the codes of owners, so that only they change it (decision 0109)."""
    console.provider.answers[PERMISSIONS] = holding("org.read", "org.write")
    console.provider.answers[f"{SENDERS}/GetSmsSender"] = answering({"sender": HOOK})
    await console.sign_in(browser, "/ui/console")

    assert 'id="do-' not in (await browser.get(f"{BASE}/sms")).text


@pytest.mark.parametrize(("secret", "after"), [("", f"{BASE}/sms?"), ("c2VjcmV0", f"{BASE}/sms/do/change/once?")])
async def test_secret_is_shown_if_there_is_one(
    console: ConsoleService, signed_in: httpx.AsyncClient, secret: str, after: str
) -> None:
    """Changing a sender generates no secret, creating one does."""
    console.provider.answers |= {
        f"{SENDERS}/GetSmsSender": answering({"sender": HOOK}),
        f"{SENDERS}/SetSmsSender": answering({"secret": secret} if secret else {}),
    }
    done = await send(signed_in, f"{BASE}/sms/do/change", **{"f.url": "https://other.example"})

    assert done.headers["location"].startswith(after)


async def test_page_without_values_says_so(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[f"{SENDERS}/GetSmsSender"] = answering({})
    page = (await signed_in.get(f"{BASE}/sms")).text

    assert "not set" in page
    assert 'id="facts"' not in page
