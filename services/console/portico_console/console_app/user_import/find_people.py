"""Finds the users that the rows of a file are about, by the chosen column."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from portico_console.console_app.screens.requests import text
from portico_console.console_app.user_import.update_columns import OF_PROVIDER
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_LIST: Final = "portico.user.v2.UserService/ListUsers"
_SIDE_BY_SIDE: Final = 8
_EQUALS: Final = "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE"

NOT_FOUND: Final = message("No user of this organization is found by it.")
SEVERAL: Final = message("More than one user is found by it.")
NO_VALUE: Final = message("The column by which users are found is empty.")


class Found(NamedTuple):
    """`problem` is English, and declared with `message`."""

    user: Fields | None = None
    problem: str = ""


async def find_people(ctx: RequestContext, match: str, values: Sequence[str]) -> list[Found]:
    """Returns one for each value; each is a call that an index serves."""
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def find(value: str) -> Found:
        async with gate:
            return await _find(ctx, match, value)

    return await asyncio.gather(*(find(one) for one in values))


async def _find(ctx: RequestContext, match: str, value: str) -> Found:
    if not value:
        return Found(problem=NO_VALUE)
    queries = [_query(match, value), {"organizationIdQuery": {"organizationId": ctx.path["org"]}}]
    people = {"typeQuery": {"type": "TYPE_HUMAN"}}
    found = await ctx.api.call(_LIST, {"query": {"limit": 50}, "queries": [*queries, people]}, org=ctx.path["org"])
    rows = [Fields(one) for one in found.get("result", ())]
    if match == "email":
        rows = [one for one in rows if text(one, "human.email.email").casefold() == value.casefold()]
    if len(rows) == 1:
        return Found(rows[0])
    return Found(problem=SEVERAL if rows else NOT_FOUND)


def _query(match: str, value: str) -> dict[str, Any]:
    if match.startswith(OF_PROVIDER):
        return {"externalIdQuery": {"idpId": match.removeprefix(OF_PROVIDER), "externalId": value}}
    if match == "id":
        return {"inUserIdsQuery": {"userIds": [value]}}
    if match == "user-name":
        return {"loginNameQuery": {"loginName": value, "method": _EQUALS}}
    return {"wordsQuery": {"text": value}}
