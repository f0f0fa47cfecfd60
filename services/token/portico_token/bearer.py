"""Reads the access token of a request, exactly one (RFC 6750 section 2, RFC 9449 section 7.1, IR-09)."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.dpop import SCHEME
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.jose import MAX_TOKEN
from portico_oauth.parameters import read_parameters
from portico_web.forms import is_form, read_form
from portico_web.headers import list_headers
from starlette.requests import Request

from portico_token.dpop.possession import PresentedToken

NO_TOKEN = ErrorCode(
    "TOKEN-060",
    Kind.INVALID_TOKEN,
    "The access token is missing.",
    "Send it as Authorization: Bearer, or in a form body.",
)
TOKEN_IN_QUERY = ErrorCode(
    "TOKEN-061",
    Kind.INVALID_REQUEST,
    "The access token is in the query of the URL.",
    "Send it as Authorization: Bearer.",
)
SEVERAL_TOKENS = ErrorCode(
    "TOKEN-062",
    Kind.INVALID_REQUEST,
    "More than one access token was sent.",
    "Send the access token once, in one place.",
)
BAD_TOKEN_HEADER = ErrorCode(
    "TOKEN-063",
    Kind.INVALID_TOKEN,
    "The Authorization header contains no bearer token.",
    "Send Authorization: Bearer and the token.",
)

_CREDENTIALS: Final = re.compile(r"(?i:(bearer|dpop)) +([A-Za-z0-9._~+/-]+=*)\Z")


async def read_bearer(request: Request) -> PresentedToken:
    """Returns the token in the Authorization header, or in the form body of a POST, which is for bearer tokens only."""
    try:
        return await _read(request)
    except ServiceError as error:
        error.compared = Compared("bearer")
        raise


async def _read(request: Request) -> PresentedToken:
    if "access_token" in read_parameters(request.scope["query_string"]):
        raise TOKEN_IN_QUERY.error()
    headers = list_headers(request, b"authorization")
    in_body = await _token_in_body(request)
    if len(headers) + bool(in_body) > 1:
        raise SEVERAL_TOKENS.error()
    if headers:
        return _token_in_header(headers[0])
    if in_body is None:
        raise NO_TOKEN.error()
    return PresentedToken(in_body)


def _token_in_header(value: str) -> PresentedToken:
    found = _CREDENTIALS.match(value) if len(value) <= MAX_TOKEN + len("Bearer ") else None
    if found is None:
        raise BAD_TOKEN_HEADER.error()
    return PresentedToken(found[2], is_bound=found[1].lower() == SCHEME.lower())


async def _token_in_body(request: Request) -> str | None:
    if request.method != "POST" or not is_form(request):
        return None
    form = await read_form(request)
    form.refuse_repeats({"access_token"})
    return form.get("access_token")
