"""Finds the trace a request names, and decides who may read it: a foreign one is like an unknown one (MG-04)."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from portico_contracts.traces import Trace

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.caller import Caller
from portico_users.api.transport.targets import EVERYWHERE, header_org_id
from portico_users.directory.members.permissions import Permission
from portico_users.traces.trace_store import TRACE_NOT_FOUND, TraceStore


class ReadableTrace(NamedTuple):
    """A trace, as far as its reader may see it.

    Attributes:
        with_user: the reader may read the user it is about.
        with_values: the reader may read the application, and so what its checks compared.
    """

    trace: Trace
    with_user: bool
    with_values: bool


class NamesRequest(Protocol):
    """A message with the id of a request."""

    @property
    def request_id(self) -> str:
        """The id."""
        ...


async def readable_trace(
    context: RequestContext, request: NamesRequest, *, traces: TraceStore
) -> Target[ReadableTrace]:
    """The trace of the request that is named.

    Raises:
        ServiceError: USER-841 where there is none, or the caller may not read it; USER-313 for a header that may not be.
    """
    header_org_id(context)
    trace = await traces.find(request.request_id)
    found = as_readable(context.caller, trace) if trace else None
    if found is None:
        raise TRACE_NOT_FOUND.error()
    return Target(found.trace.org_id, found, TRACE_NOT_FOUND)


def as_readable(caller: Caller, trace: Trace) -> ReadableTrace | None:
    """The trace as far as the caller may see it; None where they may not.

    That of an application is for those who may read the application, or the user it is about; that of a user alone for those
    who may read the user, and for the user; any other for those who may read the instance.
    """
    with_user = bool(trace.user_id) and _may_read_user(caller, trace)
    if trace.app_id:
        of_app = caller.may(Permission.PROJECT_APP_READ, trace.org_id, trace.project_id)
        return ReadableTrace(trace, with_user, of_app) if of_app or with_user else None
    if trace.user_id:
        return ReadableTrace(trace, with_user=True, with_values=True) if with_user else None
    if caller.may(Permission.IAM_READ, EVERYWHERE):
        return ReadableTrace(trace, with_user=False, with_values=True)
    return None


def _may_read_user(caller: Caller, trace: Trace) -> bool:
    return trace.user_id == caller.user_id or caller.may(Permission.USER_READ, trace.user_org_id)
