"""Whether people can sign in on devices, which the instance forbids by default, and the switch for it."""

from __future__ import annotations

from typing import Any, Final

from portico_console.console_app.rights import Frame
from portico_console.console_app.sign_in_rules.sections import LOGIN, message_of, values_of
from portico_console.request_context import RequestContext

TURN_ON: Final = "devices_on"
"""The input of the switch."""

_RULE: Final = "allowDeviceAuthorization"
_OF_ORG: Final = "portico.management.v1.PolicyService"
_OF_INSTANCE: Final = "portico.admin.v1.PolicyService"


async def are_devices_allowed(ctx: RequestContext, frame: Frame) -> bool:
    """Also where the user may not know."""
    method = f"{_OF_ORG}/GetLoginPolicy"
    if not frame.may_call(method):
        return True
    found = await ctx.api.call(method, {}, org=ctx.path["org"])
    return bool(found["policy"].get("deviceAuthorizationInForce", False))


def may_allow_devices(frame: Frame) -> bool:
    return frame.may_call(f"{_OF_INSTANCE}/UpdateLoginPolicy") and frame.may_call(f"{_OF_ORG}/UpdateCustomLoginPolicy")


async def allow_devices(ctx: RequestContext) -> None:
    """Changes the rule of the instance, and that of the organization if it forbids what the instance allows."""
    await _allow(ctx, f"{_OF_INSTANCE}/GetLoginPolicy", f"{_OF_INSTANCE}/UpdateLoginPolicy", "")
    await _allow(ctx, f"{_OF_ORG}/GetLoginPolicy", f"{_OF_ORG}/UpdateCustomLoginPolicy", ctx.path["org"])


async def _allow(ctx: RequestContext, read: str, change: str, org: str) -> None:
    policy: Any = (await ctx.api.call(read, {}, org=org))["policy"]
    if not policy.get(_RULE, False):
        await ctx.api.call(change, message_of(LOGIN, values_of(LOGIN, policy) | {_RULE: True}), org=org)
