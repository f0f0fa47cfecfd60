from __future__ import annotations

from typing import Any, Final

import msgspec
from portico_contracts.field_texts import field_text
from portico_contracts.management import METHODS, Method
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.console_app.api.as_curl import as_curl
from portico_console.console_app.api.as_document import as_document
from portico_console.forms.building import fields_of
from portico_console.forms.field import has_file
from portico_console.forms.filling import begun, unplaced, with_problems
from portico_console.forms.reading import NOT_READ, Typed, read
from portico_console.visit import Visit

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
_BY_ORG: Final = "portico.management."
_MAX_ID: Final = 200

NO_OPERATION = ErrorCode("CONS-280", Kind.NOT_FOUND, "Unknown operation.", "Choose one from the list.")


async def show_operation(visit: Visit) -> Response:
    method = _method(visit)
    once = visit.request.query_params.get("once", "")
    answer = await visit.sessions.take_to_show(visit.session, once) if once else None
    typed = Typed(begun(fields_of(_path(method)), {}), {}, ())
    return _page(visit, method, typed, answer=(answer or {}).get("answer", ""), asked_once=bool(once))


async def call_operation(visit: Visit) -> Response:
    method = _method(visit)
    fields = fields_of(_path(method))
    posted = await visit.read_form(with_file=has_file(fields))
    typed = read(fields, posted, change=False)
    if typed.violations:
        return _refused(visit, method, typed, NOT_READ.error(), typed.violations, posted)
    org = posted.get("org", "")[:_MAX_ID]
    if posted.get("as", "") == "text":
        document = await as_document(visit, method, typed.message, org)
        return _page(
            visit, method, typed, org=org, curl=as_curl(visit.issuer, method, typed.message, org), document=document
        )
    try:
        answer = await visit.api.call(_path(method), typed.message, org=org)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return _refused(visit, method, typed, error, error.violations, posted)
    shown = msgspec.json.format(msgspec.json.encode(answer), indent=2).decode()
    once = await visit.sessions.keep_to_show(visit.session, {"answer": shown})
    return visit.see(f"{visit.party.path}/api/{visit.path['service']}/{visit.path['method']}?once={once}")


def _method(visit: Visit) -> Method:
    method = METHODS.get(f"{visit.path['service']}.{visit.path['method']}")
    if method is None:
        raise NO_OPERATION.error()
    return method


def _path(method: Method) -> str:
    return method.path.removeprefix("/")


def _refused(
    visit: Visit, method: Method, typed: Typed, error: ServiceError, violations: Any, posted: Parameters
) -> Response:
    fields = with_problems(typed.fields, violations)
    return _page(
        visit,
        method,
        Typed(fields, typed.message, ()),
        org=posted.get("org", ""),
        problem=visit.text_of(error),
        left=unplaced(fields, violations),
        status=error.rendering.status,
        error_id=error.id,
    )


def _page(visit: Visit, method: Method, typed: Typed, *, status: int = 200, **context: Any) -> Response:
    service, _, name = method.name.rpartition(".")
    shown = {
        "answer": "", "asked_once": False, "curl": "", "document": "", "problem": "", "left": (), "error_id": "",
        "org": visit.request.query_params.get("org", "")[:_MAX_ID],
    } | context  # fmt: skip
    return visit.page(
        "console/api/operation.html",
        status=status,
        frame=None,
        place="api",
        service=service,
        name=name,
        text=field_text(method.name),
        permission=method.permission,
        verb=method.verb,
        address=method.template,
        fields=typed.fields,
        by_org=service.startswith(_BY_ORG),
        **shown,
    )
