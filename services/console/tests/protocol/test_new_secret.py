from __future__ import annotations

import httpx
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

BASE = "/ui/console/orgs/o1"
GENERATE = "portico.management.v1.ServiceUserService/GenerateMachineSecret"


async def test_old_secret_works_for_a_day_by_default(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Its time is chosen in words, and the new secret can be downloaded."""
    console.provider.answers |= {
        PERMISSIONS: holding("user.read", "user.write"),
        "portico.user.v2.UserService/GetUserByID": answering(
            {"user": {"userId": "m1", "machine": {"hasSecret": True}}}
        ),
        GENERATE: answering({"clientId": "m1", "clientSecret": "s1"}),
    }
    await console.sign_in(browser, "/ui/console")
    page = await browser.get(f"{BASE}/machines/m1/do/secret")
    sent = await send(browser, f"{BASE}/machines/m1/do/secret", **{"f.keepSeconds": "86400"})
    shown = await browser.get(sent.headers["location"])

    assert '<option value="86400" selected>24 hours</option>' in page.text
    assert "not set" not in page.text
    assert console.sent(GENERATE)[0]["keepSeconds"] == "86400"
    assert 'data-file="secret.txt"' in shown.text
