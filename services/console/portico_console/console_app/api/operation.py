from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from portico_contracts.field_texts import field_text
from portico_contracts.management import METHODS, Method
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.console_app.api.answers import lines_of
from portico_console.console_app.api.as_curl import as_curl
from portico_console.console_app.api.as_document import as_document
from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.frame import framed
from portico_console.forms.building import fields_of
from portico_console.forms.field import has_file, secrets_of
from portico_console.forms.filling import begun, problems_of, with_focus, with_problems
from portico_console.forms.reading import NOT_READ, Typed, read, read_draft
from portico_console.forms.row_buttons import changed_rows
from portico_console.request_context import RequestContext

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
_BY_ORG: Final = "portico.management."
_MAX_ID: Final = 200

NO_OPERATION = ErrorCode("CONS-280", Kind.NOT_FOUND, "Unknown operation.", "Choose one from the list.")


async def show_operation(ctx: RequestContext) -> Response:
    method = _method(ctx)
    once = ctx.request.query_params.get("once", "")
    answer = await ctx.sessions.take_to_show(ctx.session, once) if once else None
    before = ctx.typed_before
    if before is not None:
        typed = read(fields_of(_path(method)), before, change=False)
        return await _page(ctx, method, typed, org=before.get("org", ""))
    typed = Typed(begun(fields_of(_path(method)), {}), {}, ())
    return await _page(ctx, method, typed, answer=(answer or {}).get("answer", ""), asked_once=bool(once))


async def call_operation(ctx: RequestContext) -> Response:
    method = _method(ctx)
    fields = fields_of(_path(method))
    posted = await ctx.read_form(with_file=has_file(fields))
    if changed := changed_rows(posted):
        draft = with_focus(read_draft(fields, changed.typed).fields, changed.focus)
        return await _page(ctx, method, Typed(draft, {}, ()), org=posted.get("org", "")[:_MAX_ID])
    typed = read(fields, posted, change=False)
    if typed.violations:
        return await _refused(ctx, method, typed, NOT_READ.error(), typed.violations, posted)
    org = posted.get("org", "")[:_MAX_ID]
    if posted.get("as", "") == "text":
        document = await as_document(ctx, method, typed.message, org)
        return await _page(
            ctx, method, typed, org=org, curl=as_curl(ctx.issuer, method, typed.message, org), document=document
        )
    try:
        async with ctx.keeping(posted, secrets=secrets_of(fields)):
            answer = await ctx.api.call(_path(method), typed.message, org=org)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _refused(ctx, method, typed, error, error.violations, posted)
    shown = msgspec.json.format(msgspec.json.encode(answer), indent=2).decode()
    once = await ctx.sessions.keep_to_show(ctx.session, {"answer": shown})
    return ctx.see(
        f"{ctx.party.path}/api/{ctx.path['service']}/{ctx.path['method']}?{urlencode({'once': once, 'org': org})}"
    )


def _method(ctx: RequestContext) -> Method:
    method = METHODS.get(f"{ctx.path['service']}.{ctx.path['method']}")
    if method is None:
        raise NO_OPERATION.error()
    return method


def _path(method: Method) -> str:
    return method.path.removeprefix("/")


async def _refused(
    ctx: RequestContext, method: Method, typed: Typed, error: ServiceError, violations: Any, posted: Parameters
) -> Response:
    fields = with_problems(typed.fields, violations)
    return await _page(
        ctx,
        method,
        Typed(fields, typed.message, ()),
        org=posted.get("org", ""),
        problem=ctx.text_of(error),
        left=problems_of(fields, violations),
        status=error.rendering.status,
        error_id=error.id,
    )


async def _page(ctx: RequestContext, method: Method, typed: Typed, *, status: int = 200, **context: Any) -> Response:
    service, _, name = method.name.rpartition(".")
    shown: dict[str, Any] = {
        "answer": "", "asked_once": False, "curl": "", "document": "", "problem": "", "left": (), "error_id": "",
        "org": ctx.request.query_params.get("org", "")[:_MAX_ID],
    } | context  # fmt: skip
    return framed(
        ctx,
        "api/operation.html",
        await load_frame_around(ctx),
        "api",
        status=status,
        service=service,
        name=name,
        text=field_text(method.name),
        permission=method.permission,
        verb=method.verb,
        address=method.template,
        fields=typed.fields,
        lines=lines_of(shown["answer"]),
        by_org=service.startswith(_BY_ORG),
        **shown,
    )
