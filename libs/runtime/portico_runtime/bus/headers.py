from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.micro.request import Request
from portico_contracts import context
from portico_contracts.diagnostics import CROSSING_FACTS
from portico_contracts.spans import Attributes, Span, served
from portico_contracts.subjects import ANSWER_SECONDS, Rpc, decode, encode
from portico_oauth.errors import INVALID_INPUT, SERVER_ERROR, UNAVAILABLE, Kind, ServiceError

CALL_SECONDS: Final = ANSWER_SECONDS
_ERROR_ID: Final = "Portico-Error-Id"
_ERROR_FACTS: Final = "Portico-Error-Facts"
_RETRY_AFTER: Final = "Portico-Retry-After"
TIMEOUT_MS: Final = "Portico-Timeout-Ms"
_ERROR_TEXT: Final = "Nats-Service-Error"
_ERROR_KIND: Final = "Nats-Service-Error-Code"

log = structlog.get_logger("portico.bus")


async def work_on(rpc: Rpc[Any, Any], handler: Callable[[Any], Awaitable[Any]], request: Request) -> None:
    headers = request.headers or {}
    context.REQUEST_ID.set(headers.get(context.REQUEST_ID_HEADER, "-"))
    with served(rpc.subject, bus_attributes(rpc.subject), headers.get(context.TRACE_PARENT_HEADER, "")) as span:
        await _work_on(rpc, handler, request, span)


async def _work_on(
    rpc: Rpc[Any, Any], handler: Callable[[Any], Awaitable[Any]], request: Request, span: Span | None
) -> None:
    headers = request.headers or {}
    try:
        async with asyncio.timeout(_seconds_left(headers)):
            reply = await handler(decode(request.data, rpc.request))
        await request.respond(encode(reply))
    except ServiceError as error:
        log.info("refused", subject=rpc.subject, error_code=error.id, private=error.private)
        if span:
            span.set("portico.error_id", error.id)
        await respond_error(request, error)
    except msgspec.DecodeError as error:
        await respond_error(request, INVALID_INPUT.error(cause=str(error)))
    except TimeoutError:
        log.warning("deadline passed", subject=rpc.subject)
    except asyncio.CancelledError:
        await respond_error(request, UNAVAILABLE.error(retry_after=1, part="ending"))
        raise
    except Exception:  # the border: nothing of an unknown error crosses it
        log.exception("fault", subject=rpc.subject)
        await respond_error(request, SERVER_ERROR.error())


def _seconds_left(headers: dict[str, str]) -> float:
    text = headers.get(TIMEOUT_MS, "")
    return min(int(text) / 1000, 60.0) if text.isdecimal() and len(text) < 8 else CALL_SECONDS


async def respond_error(request: Request, error: ServiceError) -> None:
    headers = {_ERROR_ID: error.id}
    if facts := crossing_headers(error):
        headers[_ERROR_FACTS] = json.dumps(facts)
    if error.retry_after is not None:
        headers[_RETRY_AFTER] = str(error.retry_after)
    await request.respond_error(error.kind.value, error.text, headers=headers)


def raise_error(reply: Msg) -> None:
    headers = reply.headers or {}
    if _ERROR_KIND not in headers:
        return
    retry_after = headers.get(_RETRY_AFTER)
    try:
        kind = Kind(headers[_ERROR_KIND])
    except ValueError:  # an unknown kind of a newer release, or the library's own failure
        raise SERVER_ERROR.error(code=headers[_ERROR_KIND]) from None
    raise ServiceError(
        kind, headers.get(_ERROR_ID, SERVER_ERROR.id), headers.get(_ERROR_TEXT, SERVER_ERROR.text),
        retry_after=int(retry_after) if retry_after else None, private=_headers(headers),
    )  # fmt: skip


def crossing_headers(error: ServiceError) -> dict[str, Any]:
    return {name: value for name, value in error.private.items() if name in CROSSING_FACTS}


def _headers(headers: Mapping[str, str]) -> dict[str, Any]:
    try:
        facts = json.loads(headers.get(_ERROR_FACTS, "{}"))
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def bus_attributes(subject: str) -> Attributes:
    return {"messaging.system": "nats", "messaging.destination.name": subject}


def context_headers() -> dict[str, str]:
    headers = {context.REQUEST_ID_HEADER: context.REQUEST_ID.get()}
    if trace := context.TRACE_PARENT.get():
        headers[context.TRACE_PARENT_HEADER] = trace
    return headers
