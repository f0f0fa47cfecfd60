"""The first page of an organization: its projects with their applications."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.first_steps import first_steps
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.reading import page_number
from portico_console.visit import Visit

_PROJECTS: Final = "portico.management.v1.ProjectService/ListProjects"
_APPS: Final = "portico.management.v1.AppService/ListApps"
PAGE: Final = 20
"""Projects of a page: the applications of each are a call."""


async def show_org(visit: Visit) -> Response:
    """A page of the projects, each with its first applications; where the person may not read them, the page explains it."""
    frame = await load_frame(visit)
    page = page_number(visit.request.query_params.get("page", "1"))
    projects: list[dict[str, Any]] = []
    total = 0
    if frame.may("project.read"):
        found = await visit.api.call(
            _PROJECTS,
            {"query": {"limit": PAGE, "offset": str((page - 1) * PAGE), "asc": True}},
            org=visit.path["org"],
        )
        projects, total = found.get("result", []), int(found["details"].get("totalResult", 0))
    apps: list[list[dict[str, Any]]] = []
    if frame.may("project.app.read"):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_apps_of(visit, project["id"])) for project in projects]
        apps = [task.result() for task in tasks]
    return framed(
        visit,
        "org_home.html",
        frame,
        "applications",
        projects=list(zip(projects, apps or [[] for _ in projects], strict=True)),
        steps=await first_steps(visit, frame, has_app=any(apps)),
        number=page,
        more=page * PAGE < total,
    )


async def _apps_of(visit: Visit, project_id: str) -> list[dict[str, Any]]:
    """The first applications of a project."""
    fields = {"projectId": project_id, "query": {"limit": 100, "asc": True}}
    found = await visit.api.call(_APPS, fields, org=visit.path["org"])
    apps: list[dict[str, Any]] = found.get("result", [])
    return apps
