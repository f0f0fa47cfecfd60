"""Webhooks through the gateway: the guide's receiver is notified, also after a failure."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import pytest
from portico_harness.eventually import eventually
from portico_scenarios.administrator import Administrator
from portico_scenarios.serving import serving
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

pytestmark = pytest.mark.e2e

GUIDE = Path(__file__).parents[1] / "docs/guides/webhooks.md"
ADD = "portico.user.v2.UserService.AddHumanUser"
OF = "portico.admin.v1.WebhookService"


class FailsAtFirst:
    def __init__(self, receiver: ASGIApp) -> None:
        self._receiver = receiver
        self.ids: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._receiver(scope, receive, send)
            return
        self.ids.append(dict(scope["headers"])[b"webhook-id"].decode())
        answer = Response(status_code=500) if len(self.ids) == 1 else self._receiver
        await answer(scope, receive, send)


def receiver_of_the_guide(monkeypatch: pytest.MonkeyPatch, secret: str) -> dict[str, Any]:
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    monkeypatch.setenv("WEBHOOK_SECRET", secret)
    names: dict[str, Any] = {}
    exec(compile(program, GUIDE, "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names


async def test_guide_receiver_is_notified_of_a_new_user(
    admin: Administrator, webhook_listener: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The delivery is signed, retried after a failure with the same id, and listed in the delivery log (FD-05)."""
    host, port = webhook_listener.getsockname()
    body = {"name": f"e2e {admin.tag}", "url": f"http://{host}:{port}/in", "eventTypes": ["user.created"]}
    added = await admin.json(f"{OF}.AddWebhook", body)
    assert added.code == 0, added.body
    path = f"/admin/v1/webhooks/{added.body['id']}"
    guide = receiver_of_the_guide(monkeypatch, added.body["secret"])
    receiver = FailsAtFirst(guide["app"])
    name = f"hook{secrets.token_hex(4)}"
    async with serving(receiver, webhook_listener):
        created = await admin.json(ADD, admin.human(name))
        assert created.code == 0, created.body

        async def heard() -> list[str]:
            return list(guide["seen"].values())

        await eventually(heard, lambda seen: f"user.created {name}-{admin.tag}" in seen)

        async def log() -> list[dict[str, Any]]:
            search = {"aggregateId": f"{name}-{admin.tag}", "states": ["DELIVERY_STATE_DELIVERED"]}
            said = await admin.json(f"{OF}.ListDeliveries", search, path=f"{path}/deliveries/_search")
            return list(said.body.get("result", []))

        [delivery] = await eventually(log, bool)
        removed = await admin.json(f"{OF}.RemoveWebhook", {}, path=path)

    assert removed.code == 0
    assert receiver.ids.count(receiver.ids[0]) == 2
    assert delivery["eventId"] in receiver.ids
    assert delivery["attempts"][-1]["httpStatus"] == 204
