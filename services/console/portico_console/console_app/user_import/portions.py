"""Sends the next rows of an import: of new users to the API's import, of others as changes of each user."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.csv_files.user_columns import TARGETS, body_of, title_of
from portico_oauth.errors import ServiceError

from portico_console.console_app.user_import.job import PORTION, Job, Outcome, Result, store_job
from portico_console.console_app.user_import.places import NO_GROUP
from portico_console.console_app.user_import.update import update_rows
from portico_console.messages import message
from portico_console.request_context import RequestContext

_IMPORT: Final = "portico.management.v1.UserService/ImportHumanUsers"
_INVITE: Final = "portico.user.v2.UserService/CreateInviteCode"
_OUTCOMES: Final[dict[str, Outcome]] = {
    "IMPORT_OUTCOME_CREATED": "created",
    "IMPORT_OUTCOME_EXISTS": "exists",
    "IMPORT_OUTCOME_REFUSED": "refused",
}
_WORDS: Final = {one.path: one.word for one in TARGETS} | {"profile.firstName": "first", "profile.lastName": "last"}
_NUMBER: Final = re.compile(r"\[(\d+)\]$")

MISSING: Final = message("%(title)s is missing.")
NOT_A_LANGUAGE: Final = message("%(value)s is not a language. Use a code such as en or pt-BR.")


async def proceed(ctx: RequestContext, job: Job) -> None:
    """Sends the next rows that are to be sent, and records their results."""
    wanted: Outcome = "" if job.phase == "check" else "new"
    chosen: list[int] = []
    while job.at < len(job.rows) and len(chosen) < PORTION:
        if job.results[job.at].outcome == wanted:
            chosen.append(job.at)
        job.at += 1
    if chosen:
        await (update_rows if job.match else _import_rows)(ctx, job, chosen)
    await store_job(ctx, job)


async def _import_rows(ctx: RequestContext, job: Job, chosen: list[int]) -> None:
    values = [job.values(job.rows[one]) for one in chosen]
    rows = [json.dumps(body_of(one, verified=job.verified)) for one in values]
    fields = {"rows": rows, "dryRun": job.phase == "check", "importId": job.id}
    answer = await ctx.api.call(_IMPORT, fields, org=ctx.path["org"])
    for number, found, given in zip(chosen, answer["result"], values, strict=True):
        job.results[number] = await _result(ctx, job, found, given)


async def _result(ctx: RequestContext, job: Job, found: Any, values: Mapping[str, str]) -> Result:
    outcome = _OUTCOMES[found["outcome"]]
    problem = " ".join(dict.fromkeys(_sentence(ctx, one, values) for one in found.get("problems", ())))
    if job.phase == "check":
        return Result("new" if outcome == "created" else outcome, problem)
    if outcome == "refused":
        return Result(outcome, problem)
    # A user who exists now but not in the dry run was created by a portion whose results were not recorded.
    return Result("created", "", await _invite(ctx, str(found["userId"])) if job.invite else "")


async def _invite(ctx: RequestContext, user_id: str) -> str:
    """Returns why the invitation was not sent."""
    try:
        await ctx.api.call(_INVITE, {"userId": user_id, "sendCode": {}})
    except ServiceError as error:
        return ctx.text_of(error)
    return ""


def _sentence(ctx: RequestContext, problem: Any, values: Mapping[str, str]) -> str:
    """Uses the words of the file: its columns and what is in them."""
    field, words = str(problem["field"]), ctx.words.gettext
    number = _NUMBER.search(field)
    path = _NUMBER.sub("", field)
    word, title = _WORDS.get(path, ""), words(title_of(path))
    if number and word == "groups":
        names = [one.strip() for one in values.get("groups", "").split(";") if one.strip()]
        return words(NO_GROUP) % {"name": names[int(number[1])] if int(number[1]) < len(names) else ""}
    if word and not values.get(word) and not values.get("name"):
        return words(MISSING) % {"title": title}
    if word == "language":
        return words(NOT_A_LANGUAGE) % {"value": values["language"]}
    return f"{title}: {problem['text']}" if field else str(problem["text"])
