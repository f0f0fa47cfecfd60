"""Records diagnostics after the response: a bounded queue, and a background task that sends its entries.

Requests neither wait nor fail. Where the bus or users is unreachable, diagnostics are lost.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, NamedTuple

import msgspec
import structlog
from portico_contracts.context import REQUEST_ID
from portico_contracts.diagnostics import (
    LARGEST_TRACE,
    RECORD_TRACES,
    DiagnosedEndpoint,
    Diagnostic,
    DiagnosticCheck,
    DiagnosticOutcome,
    Hint,
    RecordDiagnostics,
)
from portico_contracts.subjects import encode
from portico_contracts.users import Client, HookFailure
from portico_oauth.errors import Kind, ServiceError
from prometheus_client.metrics import Counter

from portico_runtime.bus.bus import Bus
from portico_runtime.diagnostics.limits import ISSUED_PER_MINUTE, REFUSED_PER_MINUTE, UNKNOWN, MinuteLimit
from portico_runtime.diagnostics.shown import shown_client_id
from portico_runtime.process.clock import Clock

log = structlog.get_logger("portico.traces")

MOST_WAITING: Final = 500
"""Queue length; the oldest entry is dropped."""

MOST_TOGETHER: Final = 50

_SHORT: Final = 60
NO_REFUSALS: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR})
"""Kinds of errors that the sender of the request cannot fix."""

_TRACES: Final = Counter(
    "portico_traces_total", "Diagnostics of refused requests, by event: sent, left_out or lost.", ["event"]
)
_SENT, _LOST, _LEFT_OUT = (_TRACES.labels(event) for event in ("sent", "lost", "left_out"))


class DiagnosticSubject(NamedTuple):
    """The subject of a request; `presented` is the client id where no client was found."""

    endpoint: DiagnosedEndpoint
    client: Client | None = None
    presented: str = ""
    operation: str = ""
    user_id: str = ""
    user_org_id: str = ""
    checks: tuple[DiagnosticCheck, ...] = ()


Describe = Callable[[], Awaitable[DiagnosticSubject]]


class _Waiting(NamedTuple):
    request_id: str
    at: float
    error: ServiceError | None
    describe: Describe


class DiagnosticsRecorder:
    def __init__(self, send: Callable[[RecordDiagnostics], Awaitable[None]], clock: Clock) -> None:
        self._send = send
        self._clock = clock
        self._refused = MinuteLimit(clock, REFUSED_PER_MINUTE)
        self._issued = MinuteLimit(clock, ISSUED_PER_MINUTE)
        self._waiting: deque[_Waiting] = deque(maxlen=MOST_WAITING)
        self._wakeup = asyncio.Event()

    @classmethod
    def over(cls, bus: Bus, clock: Clock) -> DiagnosticsRecorder:
        async def send(traces: RecordDiagnostics) -> None:
            await bus.send(RECORD_TRACES, traces)

        return cls(send, clock)

    def refused(self, error: ServiceError, client_id: str, describe: Describe) -> None:
        """Records an error that the sender can fix, or whose check states the cause, once.

        `describe` runs in the background.
        """
        if error.is_traced or (error.kind in NO_REFUSALS and error.compared is None):
            return
        error.is_traced = True
        if self._refused.admits(client_id or UNKNOWN):
            self._enqueue(error, describe)
        else:
            _LEFT_OUT.inc()

    def issued(
        self,
        client: Client,
        endpoint: DiagnosedEndpoint,
        left_out: tuple[str, ...] = (),
        hook_failure: HookFailure | None = None,
    ) -> None:
        """Records that a client received a code or tokens, a few times a minute."""
        if self._issued.admits(client.client_id):

            async def describe() -> DiagnosticSubject:
                checks = []
                if left_out:
                    given = " ".join(left_out)
                    checks.append(DiagnosticCheck(name="scope", passed=True, given=given, hint=Hint.NOT_ALLOWED))
                if hook_failure:
                    checks.append(DiagnosticCheck(name="token_hook", passed=True, given=hook_failure.value))
                return DiagnosticSubject(endpoint, client, checks=tuple(checks))

            self._enqueue(None, describe)

    async def run_once(self) -> None:
        await self._wakeup.wait()
        self._wakeup.clear()
        for together in self._batches():
            traces = [trace for one in together if (trace := await _describe(one))]
            await self._take_away(traces)

    async def settle(self) -> None:
        if self._waiting:
            await self.run_once()

    def _enqueue(self, error: ServiceError | None, describe: Describe) -> None:
        if len(self._waiting) == MOST_WAITING:
            _LOST.inc()
        self._waiting.append(_Waiting(REQUEST_ID.get(), self._clock.now(), error, describe))
        self._wakeup.set()

    def _batches(self) -> Iterator[list[_Waiting]]:
        while self._waiting:
            yield [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]

    async def _take_away(self, traces: list[Diagnostic]) -> None:
        if not traces:
            return
        try:
            await self._send(RecordDiagnostics(traces=tuple(traces)))
            _SENT.inc(len(traces))
        except ServiceError as error:
            _LOST.inc(len(traces))
            log.info("diagnostics lost", traces=len(traces), cause=error.private)


async def _describe(waiting: _Waiting) -> Diagnostic | None:
    try:
        traced = await waiting.describe()
    except Exception as problem:  # a trace is never worth more than the work that goes on
        log.warning(
            "diagnostics not recorded",
            error_code=waiting.error.id if waiting.error else "",
            cause=type(problem).__name__,
        )
        _LOST.inc()
        return None
    error, client = waiting.error, traced.client
    trace = Diagnostic(
        request_id=waiting.request_id,
        at=waiting.at,
        endpoint=traced.endpoint.value,
        outcome=(DiagnosticOutcome.REFUSED if error else DiagnosticOutcome.ISSUED).value,
        operation=traced.operation,
        error_id=error.id if error else "",
        error=error.rendering.oauth if error else "",
        client_id=client.client_id if client else shown_client_id(traced.presented) if traced.presented else "",
        client_known=client is not None,
        user_id=traced.user_id,
        user_org_id=traced.user_org_id,
        checks=traced.checks,
    )
    return fit(_with_owner(trace, client))


def _with_owner(trace: Diagnostic, client: Client | None) -> Diagnostic:
    if client is None:
        return trace
    if client.app_id:
        return msgspec.structs.replace(trace, org_id=client.org_id, project_id=client.project_id, app_id=client.app_id)
    return msgspec.structs.replace(trace, user_id=client.client_id, user_org_id=client.org_id)


def fit(trace: Diagnostic) -> Diagnostic:
    for shorten in (_only_refused, _short):
        if len(encode(trace)) <= LARGEST_TRACE:
            break
        trace = msgspec.structs.replace(trace, checks=tuple(map(shorten, trace.checks)))
    return trace


def _only_refused(check: DiagnosticCheck) -> DiagnosticCheck:
    return DiagnosticCheck(name=check.name, passed=True) if check.passed else check


def _short(check: DiagnosticCheck) -> DiagnosticCheck:
    return msgspec.structs.replace(
        check, given=check.given[:_SHORT], wanted=tuple(one[:_SHORT] for one in check.wanted[:2])
    )
