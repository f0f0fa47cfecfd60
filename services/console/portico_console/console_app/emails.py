"""Sends a test email from the first steps and from the page of the instance."""

from __future__ import annotations

import asyncio
from typing import Final

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.org_home import show_org
from portico_console.console_app.overview.overview import DELIVERY, show_instance
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_SEND: Final = "portico.admin.v1.EmailService/SendTestEmail"
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

PAUSES: Final = (0.1, 0.2, 0.4, 0.8, 1.5)
"""Seconds between looks at the response of the mail server, which usually comes within a second."""

_SENT: Final = message("A test email was sent to %(name)s.")
_ON_ITS_WAY: Final = message("A test email to %(name)s is on its way. Reload this page to see whether it was accepted.")
_REFUSED: Final = message("The test email to %(name)s was not accepted: %(reason)s")


async def send_test_email(ctx: RequestContext) -> Response:
    await ctx.read_form()
    before = await ctx.api.call(DELIVERY, {})
    try:
        address = (await ctx.api.call(_SEND, {}))["email"]
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _show(ctx, ctx.text_of(error), error.rendering.status)
    after = await _await_response(ctx, before)
    if after != before and after.get("failure"):
        values = {"name": address, "reason": after["failure"]}
        return await _show(ctx, ctx.words.gettext(_REFUSED) % values)
    page = ctx.request.url.path.removesuffix("/test-email")
    return await ctx.see_notice(page, _ON_ITS_WAY if after == before else _SENT, name=address)


async def _show(ctx: RequestContext, problem: str, status: int = 200) -> Response:
    return await (show_org if "org" in ctx.path else show_instance)(ctx, problem, status)


async def _await_response(ctx: RequestContext, before: Fields) -> Fields:
    after = await ctx.api.call(DELIVERY, {})
    for pause in PAUSES:
        if after != before:
            break
        await asyncio.sleep(pause)
        after = await ctx.api.call(DELIVERY, {})
    return after
