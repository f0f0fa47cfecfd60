from __future__ import annotations

import base64
from typing import Any, Final, NamedTuple

from portico_contracts.csv_files.text import BEGIN, csv_line
from portico_contracts.http import CONSOLE_BODY
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_web.headers import NO_STORE
from portico_web.uploads import is_upload
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.requests import text as text_of
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.user_import.csv_file import TOO_MANY_ROWS, read_table
from portico_console.console_app.user_import.job import (
    Job,
    Result,
    discard_job,
    load_job,
    new_job,
    start,
    start_again,
    store_job,
)
from portico_console.console_app.user_import.portions import proceed
from portico_console.console_app.user_import.update import require_recent_for
from portico_console.console_app.user_import.update_columns import (
    ALL,
    BY_WORD,
    MATCHES,
    OF_PROVIDER,
    column_of,
    misplaced,
)
from portico_console.management.api import LARGEST_PAGE
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_PATH: Final = "/orgs/{org}/users/do/import"
_PREVIEWED: Final = 5
_LISTED: Final = 100
_PROVIDERS: Final = "portico.management.v1.IDPService/ListOrgIDPs"
_OF_CHANGES: Final = {"new": "to change", "created": "changed", "exists": "unchanged"}
"""Rows of a page with results; the report has all."""

NO_FILE = ErrorCode("CONS-295", Kind.INVALID_REQUEST, "Choose a file, or paste rows.", "Choose a file, or paste rows.")
NO_EMAIL: Final = message("Choose the column with the email address.")
NO_NAME: Final = message("Choose the column with the first name, or with the full name.")
NO_MATCH: Final = message("Choose the column %(title)s, by which the users are found.")
NOTHING: Final = message("Choose a column to change.")
ONLY_NEW: Final = message("%(title)s is only for new users.")
ONLY_OLD: Final = message("%(title)s is only for users who exist.")
TWICE: Final = message("%(title)s is chosen for two columns.")
DISCARDED: Final = message("The import was discarded.")


async def show_upload(ctx: RequestContext) -> Response:
    return await _upload_page(ctx)


async def upload(ctx: RequestContext) -> Response:
    pasted = ""
    try:
        typed = await ctx.read_form(with_file=True, most_bytes=CONSOLE_BODY)
        pasted = typed.get("pasted", "")
        file = typed.get("file", "") if is_upload(ctx.request) else ""
        if not file and not pasted.strip():
            raise NO_FILE.error()
        data = base64.b64decode(file) if file else pasted.encode()
        await store_job(ctx, new_job(read_table(data)))
    except ServiceError as error:
        if error.kind not in (Kind.INVALID_REQUEST, Kind.CONTENT_TOO_LARGE):
            raise
        shown = TOO_MANY_ROWS.error() if error.kind is Kind.CONTENT_TOO_LARGE else error
        return await _upload_page(ctx, problem=ctx.text_of(shown), pasted=pasted, status=400)
    return ctx.see(address(ctx, f"{_PATH}/rows"))


async def show_rows(ctx: RequestContext) -> Response:
    job = await load_job(ctx)
    if job is None:
        return ctx.see(address(ctx, _PATH))
    return await _rows_page(ctx, job)


async def do_step(ctx: RequestContext) -> Response:
    """Each step is a form; a step whose rows take more than one call goes on by itself, or by a button."""
    typed = await ctx.read_form()
    job = await load_job(ctx)
    if job is None:
        return ctx.see(address(ctx, _PATH))
    match typed.get("step", ""):
        case "discard":
            await discard_job(ctx)
            return await ctx.see_notice(address(ctx, "/orgs/{org}/users"), DISCARDED)
        case "columns":
            job.phase, job.at, job.results = "mapping", 0, []
            await store_job(ctx, job)
            return ctx.see(address(ctx, f"{_PATH}/rows"))
        case "check":
            if problems := _choose(ctx, job, typed):
                return await _rows_page(ctx, job, problems=problems, status=400)
            start(ctx, job, "check")
        case "import" if job.phase == "check" and job.is_done:
            if job.match:
                async with ctx.keeping(typed, at=address(ctx, f"{_PATH}/rows")):
                    require_recent_for(ctx, job)
            start(ctx, job, "import")
        case "again" if job.is_over:
            start_again(ctx, job)
    if not job.is_done and job.phase != "mapping":
        await proceed(ctx, job)
    return await _rows_page(ctx, job)


