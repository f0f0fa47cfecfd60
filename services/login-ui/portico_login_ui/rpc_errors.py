"""A google.rpc.Status that authz answered with, as the refusal it was."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.login_calls import LOGIN_ERRORS
from portico_oauth.errors import TABLE, UNAVAILABLE, ErrorCode, Kind, ServiceError
from portico_runtime.service_client import ServiceResponse

NOT_UNDERSTOOD = ErrorCode(
    "LOGIN-106",
    Kind.SERVER_ERROR,
    "Something went wrong. Go back to the application and sign in again.",
    "Check that PORTICO_AUTHZ_URL is the address of authz, and that both services have the same PORTICO_LOGIN_API_KEY.",
)

# UNAUTHENTICATED is about our key, not about the end user, so it is a fault of ours, like every code that is not expected.
# The first kind of a code counts.
_KINDS: Final = {TABLE[kind].rpc: kind for kind in reversed(LOGIN_ERRORS) if kind is not Kind.UNAUTHENTICATED}


class _Detail(msgspec.Struct):
    id: str
    message: str


class _Status(msgspec.Struct):
    code: int
    details: list[_Detail]


def error_in(response: ServiceResponse) -> ServiceError:
    """The error in an answer of authz: kind by code, id and public message as authz stated them.

    An answer that is no google.rpc.Status becomes `unavailable` for 5xx (something between us and authz spoke),
    else LOGIN-106.
    """
    try:
        status = msgspec.json.decode(response.body, type=_Status)
        kind = _KINDS[status.code]
        detail = status.details[0]
    except (msgspec.DecodeError, KeyError, IndexError):
        error_code = UNAVAILABLE if response.status >= 500 else NOT_UNDERSTOOD
        return error_code.error(asked="authz", status=response.status)
    return ServiceError(kind, detail.id, detail.message, retry_after=_seconds(response), private={"asked": "authz"})


def _seconds(response: ServiceResponse) -> int | None:
    text = response.headers.get("retry-after", "")
    return int(text) if text.isdecimal() and len(text) < 7 else None
