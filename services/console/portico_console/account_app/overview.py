from __future__ import annotations

import asyncio

from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, change, get_user, login_name_of
from portico_console.account_app.second_factor import PROTECTIONS, kinds_in
from portico_console.request_context import RequestContext


async def show_overview(ctx: RequestContext, refused: Refused | None) -> Response:
    async with asyncio.TaskGroup() as group:
        user = group.create_task(get_user(ctx))
        methods = group.create_task(change(ctx, "ListAuthenticationMethodTypes"))
        codes = group.create_task(change(ctx, "CountRecoveryCodes"))
    kinds = kinds_in(methods.result())
    return account_page(
        ctx,
        "overview.html",
        "",
        refused,
        user=user.result(),
        methods=kinds,
        login_name=login_name_of(user.result()),
        protected_by=[word for kind, word in PROTECTIONS.items() if kind in kinds],
        codes=codes.result().get("count", 0),
    )