def _choose(ctx: RequestContext, job: Job, typed: Parameters) -> list[str]:
    """Reads the targets of the columns, if the form has them, and returns their problems."""
    if "column-0" in typed:
        words = [typed.get(f"column-{number}", "") for number in range(len(job.columns))]
        job.columns = [word if word in BY_WORD else "" for word in words]
        job.verified, job.invite = "verified" in typed, "invite" in typed
        job.match = typed.get("match", "")
        job.invite = job.invite and not job.match
    words_of, chosen = ctx.words.gettext, [word for word in job.columns if word]
    wrong = misplaced(chosen, job.match)
    twice = [word for word in BY_WORD if chosen.count(word) > 1 and word not in wrong]
    problems = [words_of(TWICE) % {"title": words_of(BY_WORD[word].title)} for word in twice]
    sentence = words_of(ONLY_NEW if job.match else ONLY_OLD)
    problems += [sentence % {"title": words_of(BY_WORD[word].title)} for word in wrong]
    if job.match:
        return problems + _problems_of_match(ctx, job, chosen)
    if "email" not in chosen:
        problems.append(words_of(NO_EMAIL))
    if "name" not in chosen and "first" not in chosen:
        problems.append(words_of(NO_NAME))
    return problems


def _problems_of_match(ctx: RequestContext, job: Job, chosen: list[str]) -> list[str]:
    word, words_of = column_of(job.match), ctx.words.gettext
    if word not in (*MATCHES, "external"):
        return [words_of(NO_MATCH) % {"title": job.match}]
    if word not in chosen:
        return [words_of(NO_MATCH) % {"title": words_of(BY_WORD[word].title)}]
    return [] if len(chosen) > 1 else [words_of(NOTHING)]


async def download_report(ctx: RequestContext) -> Response:
    """The rows of the file with their results; with ``rows=refused`` those that can be corrected and imported again."""
    job = await load_job(ctx)
    if job is None or not job.results:
        return ctx.see(address(ctx, _PATH))
    refused = ctx.request.query_params.get("rows") == "refused"
    named = _OF_CHANGES if job.match else {}
    lines = [BEGIN, csv_line(["Row", "Result", "Reason", *(["Changes"] if job.match else []), *job.titles])]
    lines += [
        csv_line(
            [
                str(number),
                named.get(one.outcome, one.outcome),
                one.problem or one.not_invited,
                *([one.changes] if job.match else []),
                *row,
            ]
        )
        for number, row, one in zip(job.numbers, job.rows, job.results, strict=True)
        if not refused or one.outcome == "refused"
    ]
    headers = {**NO_STORE, "Content-Disposition": 'attachment; filename="import-report.csv"'}
    return Response("".join(lines), media_type="text/csv", headers=headers)


async def _upload_page(ctx: RequestContext, *, problem: str = "", pasted: str = "", status: int = 200) -> Response:
    job = await load_job(ctx)
    return await _page(ctx, "upload", status=status, problem=problem, pasted=pasted, job=job)


async def _rows_page(
    ctx: RequestContext, job: Job, *, problems: list[str] | None = None, status: int = 200
) -> Response:
    if job.phase == "mapping" or problems:
        columns = list(zip(job.titles, job.columns, strict=True))
        return await _page(
            ctx, "columns", status=status, job=job, columns=columns, targets=ALL, problems=problems or [],
            preview=job.rows[:_PREVIEWED], matches=await _matches(ctx),
        )  # fmt: skip
    return await _page(
        ctx,
        "results",
        job=job,
        goes_on=ctx.request.method == "POST" and not job.is_done,
        listed=_listed(job),
        most=_LISTED,
    )


async def _matches(ctx: RequestContext) -> list[tuple[str, str]]:
    """By what users who exist can be found: a column, or the external id at a provider."""
    words_of = ctx.words.gettext
    found = [(word, words_of(BY_WORD[word].title)) for word in MATCHES]
    if (await load_frame(ctx)).may_call(_PROVIDERS):
        query = {"query": {"limit": LARGEST_PAGE, "asc": True}}
        providers = (await ctx.api.call(_PROVIDERS, query, org=ctx.path["org"])).get("result", ())
        title = words_of(BY_WORD["external"].title)
        found += [(f"{OF_PROVIDER}{one['id']}", f"{title}: {text_of(one, 'name')}") for one in providers]
    return found


class _Listed(NamedTuple):
    """`number` is that of the row in a spreadsheet."""

    number: int
    name: str
    result: Result


def _listed(job: Job) -> list[_Listed]:
    """The rows with problems, then the others."""
    rows = zip(job.numbers, job.rows, job.results, strict=True)
    found = [_Listed(number, job.name(row), one) for number, row, one in rows if one.outcome]
    return sorted(found, key=lambda row: not (row.result.problem or row.result.not_invited))[:_LISTED]


async def _page(ctx: RequestContext, template: str, *, status: int = 200, **context: Any) -> Response:
    frame, screen = await load_frame(ctx), BY_KEY["users"]
    return framed(
        ctx, f"user_import/{template}.html", frame, "users", status=status, crumbs=await crumbs(ctx, screen, inside=True),
        base=address(ctx, _PATH), back=address(ctx, screen.path), may_import=frame.may("user.write"), **context,
    )  # fmt: skip


IMPORT_PAGES: Final = (
    PageRow(_PATH, show_upload, upload),
    PageRow(f"{_PATH}/rows", show_rows, do_step),
    PageRow(f"{_PATH}/report", download_report),
)
