"""The steps of a file that changes users: checks a portion of its rows, or carries them out."""

from __future__ import annotations

import asyncio
from typing import Final

from portico_console.console_app.rights import load_frame
from portico_console.console_app.user_import.changes import Plan, Planner, carry_out
from portico_console.console_app.user_import.find_people import Found, find_people
from portico_console.console_app.user_import.job import Job, Result
from portico_console.console_app.user_import.places import load_places
from portico_console.console_app.user_import.update_columns import BY_WORD, column_of
from portico_console.request_context import RequestContext

_SIDE_BY_SIDE: Final = 4
_MOST_SHOWN: Final = 300
"""Characters of the changes of a row, which are stored until the end of the import."""

_RECENT: Final = {
    "email": "portico.user.v2.UserService/SetEmail",
    "groups": "portico.management.v1.GroupService/AddGroupMember",
    "roles": "portico.management.v1.UserGrantService/AddUserGrant",
}


def require_recent_for(ctx: RequestContext, job: Job) -> None:
    """Raises NotRecent before the first row rather than at each."""
    for word, method in _RECENT.items():
        if word in job.columns and word != column_of(job.match):
            ctx.require_recent(method)


async def update_rows(ctx: RequestContext, job: Job, chosen: list[int]) -> None:
    words = set(job.columns)
    frame = await load_frame(ctx)
    places = await load_places(ctx, frame, groups="groups" in words, roles="roles" in words)
    match = column_of(job.match)
    planner = Planner(ctx, places, match, job.verified)
    rows = [job.values(job.rows[one]) for one in chosen]
    people = await find_people(ctx, job.match, [row.get(match, "") for row in rows])
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def one(found: Found, values: dict[str, str]) -> Result:
        async with gate:
            return await _update(ctx, job, planner, found, values)

    results = await asyncio.gather(*(one(*both) for both in zip(people, rows, strict=True)))
    for number, result in zip(chosen, results, strict=True):
        job.results[number] = result


async def _update(ctx: RequestContext, job: Job, planner: Planner, found: Found, values: dict[str, str]) -> Result:
    if found.user is None:
        title = ctx.words.gettext(BY_WORD[column_of(job.match)].title)
        return Result("refused", ctx.words.gettext(found.problem) % {"title": title})
    plan = await planner.plan(found.user, values)
    if plan.problems:
        return Result("refused", " ".join(dict.fromkeys(plan.problems)))
    if not plan.changes:
        return Result("exists")
    if job.phase == "check":
        return Result("new", changes=_shown(plan))
    if problems := await carry_out(ctx, plan):
        return Result("refused", " ".join(dict.fromkeys(problems)), changes=_shown(plan))
    return Result("created", changes=_shown(plan))


def _shown(plan: Plan) -> str:
    return "; ".join(plan.changes)[:_MOST_SHOWN]
