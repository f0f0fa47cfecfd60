"""An import between its pages: the file, the choices, and the result of each row so far.

It is stored sealed, one per user, and written after each portion: an interrupted import shows which rows are
done and continues with the others. A portion that was sent but not recorded is sent again: users who exist
with the same data stay unchanged.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any, Final, Literal

import msgspec
from portico_contracts.csv_files.user_columns import TARGETS, body_of, guessed, title_of
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import b64url

from portico_console.console_app.user_import.csv_file import TOO_MANY_ROWS, Table
from portico_console.messages import message
from portico_console.request_context import RequestContext

_IMPORT: Final = "portico.management.v1.UserService/ImportHumanUsers"
_INVITE: Final = "portico.user.v2.UserService/CreateInviteCode"

PORTION: Final = 100
"""Rows of a call, and of a page load."""

SAME_NAME: Final = message("Row %(row)s has the same user name.")

for _one in TARGETS:
    message(_one.title)

_MOST_STORED: Final = 512 * 1024

Outcome = Literal["", "new", "created", "exists", "refused"]

_OUTCOMES: Final[dict[str, Outcome]] = {
    "IMPORT_OUTCOME_CREATED": "created",
    "IMPORT_OUTCOME_EXISTS": "exists",
    "IMPORT_OUTCOME_REFUSED": "refused",
}


class Result(msgspec.Struct, array_like=True, omit_defaults=True):
    """`new`: the dry run found nothing wrong."""

    outcome: Outcome = ""
    problem: str = ""
    not_invited: str = ""


class Job(msgspec.Struct, omit_defaults=True):
    """`columns` has the target of each column. `at` is the next row of the phase; `id` names the import in the audit."""

    titles: list[str]
    rows: list[list[str]]
    numbers: list[int]
    columns: list[str]
    results: list[Result] = []
    phase: Literal["mapping", "check", "import"] = "mapping"
    at: int = 0
    verified: bool = False
    invite: bool = False
    id: str = ""

    @property
    def is_done(self) -> bool:
        return self.phase != "mapping" and self.at >= len(self.rows)

    @property
    def is_over(self) -> bool:
        return self.phase == "import" and self.is_done

    def count(self, outcome: Outcome) -> int:
        return sum(one.outcome == outcome for one in self.results)

    def values(self, row: list[str]) -> dict[str, str]:
        return {word: value for word, value in zip(self.columns, row, strict=True) if word and value}

    def name(self, row: list[str]) -> str:
        values = self.values(row)
        return values.get("user-name") or values.get("email") or values.get("name") or ""


def new_job(table: Table) -> Job:
    return Job(table.titles, table.rows, table.numbers, guessed(table.titles))


async def load_job(ctx: RequestContext) -> Job | None:
    stored = await ctx.sessions.find_work(ctx.session, _place(ctx))
    if stored is None:
        return None
    return msgspec.json.decode(zlib.decompress(base64.b64decode(stored["job"])), type=Job)


async def store_job(ctx: RequestContext, job: Job) -> None:
    stored = base64.b64encode(zlib.compress(msgspec.json.encode(job))).decode()
    if len(stored) > _MOST_STORED:
        raise TOO_MANY_ROWS.error()
    await ctx.sessions.keep_work(ctx.session, _place(ctx), {"job": stored})


async def discard_job(ctx: RequestContext) -> None:
    await ctx.sessions.drop_work(ctx.session, _place(ctx))


def _place(ctx: RequestContext) -> str:
    return f"import of users in {ctx.path['org']}"


def start(ctx: RequestContext, job: Job, phase: Literal["check", "import"]) -> None:
    job.phase, job.at = phase, 0
    job.id = job.id or b64url(ctx.random(16))
    if phase == "check":
        job.results = [Result() for _ in job.rows]
        _refuse_duplicates(ctx, job)


def _refuse_duplicates(ctx: RequestContext, job: Job) -> None:
    first: dict[str, int] = {}
    for number, row, result in zip(job.numbers, job.rows, job.results, strict=True):
        values = job.values(row)
        name = (values.get("user-name") or values.get("email") or "").casefold()
        if name and first.setdefault(name, number) != number:
            result.outcome, result.problem = "refused", ctx.words.gettext(SAME_NAME) % {"row": first[name]}


async def proceed(ctx: RequestContext, job: Job) -> None:
    """Sends the next rows that are to be sent, and records their results."""
    wanted: Outcome = "" if job.phase == "check" else "new"
    chosen: list[int] = []
    while job.at < len(job.rows) and len(chosen) < PORTION:
        if job.results[job.at].outcome == wanted:
            chosen.append(job.at)
        job.at += 1
    if chosen:
        rows = [json.dumps(body_of(job.values(job.rows[one]), verified=job.verified)) for one in chosen]
        fields = {"rows": rows, "dryRun": job.phase == "check", "importId": job.id}
        answer = await ctx.api.call(_IMPORT, fields, org=ctx.path["org"])
        for number, found in zip(chosen, answer["result"], strict=True):
            job.results[number] = await _result(ctx, job, found)
    await store_job(ctx, job)


async def _result(ctx: RequestContext, job: Job, found: Any) -> Result:
    outcome = _OUTCOMES[found["outcome"]]
    if job.phase == "check":
        problem = " ".join(_sentence(ctx, one) for one in found.get("problems", ()))
        return Result("new" if outcome == "created" else outcome, problem)
    if outcome == "refused":
        return Result(outcome, " ".join(_sentence(ctx, one) for one in found.get("problems", ())))
    # A user who exists now but not in the dry run was created by a portion whose results were not recorded.
    return Result("created", "", await _invite(ctx, str(found["userId"])) if job.invite else "")


async def _invite(ctx: RequestContext, user_id: str) -> str:
    """Returns why the invitation was not sent."""
    try:
        await ctx.api.call(_INVITE, {"userId": user_id, "sendCode": {}})
    except ServiceError as error:
        return ctx.text_of(error)
    return ""


def _sentence(ctx: RequestContext, problem: Any) -> str:
    field, text = str(problem["field"]), str(problem["text"])
    return f"{ctx.words.gettext(title_of(field))}: {text}" if field else text
