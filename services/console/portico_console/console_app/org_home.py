"""The first page of an organization: its figures, projects and applications, and the first steps of a new installation."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from portico_console.console_app.overview.overview import load_overview
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.paging import page_number
from portico_console.request_context import RequestContext

_NEEDED: Final = "iam.write"
"""Permission required to see the cards."""


class Step(NamedTuple):
    word: str
    href: str
    done: bool


async def first_steps(ctx: RequestContext, frame: Frame, *, has_app: bool) -> list[Step]:
    """Returns none once all are done; the email, of which no delivery is known, is not waited for."""
    if not frame.may(_NEEDED):
        return []
    org = ctx.path["org"]
    rules, people = await asyncio.gather(
        ctx.api.call("portico.admin.v1.PolicyService/GetLoginPolicy"),
        ctx.api.call(
            "portico.management.v1.UserService/ListUsers", {"query": {"limit": 2}, "queries": _HUMANS}, org=org
        ),
    )
    base = ctx.party.path
    steps = [
        Step("app", f"{base}/orgs/{org}/apps/new", has_app),
        Step("mail", "/ui/account/profile", done=False),
        Step("rules", f"{base}/instance/rules/login", bool(rules["policy"]["details"]["changeDate"])),
        Step("invite", f"{base}/orgs/{org}/invite", int(people["details"].get("totalResult", 0)) > 1),
    ]
    return [] if all(step.done for step in steps if step.word != "mail") else steps


_HUMANS: Final[list[dict[str, Any]]] = [{"typeQuery": {"type": "TYPE_HUMAN"}}]


_PROJECTS: Final = "portico.management.v1.ProjectService/ListProjects"
_APPS: Final = "portico.management.v1.AppService/ListApps"
PAGE: Final = 20
"""Page size: listing the applications of a project is a call."""


async def show_org(ctx: RequestContext) -> Response:
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
    overview, steps = await asyncio.gather(load_overview(ctx, frame), first_steps(ctx, frame, has_app=any(apps)))
    return framed(
        ctx,
        "org_home.html",
        frame,
        "applications",
        projects=list(zip(projects, apps or [[] for _ in projects], strict=True)),
        overview=overview,
        steps=steps,
        number=page,
        more=page * PAGE < total,
    )


async def _apps_of(ctx: RequestContext, project_id: str) -> list[dict[str, Any]]:
    fields = {"projectId": project_id, "query": {"limit": 100, "asc": True}}
    found = await ctx.api.call(_APPS, fields, org=ctx.path["org"])
    apps: list[dict[str, Any]] = found.get("result", [])
    return apps
