"""Reads requests with credentials in a form (RFC 6749 section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.parameters import read_parameters
from portico_web.forms import read_form
from starlette.requests import Request

from portico_token.client_auth.credentials import CLIENT_PARAMETERS, Presented, presented_in
from portico_token.grants import GRANTS

CREDENTIALS_IN_QUERY = ErrorCode(
    "TOKEN-004",
    Kind.INVALID_REQUEST,
    "Parameters of the token request are in the query of the URL.",
    "Send every parameter in the body.",
)
NO_TOKEN = ErrorCode(
    "TOKEN-200", Kind.INVALID_REQUEST, "The token is missing.", "Send the token in the parameter token."
)

PRESENTED: Final = "portico.presented"
CLIENT: Final = "portico.client"
"""Keys of a request's scope for diagnostics: what was presented, and the authenticated client."""

KNOWN: Final = CLIENT_PARAMETERS.union(
    ("grant_type", "assertion", "scope", "token", "token_type_hint"), *(kind.parameters for kind in GRANTS.values())
) - {"audience"}
"""The parameters of the endpoints, which may not be repeated; all others are ignored (RFC 6749 section 3.2).

Not audience, which clients may repeat (RFC 8693): the grant that reads it refuses that.
"""

_SECRETS: Final = frozenset(
    {"client_id", "client_secret", "client_assertion", "assertion", "code", "code_verifier", "refresh_token", "token"}
    | {"subject_token", "actor_token", "device_code"}
)
"""Parameters that must not be in a URL, which logs retain (TK-21)."""


async def read_presented(request: Request) -> Presented:
    """Returns the headers and the parameters of the body, each known one once; refuses secrets in the query."""
    query = request.scope["query_string"]
    try:
        if query and not _SECRETS.isdisjoint(read_parameters(query)):
            raise CREDENTIALS_IN_QUERY.error()
        presented = presented_in(request, await read_form(request))
        request.scope[PRESENTED] = presented
        presented.form.refuse_repeats(KNOWN)
    except ServiceError as error:
        error.compared = compare_repeats(error)
        raise
    return presented


def compare_repeats(error: ServiceError) -> Compared:
    repeated = error.private.get("names", ())
    return Compared("form", " ".join(repeated), hint=Hint.REPEATED if repeated else "")


def load_token(form: Mapping[str, str]) -> str:
    """Returns the `token` parameter (RFC 7662 section 2.1, RFC 7009 section 2.1). Raises TOKEN-200 without one."""
    token = form.get("token")
    if token is None:
        raise NO_TOKEN.error(compared=Compared("token", hint=Hint.MISSING))
    return token
