from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.audit.filters import ACTIVITIES, KINDS, ONLY, PERIODS, Filters, read_filters
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment
from portico_console.timeline import days_of

EVENTS: Final = "portico.management.v1.EventService/ListEvents"
_USERS: Final = "portico.user.v2.UserService/ListUsers"
PAGE: Final = 25
"""Entries of a page: with all their details it weighs no more than a first view may."""
_SHOWN_PEOPLE: Final = 10
_KEYS: Final = {"orgs": "org-history", "instance": "instance-history"}


async def show_time_line(ctx: RequestContext) -> Response:
    return await _show(ctx, read_filters(ctx.request.query_params))


async def show_object(ctx: RequestContext) -> Response:
    """The history of a project, a group or a service user is the time line with a filter."""
    parts, filters = ctx.path, read_filters(ctx.request.query_params)
    narrow = {"user": parts["user"]} if "user" in parts else {"about": parts.get("project") or parts["group"]}
    return await _show(ctx, replace(filters, **narrow))


async def _show(ctx: RequestContext, filters: Filters) -> Response:
    """Events newest first; a typed name is resolved to a user, or to a choice of users."""
    frame, query = await load_frame(ctx), ctx.request.query_params
    typed = query.get("person", "").strip()[:200]
    if not frame.may_call(EVENTS):
        return _page(ctx, frame, filters, may=False)
    people: list[dict[str, Any]] = []
    if typed:
        people = await _find_people(ctx, typed)
        if len(people) == 1:
            return ctx.see(f"{_base(ctx)}{filters.query(who=people[0]['userId'])}")
    async with asyncio.TaskGroup() as group:
        events = group.create_task(list_events(ctx, filters, query.get("after", ""), grouped=True))
        names = [group.create_task(_find_name(ctx, id)) for id in (filters.who, filters.about, filters.user)]
    found, (who, about, user) = events.result(), (one.result() for one in names)
    return _page(ctx, frame, filters, found, who=who, about=about, user=user, typed=typed, people=people)


async def show_former(ctx: RequestContext) -> Response:
    return ctx.see(_base(ctx))


def _base(ctx: RequestContext) -> str:
    place = f"/orgs/{segment(ctx.path['org'])}" if "org" in ctx.path else "/instance"
    return f"{ctx.party.path}{place}/audit"


async def list_events(
    ctx: RequestContext, filters: Filters, after: str = "", limit: int = PAGE, *, grouped: bool = False
) -> Fields:
    """`grouped`: an import is one event, unless its users are listed or the history of one object is."""
    fields = {**filters.conditions(ctx.now), "query": {"limit": limit}, "pageToken": after}
    if grouped and not (filters.import_id or filters.about or filters.user):
        fields["groupImports"] = True
    return await ctx.api.call(EVENTS, fields, org=ctx.path.get("org", ""))


def _page(
    ctx: RequestContext, frame: Frame, filters: Filters, found: Fields | None = None, *, may: bool = True, **shown: Any
) -> Response:
    base, org = _base(ctx), ctx.path.get("org", "")
    after = found.get("nextPageToken", "") if found else ""
    older = filters.query()
    older += f"{'&' if older else '?'}{urlencode({'after': after})}" if after else ""
    return framed(
        ctx,
        "audit/time_line.html",
        frame,
        _KEYS["orgs" if org else "instance"],
        may=may,
        base=base,
        days=days_of(ctx, found.get("result", ()), with_org=not org) if found else [],
        filters=filters,
        chips=[(one, f"{base}{filters.query(only=one.word)}") for one in ONLY],
        periods=[(one, f"{base}{filters.query(period=one.word, since='', until='')}") for one in PERIODS],
        days_shown=filters.days(ctx.now),
        kinds=KINDS,
        activities=ACTIVITIES,
        older=f"{base}{older}" if after else "",
        newest=f"{base}{filters.query()}" if ctx.request.query_params.get("after") else "",
        **shown,
    )


async def _find_people(ctx: RequestContext, typed: str) -> list[dict[str, Any]]:
    """Users with the typed words in a name, an address or the user name."""
    org = ctx.path.get("org", "")
    within = [{"organizationIdQuery": {"organizationId": org}}] if org else []
    queries = [{"wordsQuery": {"text": typed}}, *within]
    found = await ctx.api.call(_USERS, {"query": {"limit": _SHOWN_PEOPLE}, "queries": queries})
    return list(found.get("result", ()))


async def _find_name(ctx: RequestContext, id: str) -> str:
    """Returns the name of an object from its last event, or else its id."""
    if not id:
        return ""
    org = ctx.path.get("org", "")
    try:
        found = await ctx.api.call(EVENTS, {"aggregateId": id, "query": {"limit": 1}}, org=org)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return id
    event = next(iter(found.get("result", ())), Fields())
    return str(event["object"].get("name") or event["object"].get("loginName") or id)
