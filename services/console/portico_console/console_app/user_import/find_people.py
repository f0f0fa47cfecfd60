"""Finds the users that the rows of a file are about, by the chosen column."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_console.console_app.screens.requests import text
from portico_console.console_app.user_import.update_columns import OF_PROVIDER
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_LIST: Final = "portico.user.v2.UserService/ListUsers"
_SIDE_BY_SIDE: Final = 8
_MOST: Final = 50
_EQUALS: Final = "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE"

NOT_FOUND: Final = message("No user of this organization is found by the column %(title)s.")
SEVERAL: Final = message("More than one user is found by the column %(title)s.")
NO_VALUE: Final = message("The column %(title)s, by which users are found, is empty.")


class Found(NamedTuple):
    """`problem` is English, and declared with `message`; it names the column by its `title`."""

    user: Fields | None = None
    problem: str = ""


async def find_people(ctx: RequestContext, match: str, values: Sequence[str]) -> list[Found]:
    """Returns one for each value; an index serves each call."""
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def find(value: str) -> Found:
        async with gate:
            return await _find(ctx, match, value)

    return await asyncio.gather(*(find(one) for one in values))


async def _find(ctx: RequestContext, match: str, value: str) -> Found:
    if not value:
        return Found(problem=NO_VALUE)
    rows = await _list(ctx, _query(match, value))
    if match == "email" and not rows:  # written with other capital letters
        found = await _list(ctx, {"wordsQuery": {"text": value}})
        rows = [one for one in found if text(one, "human.email.email").casefold() == value.casefold()]
    if len(rows) == 1:
        return Found(rows[0])
    return Found(problem=SEVERAL if rows else NOT_FOUND)


async def _list(ctx: RequestContext, query: Mapping[str, Any]) -> list[Fields]:
    org = ctx.path["org"]
    queries = [query, {"organizationIdQuery": {"organizationId": org}}, {"typeQuery": {"type": "TYPE_HUMAN"}}]
    found = await ctx.api.call(_LIST, {"query": {"limit": _MOST}, "queries": queries}, org=org)
    return [Fields(one) for one in found.get("result", ())]


def _query(match: str, value: str) -> dict[str, Any]:
    if match.startswith(OF_PROVIDER):
        return {"externalIdQuery": {"idpId": match.removeprefix(OF_PROVIDER), "externalId": value}}
    if match == "id":
        return {"inUserIdsQuery": {"userIds": [value]}}
    if match == "user-name":
        return {"loginNameQuery": {"loginName": value, "method": _EQUALS}}
    return {"inUserEmailsQuery": {"userEmails": list(dict.fromkeys((value, value.lower())))}}
