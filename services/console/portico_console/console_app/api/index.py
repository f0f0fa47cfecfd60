from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Final, NamedTuple

from portico_contracts.field_texts import field_text
from portico_contracts.management import METHODS
from starlette.responses import Response

from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.frame import framed
from portico_console.request_context import RequestContext

_MAX_SEARCH: Final = 100
_SHOWN: Final = 60
"""Maximum operations in a search result."""


class Listed(NamedTuple):
    """`permission` is empty where being signed in is enough."""

    service: str
    name: str
    text: str
    permission: str


async def show_index(ctx: RequestContext) -> Response:
    query = ctx.request.query_params
    search, service = query.get("q", "").strip()[:_MAX_SEARCH], query.get("service", "")
    by_service = _by_service()
    if search:
        found = [one for listed in by_service.values() for one in listed if _matches(one, search)]
    else:
        found = by_service.get(service, [])
    return framed(
        ctx,
        "api/index.html",
        await load_frame_around(ctx),
        "api",
        search=search,
        service=service if service in by_service else "",
        services=[(name, len(listed), field_text(name)) for name, listed in by_service.items()],
        found=found[:_SHOWN],
        more=len(found) > _SHOWN,
    )


@cache
def _by_service() -> dict[str, list[Listed]]:
    found: dict[str, list[Listed]] = defaultdict(list)
    for method in METHODS.values():
        service, _, name = method.name.rpartition(".")
        found[service].append(Listed(service, name, field_text(method.name), method.permission.name))
    return dict(sorted(found.items()))


def _matches(listed: Listed, search: str) -> bool:
    where = " ".join(listed).lower()
    return all(word in where for word in search.lower().split())
