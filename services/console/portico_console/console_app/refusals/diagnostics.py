"""Reads the diagnostics of requests."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError

from portico_console.console_app.refusals.words import ENDPOINTS, word_of
from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.names import name_of_app
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_GET: Final = "portico.management.v1.TraceService/GetTrace"
_OF_ORG: Final = "portico.management.v1.TraceService/ListOrgTraces"
_OF_INSTANCE: Final = "portico.admin.v1.TraceService/ListTraces"
_SHOWN: Final = 30


async def find_trace(ctx: RequestContext, id: str) -> Fields | None:
    try:
        found = await ctx.api.call(_GET, {"requestId": id})
    except ServiceError as error:
        if error.kind is not Kind.NOT_FOUND:
            raise
        return None
    trace: Fields = found["trace"]
    return trace


async def last_refusals(ctx: RequestContext, frame: Frame) -> list[Any]:
    """Returns the last refused requests of the organization of the frame, or of the instance, with `appName` and `endpointWord`."""
    method = _OF_ORG if frame.org_id else _OF_INSTANCE
    if not frame.may_call(method):
        return []
    fields = {"query": {"limit": _SHOWN}, "outcome": "TRACE_OUTCOME_REFUSED"}
    found: list[Any] = (await ctx.api.call(method, fields, org=frame.org_id)).get("result", [])
    apps = list({_app_of(one): None for one in found if one.get("appId")})
    names = dict(zip(apps, await asyncio.gather(*(name_of_app(ctx, *app) for app in apps)), strict=True))
    for one in found:
        one["appName"] = names.get(_app_of(one), "")
        one["endpointWord"] = word_of(ENDPOINTS, one.get("endpoint", ""), ctx.words.gettext)
    return found


def _app_of(trace: Fields) -> tuple[str, str, str]:
    return str(trace.get("orgId", "")), str(trace.get("projectId", "")), str(trace.get("appId", ""))


def unregistered_uri(trace: Fields, frame: Frame) -> str:
    """Returns the redirect URI that the application could register; empty if that was not the reason.

    The diagnostics are without the query of a URI, so that one with a query cannot be registered from them.
    """
    failed = [one for one in trace.get("checks", ()) if not one.get("passed", False)]
    is_uri = bool(failed) and failed[0]["name"] == "redirect_uri" and trace.get("appId", "")
    given = str(failed[0].get("given", "")) if is_uri else ""
    has_rest = not given or any(one in given for one in ("?", "#", "*", " ", "\N{HORIZONTAL ELLIPSIS}"))
    may = frame.may_call("portico.management.v1.AppService/UpdateOIDCAppConfig")
    return given if may and not has_rest else ""
