from __future__ import annotations

import asyncio

from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, change, get_user
from portico_console.visit import Visit


async def show_overview(visit: Visit, refused: Refused | None) -> Response:
    async with asyncio.TaskGroup() as group:
        user = group.create_task(get_user(visit))
        methods = group.create_task(change(visit, "ListAuthenticationMethodTypes"))
        codes = group.create_task(change(visit, "CountRecoveryCodes"))
    kinds = {word.removeprefix("AUTHENTICATION_METHOD_TYPE_") for word in methods.result().get("authMethodTypes", ())}
    return account_page(
        visit,
        "overview.html",
        "",
        refused,
        user=user.result(),
        methods=kinds,
        second_factor=bool(kinds & {"PASSKEY", "TOTP", "U2F", "OTP_EMAIL"}),
        codes=codes.result().get("count", 0),
    )
