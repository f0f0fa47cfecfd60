"""The applications of an organization that may use an API, or could be allowed to."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_contracts.error_ids import CHANGES_NOTHING
from portico_oauth.errors import Kind, ServiceError

from portico_console.console_app.rights import Frame
from portico_console.request_context import RequestContext, segment

_APPS: Final = "portico.management.v1.AppService"
_LIST: Final = f"{_APPS}/ListOrgApps"
_ADD: Final = f"{_APPS}/AddAppAPI"
_REMOVE: Final = f"{_APPS}/RemoveAppAPI"
_GRANTS: Final = "portico.management.v1.ProjectGrantService/ListProjectGrants"

SHOWN: Final = 50
"""Applications that are offered; others are searched."""

_MOST_ALLOWED: Final = 100

TICKED: Final = "client-"
_WAS: Final = "was-"
_SIDE_BY_SIDE: Final = 4


class ApiClient(NamedTuple):
    """An application; `value` has the ids of its project and itself: ``p1/a1``."""

    value: str
    name: str
    project: str
    allowed: bool = False

    @property
    def input(self) -> str:
        return f"{TICKED}{self.value}"

    def page(self, base: str) -> str:
        """Returns the URL of its finished code, which requests the scopes of the API."""
        project, _, app = self.value.partition("/")
        return f"{base}/projects/{segment(project)}/apps/{segment(app)}#configuration"

    @property
    def was(self) -> str:
        return f"{_WAS}{self.value}"


class Clients(NamedTuple):
    """`own` are in the project of the API and need no permission; `others` are in other projects of the organization.

    `orgs` are the names of the organizations that the project is granted to, whose applications may use the API too.
    """

    own: list[ApiClient]
    others: list[ApiClient]
    more: bool
    orgs: list[str]


async def load_others(
    ctx: RequestContext, frame: Frame, *, project: str = "", client_id: str = "", words: str = ""
) -> tuple[list[ApiClient], list[ApiClient], int]:
    """Returns those in the project, those in others with the allowed ones first, and how many there are."""
    if not frame.may_call(_LIST):
        return [], [], 0
    queries = [{"wordsQuery": {"text": words}}] if words else []
    async with asyncio.TaskGroup() as group:
        some = group.create_task(_list(ctx, queries, SHOWN))
        allowed = group.create_task(_allowed(ctx, client_id))
    found = {_value(one): one for one in (*allowed.result(), *some.result().get("result", ()))}
    ids = {_value(one) for one in allowed.result()}
    sign_in = {value: one for value, one in found.items() if "oidcConfig" in one["app"]}
    clients = {
        value: ApiClient(value, one["app"]["name"], one["projectName"], value in ids) for value, one in sign_in.items()
    }
    own = [one for value, one in clients.items() if sign_in[value]["projectId"] == project]
    others = [one for value, one in clients.items() if sign_in[value]["projectId"] != project]
    return own, others, int(some.result().get("details", {}).get("totalResult", 0))


async def load_clients(ctx: RequestContext, frame: Frame, client_id: str, words: str) -> Clients:
    async with asyncio.TaskGroup() as group:
        listing = group.create_task(
            load_others(ctx, frame, project=ctx.path["project"], client_id=client_id, words=words)
        )
        granting = group.create_task(_orgs(ctx, frame))
    own, others, total = listing.result()
    return Clients(own, others, total > SHOWN, granting.result())


async def _allowed(ctx: RequestContext, client_id: str) -> list[Any]:
    if not client_id:
        return []
    found = await _list(ctx, [{"apiQuery": {"clientId": client_id}}], _MOST_ALLOWED)
    result: list[Any] = found.get("result", [])
    return result


async def _list(ctx: RequestContext, queries: Sequence[Mapping[str, Any]], limit: int) -> Any:
    fields = {"query": {"limit": limit, "asc": True}, "queries": list(queries)}
    return await ctx.api.call(_LIST, fields, org=ctx.path["org"])


async def _orgs(ctx: RequestContext, frame: Frame) -> list[str]:
    if not frame.may_call(_GRANTS):
        return []
    fields = {"projectId": ctx.path["project"], "query": {"limit": SHOWN, "asc": True}}
    found = await ctx.api.call(_GRANTS, fields, org=ctx.path["org"])
    return [str(one["grantedOrgName"]) for one in found.get("result", ())]


def _value(one: Mapping[str, Any]) -> str:
    return f"{one['projectId']}/{one['app']['id']}"


def ticked(typed: Collection[str]) -> set[str]:
    return {name.removeprefix(TICKED) for name in typed if name.startswith(TICKED)}


def ticked_before(typed: Collection[str]) -> set[str]:
    return {name.removeprefix(_WAS) for name in typed if name.startswith(_WAS)}


async def change_clients(
    ctx: RequestContext, client_id: str, *, add: Collection[str], remove: Collection[str] = ()
) -> dict[str, str]:
    """Allows applications to use the API, and ends it for others; returns the reasons of those that were refused."""
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def change(method: str, value: str) -> str:
        project, _, app = value.partition("/")
        async with gate:
            try:
                fields = {"projectId": project, "appId": app, "clientId": client_id}
                await ctx.api.call(method, fields, org=ctx.path["org"])
            except ServiceError as error:
                if error.kind is Kind.UNAUTHENTICATED:
                    raise
                return "" if error.id == CHANGES_NOTHING else ctx.text_of(error)
            return ""

    todo = [(_ADD, one) for one in sorted(add)] + [(_REMOVE, one) for one in sorted(remove)]
    reasons = await asyncio.gather(*(change(method, one) for method, one in todo))
    return {one: reason for (_method, one), reason in zip(todo, reasons, strict=True) if reason}
