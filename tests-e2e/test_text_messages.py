"""Text messages through the gateway: the hook of the guide sends the code that signs a user in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from portico_contracts.apply import LoginPolicy
from portico_contracts.apply.vocabulary import SecondFactorName
from portico_harness.eventually import eventually
from portico_scenarios.administrator import Administrator
from portico_scenarios.second_factor_user import second_factor_user
from portico_scenarios.serving import serving
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

GUIDE: Final = Path(__file__).parents[1] / "docs/guides/text-messages.md"
OF: Final = "portico.admin.v1.SenderService"
PHONE: Final = "+41791234567"


def hook_of_the_guide(monkeypatch: pytest.MonkeyPatch, secret: str) -> dict[str, Any]:
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    monkeypatch.setenv("SENDER_SECRET", secret)
    names: dict[str, Any] = {}
    exec(compile(program, GUIDE, "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names


async def test_code_by_text_message_signs_a_user_in(
    world: World, admin: Administrator, webhook_listener: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number is verified by a code and becomes a second factor, whose code works without scripts; amr names it."""
    policy = LoginPolicy(second_factors=(SecondFactorName.OTP_SMS,))
    ada = await second_factor_user(world, "ada", admin.token, policy)
    host, port = webhook_listener.getsockname()
    url = f"http://{host}:{port}/sms"
    body = {"url": url, "allowedPrefixes": ["+41"], "messagesPerDay": 50, "messagesPerMonth": 50}
    new = await admin.json(f"{OF}.SetSmsSender", body)
    assert new.code == 0, new.body
    hook = hook_of_the_guide(monkeypatch, new.body["secret"])

    async def code(count: int) -> str:
        async def heard() -> list[dict[str, str]]:
            return list(hook["sent"].values())

        sent = await eventually(heard, lambda found: len(found) == count)
        return sent[-1]["code"]

    try:
        async with serving(hook["app"], webhook_listener), world.agent() as agent:
            await ada.post("phone", {"phone": PHONE, "sendCode": {}})
            await ada.post("phone/verify", {"verificationCode": await code(1)})
            await ada.post("otp_sms", {})
            begun, page = await ada.begin(agent)
            assert page.shows("otp-sms-page")
            assert PHONE not in page.response.text
            claims = await ada.claims_after(begun, await agent.press("otp-submit", otp=await code(2)))
    finally:
        removed = await admin.json(f"{OF}.RemoveSmsSender", {})

    assert (claims["amr"], claims["acr"]) == (["pwd", "otp", "sms", "mfa"], "urn:portico:acr:mfa")
    assert removed.code == 0
