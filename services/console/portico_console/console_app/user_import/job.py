"""An import between its pages: the file, the choices, and the result of each row so far.

It is stored sealed, one per user, and written after each portion: an interrupted import shows which rows are
done and continues with the others. A portion that was sent but not recorded is sent again: users who exist
with the same data stay unchanged.
"""

from __future__ import annotations

import base64
import zlib
from typing import Final, Literal

import msgspec
from portico_contracts.csv_files.user_columns import TARGETS
from portico_oauth.opaque import b64url

from portico_console.console_app.user_import.csv_file import TOO_MANY_ROWS, Table
from portico_console.console_app.user_import.update_columns import column_of, guessed_columns
from portico_console.messages import message
from portico_console.request_context import RequestContext

PORTION: Final = 100
"""Rows of a call, and of a page load."""

SAME_NAME: Final = message("Row %(row)s has the same user name.")

SAME_USER: Final = message("Row %(row)s is about the same user.")

for _one in TARGETS:
    message(_one.title)

_MOST_STORED: Final = 512 * 1024

Outcome = Literal["", "new", "created", "exists", "refused"]


class Result(msgspec.Struct, array_like=True, omit_defaults=True):
    """`new`: the check found nothing wrong. Of a user who exists, `new` and `created` mean a change, `exists` none."""

    outcome: Outcome = ""
    problem: str = ""
    not_invited: str = ""
    changes: str = ""


class Job(msgspec.Struct, omit_defaults=True):
    """`columns` has the target of each column. `at` is the next row of the phase; `id` names the import in the audit.

    `match` is the column by which users who exist are found, to be changed; empty for new users.
    """

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
    match: str = ""

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
        matched = values.get(column_of(self.match), "") if self.match else ""
        return matched or values.get("user-name") or values.get("email") or values.get("name") or ""


def new_job(table: Table) -> Job:
    return Job(table.titles, table.rows, table.numbers, guessed_columns(table.titles))


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


def start_again(ctx: RequestContext, job: Job) -> None:
    """Checks the rows that were refused once more; the others keep their results."""
    job.phase, job.at = "check", 0
    job.results = [Result() if one.outcome == "refused" else one for one in job.results]
    _refuse_duplicates(ctx, job)


def _refuse_duplicates(ctx: RequestContext, job: Job) -> None:
    first: dict[str, int] = {}
    sentence = ctx.words.gettext(SAME_USER if job.match else SAME_NAME)
    for number, row, result in zip(job.numbers, job.rows, job.results, strict=True):
        values = job.values(row)
        matched = values.get(column_of(job.match), "") if job.match else ""
        name = (matched or values.get("user-name") or values.get("email") or "").casefold()
        if name and first.setdefault(name, number) != number and not result.outcome:
            result.outcome, result.problem = "refused", sentence % {"row": first[name]}
