from __future__ import annotations

import asyncio

from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, change, get_user
from portico_console.request_context import RequestContext


async def show_overview(ctx: RequestContext, refused: Refused | None) -> Response:
    async with asyncio.TaskGroup() as group:
        user = group.create_task(get_user(ctx))
        methods = group.create_task(change(ctx, "ListAuthenticationMethodTypes"))
        codes = group.create_task(change(ctx, "CountRecoveryCodes"))
    kinds = {word.removeprefix("AUTHENTICATION_METHOD_TYPE_") for word in methods.result().get("authMethodTypes", ())}
    return account_page(
        ctx,
        "overview.html",
        "",
        refused,
        user=user.result(),
        methods=kinds,
        second_factor=bool(kinds & {"PASSKEY", "TOTP", "U2F", "OTP_EMAIL"}),
        codes=codes.result().get("count", 0),
    )
