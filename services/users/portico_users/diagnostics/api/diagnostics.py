"""Traces of refused requests, and the organizations whose administrators may read them."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from portico_contracts.diagnostics import Diagnostic, DiagnosticCheck, DiagnosticOutcome
from portico_contracts.generated.portico.admin.v1 import trace_service_pb2 as admin
from portico_contracts.generated.portico.management.v1 import trace_service_pb2 as pb
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language

from portico_users.administrators.permissions import Permission
from portico_users.applications.app_record import App
from portico_users.catalogue import PACKAGE
from portico_users.diagnostics.store import TRACE_NOT_FOUND, DiagnosticStore, explained
from portico_users.management_api.protobuf.details import seconds_of, timestamp_of
from portico_users.management_api.protobuf.error_reasons import reason_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.targets import EVERYWHERE, header_org_id
from portico_users.organizations.org import Org
from portico_users.storage.entry import Document

_OUTCOMES: Final = {
    pb.TRACE_OUTCOME_REFUSED: DiagnosticOutcome.REFUSED.value,
    pb.TRACE_OUTCOME_ISSUED: DiagnosticOutcome.ISSUED.value,
}
_OUTCOME_OF: Final = {word: number for number, word in _OUTCOMES.items()}


async def get_trace(call: Call[ReadableDiagnostic], _request: pb.GetTraceRequest) -> pb.GetTraceResponse:
    return pb.GetTraceResponse(trace=_message(call.target.subject, call.language))


async def list_app_traces(
    call: Call[App], request: pb.ListAppTracesRequest, *, traces: DiagnosticStore
) -> pb.ListAppTracesResponse:
    question = {"$and": [{"appId": call.target.subject.id}, *_conditions(request)]}
    found = await traces.search(question, page_of(request.query, "at"))
    readable = (as_readable(call.caller, trace) for trace in found.traces)
    return pb.ListAppTracesResponse(
        details=details_of_list(found.total), result=[_message(one, call.language) for one in readable if one]
    )


async def list_org_traces(
    call: Call[Org], request: pb.ListOrgTracesRequest, *, traces: DiagnosticStore
) -> pb.ListOrgTracesResponse:
    question = {"$and": [{"orgId": call.target.subject.id}, *_conditions(request)]}
    found = await traces.search(question, page_of(request.query, "at"))
    readable = (as_readable(call.caller, trace) for trace in found.traces)
    return pb.ListOrgTracesResponse(
        details=details_of_list(found.total), result=[_message(one, call.language) for one in readable if one]
    )


async def list_traces(
    call: Call[object], request: admin.ListTracesRequest, *, traces: DiagnosticStore
) -> admin.ListTracesResponse:
    unknown: list[Document] = [{"isKnown": False}] if request.unknown_clients else []
    found = await traces.search({"$and": [*_conditions(request), *unknown]}, page_of(request.query, "at"))
    readable = (as_readable(call.caller, trace) for trace in found.traces)
    return admin.ListTracesResponse(
        details=details_of_list(found.total), result=[_message(one, call.language) for one in readable if one]
    )


def _conditions(
    request: pb.ListAppTracesRequest | pb.ListOrgTracesRequest | admin.ListTracesRequest,
) -> list[Document]:
    since = seconds_of(request.since) if request.HasField("since") else 0.0
    outcomes: list[Document] = [{"outcome": _OUTCOMES[request.outcome]}] if request.outcome in _OUTCOMES else []
    return [{"at": {"$gte": since}}, *outcomes]


def _message(found: ReadableDiagnostic, language: Language) -> pb.Trace:
    trace = found.trace
    reason = reason_of(trace.error_id, language)
    return pb.Trace(
        request_id=trace.request_id,
        at=timestamp_of(trace.at),
        endpoint=trace.endpoint,
        outcome=_OUTCOME_OF.get(trace.outcome, pb.TRACE_OUTCOME_UNSPECIFIED),
        operation=trace.operation,
        error_id=trace.error_id,
        error=trace.error,
        text=reason.text,
        fix=reason.fix,
        client_id=trace.client_id,
        client_known=trace.client_known,
        org_id=trace.org_id,
        project_id=trace.project_id,
        app_id=trace.app_id,
        user_id=trace.user_id if found.with_user else "",
        checks=[_check(check, language, with_values=found.with_values) for check in trace.checks],
    )


def _check(check: DiagnosticCheck, language: Language, *, with_values: bool) -> pb.TraceCheck:
    if not with_values:
        return pb.TraceCheck(name=check.name, passed=check.passed)
    return pb.TraceCheck(
        name=check.name,
        passed=check.passed,
        given=check.given,
        wanted=check.wanted,
        hint=check.hint,
        explanation=load_catalogue(PACKAGE, language.tag).gettext(explained(check).hint),
    )


class ReadableDiagnostic(NamedTuple):
    """Diagnostics, limited to what the caller may read; ``with_values`` includes values that checks compared."""

    trace: Diagnostic
    with_user: bool
    with_values: bool


class NamesRequest(Protocol):
    request_id: str


async def readable_diagnostic(
    context: RequestContext, request: NamesRequest, *, traces: DiagnosticStore
) -> Target[ReadableDiagnostic]:
    header_org_id(context)
    trace = await traces.find(request.request_id)
    found = as_readable(context.caller, trace) if trace else None
    if found is None:
        raise TRACE_NOT_FOUND.error()
    return Target(found.trace.org_id, found, TRACE_NOT_FOUND)


def as_readable(caller: Caller, trace: Diagnostic) -> ReadableDiagnostic | None:
    """Limits diagnostics to what the caller may read; None if nothing.

    Diagnostics with an application are readable by those who may read the application and by the user
    concerned; those with only a user, by those who may read the user and by the user; any others, by those
    who may read the instance.
    """
    with_user = bool(trace.user_id) and _may_read_user(caller, trace)
    if trace.app_id:
        of_app = caller.may(Permission.PROJECT_APP_READ, trace.org_id, trace.project_id)
        return ReadableDiagnostic(trace, with_user, of_app) if of_app or with_user else None
    if trace.user_id:
        return ReadableDiagnostic(trace, with_user=True, with_values=True) if with_user else None
    if caller.may(Permission.IAM_READ, EVERYWHERE):
        return ReadableDiagnostic(trace, with_user=False, with_values=True)
    return None


def _may_read_user(caller: Caller, trace: Diagnostic) -> bool:
    return trace.user_id == caller.user_id or caller.may(Permission.USER_READ, trace.user_org_id)
