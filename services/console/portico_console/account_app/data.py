from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from portico_web.headers import NO_STORE
from starlette.responses import Response

from portico_console.account_app.account_page import (
    Refused,
    account_page,
    acting,
    change,
    get_user,
    login_name_of,
    showing,
)
from portico_console.management.api import Fields
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

NOT_TYPED = ErrorCode(
    "CONS-303",
    Kind.INVALID_REQUEST,
    "This is not your login name.",
    "Type the login name shown on the page to confirm that you mean this account.",
)

_MANAGEMENT: Final = "portico.management.v1"
_PARTS: Final = {
    "factors": "portico.user.v2.UserService/ListAuthenticationFactors",
    "passkeys": "portico.user.v2.UserService/ListPasskeys",
    "linkedAccounts": "portico.user.v2.UserService/ListIDPLinks",
    "metadata": "portico.user.v2.UserService/ListUserMetadata",
    "sessions": f"{_MANAGEMENT}.SessionService/ListUserSessions",
    "trustedDevices": f"{_MANAGEMENT}.SessionService/ListUserTrustedDevices",
    "memberships": f"{_MANAGEMENT}.MemberService/ListUserMemberships",
    "groups": f"{_MANAGEMENT}.GroupService/ListUserGroups",
    "provisioning": f"{_MANAGEMENT}.ScimService/ListUserProvisioning",
}
"""Lists in the export besides the user, by name, with the method of the management API."""

_QUERY: Final = {_PARTS["metadata"]: "pagination"}

_PAGE: Final = 1_000


async def show_data(ctx: RequestContext, refused: Refused | None) -> Response:
    async with asyncio.TaskGroup() as group:
        user = group.create_task(get_user(ctx))
        rights = group.create_task(ctx.api.call(f"{_MANAGEMENT}.CallerService/ListMyPermissions"))
    held = {one["permission"] for one in rights.result().get("permissions", ())}
    return account_page(
        ctx,
        "data.html",
        "data",
        refused,
        login_name=login_name_of(user.result()),
        may_delete=bool(held & {"user.self.delete", "user.delete"}),
    )


async def download(ctx: RequestContext) -> Response:
    """Exports everything as one JSON file. It contains no secrets: the management API returns none."""
    async with asyncio.TaskGroup() as group:
        user = group.create_task(get_user(ctx))
        parts = {name: group.create_task(_list_all(ctx, method)) for name, method in _PARTS.items()}
    document = {"user": _readable(user.result()), **{name: task.result() for name, task in parts.items()}}
    headers = {**NO_STORE, "Content-Disposition": 'attachment; filename="account.json"'}
    text = json.dumps(document, ensure_ascii=False, indent=2)
    return Response(text, media_type="application/json", headers=headers)


def _readable(user: Fields) -> Fields:
    """Without the domain of the organization after a login name that is an address."""
    name = login_name_of(user)
    names = [one for one in user.get("loginNames", ()) if "@" not in name or not one.startswith(f"{name}@")]
    return Fields({**user, "loginNames": names, "preferredLoginName": name})


async def _list_all(ctx: RequestContext, method: str) -> list[Any]:
    found: list[Any] = []
    while True:
        fields: dict[str, Any] = {"userId": ctx.session.sub}
        if method not in _WITHOUT_PAGES:
            fields[_QUERY.get(method, "query")] = {"limit": _PAGE, "offset": str(len(found)), "asc": True}
        entries = (await ctx.api.call(method, fields)).get("result", [])
        found += entries
        if method in _WITHOUT_PAGES or len(entries) < _PAGE:
            return found


_WITHOUT_PAGES: Final = frozenset(
    _PARTS[name] for name in ("factors", "passkeys", "sessions", "trustedDevices", "groups", "provisioning")
)


async def _delete(ctx: RequestContext, typed: Parameters) -> Response:
    if trimmed(typed.get("login_name", "")) != login_name_of(await get_user(ctx)):
        raise NOT_TYPED.error()
    await change(ctx, "DeleteUser")
    return ctx.see(f"{ctx.party.path}/signed-out?account=deleted")


PAGES: Final = (
    PageRow("/data", showing(show_data), acting("delete", show_data, _delete)),
    PageRow("/data/download", download),
)
