"""The page of a webhook that is a token hook (decision 0149)."""

from __future__ import annotations

import httpx
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

BASE = "/ui/console/orgs/o1"


async def test_test_of_a_token_hook_shows_what_it_gave(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The cause of a failure and the claims are on the page after it; nothing has to be copied."""
    hooks = "portico.management.v1.WebhookService"
    webhook = {"id": "w1", "name": "tenants", "details": {"sequence": "1"}, "eventTypes": ["token.issue"]}
    console.provider.answers[PERMISSIONS] = holding("org.webhook.read", "org.webhook.write")
    console.provider.answers[f"{hooks}/GetWebhook"] = answering({"webhook": webhook})
    given = {"httpStatus": 200, "durationMs": 12, "claims": {"id_token": {"tenant": "t1"}}}
    console.provider.answers[f"{hooks}/TestTokenHook"] = answering(given)
    page = f"{BASE}/webhooks/w1"
    await console.sign_in(browser, "/ui/console")
    answer = await send(browser, f"{page}/do/test", page=page)
    shown = (await browser.get(answer.headers["location"])).text

    assert "tenant" in shown
    assert 'id="secret-once"' not in shown
