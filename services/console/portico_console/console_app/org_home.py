"""The first page of an organization: its figures, projects and applications, and the first steps of a new installation."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.overview.first_steps import load_first_steps
from portico_console.console_app.overview.overview import load_overview
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.paging import page_number
from portico_console.request_context import RequestContext

_PROJECTS: Final = "portico.management.v1.ProjectService/ListProjects"
_APPS: Final = "portico.management.v1.AppService/ListApps"
PAGE: Final = 20
"""Page size: listing the applications of a project is a call."""


async def show_org(ctx: RequestContext, mail_problem: str = "", status: int = 200) -> Response:
    """`mail_problem` is why no test email was sent or accepted."""
    frame = await load_frame(ctx)
    page = page_number(ctx.request.query_params.get("page", "1"))
    projects: list[dict[str, Any]] = []
    total = 0
    if frame.may("project.read"):
        found = await ctx.api.call(
            _PROJECTS, {"query": {"limit": PAGE, "offset": str((page - 1) * PAGE), "asc": True}}, org=ctx.path["org"]
        )
        projects, total = found.get("result", []), int(found["details"].get("totalResult", 0))
    apps: list[list[dict[str, Any]]] = []
    if frame.may("project.app.read"):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_apps_of(ctx, project["id"])) for project in projects]
        apps = [task.result() for task in tasks]
    overview, first = await asyncio.gather(load_overview(ctx, frame), load_first_steps(ctx, frame, has_app=any(apps)))
    return framed(
        ctx,
        "org_home.html",
        frame,
        "applications",
        status=status,
        projects=list(zip(projects, apps or [[] for _ in projects], strict=True)),
        overview=overview,
        steps=first.steps,
        delivery=first.delivery,
        mail_problem=mail_problem,
        number=page,
        more=page * PAGE < total,
    )


async def _apps_of(ctx: RequestContext, project_id: str) -> list[dict[str, Any]]:
    fields = {"projectId": project_id, "query": {"limit": 100, "asc": True}}
    found = await ctx.api.call(_APPS, fields, org=ctx.path["org"])
    apps: list[dict[str, Any]] = found.get("result", [])
    return apps
