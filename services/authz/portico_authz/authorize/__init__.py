"""The checks of an authorization request in order, and the endpoints that run them.

A request that waited for the end user is checked again from its stored parameters: the client may have
changed meanwhile (P3). Arrival-only checks (repeats, request objects, the signature of a hint) run once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from enum import Flag, auto
from typing import Final, NamedTuple

from portico_oauth.errors import Compared
from portico_oauth.parameters import RESOURCE, Parameters

from portico_authz.authorize.checks.check_claims import check_claims, compare_claims
from portico_authz.authorize.checks.check_client import check_client, compare_client
from portico_authz.authorize.checks.check_device import check_device, compare_device
from portico_authz.authorize.checks.check_dpop import check_dpop, compare_dpop
from portico_authz.authorize.checks.check_hints import check_hints, compare_hints
from portico_authz.authorize.checks.check_id_token_hint import check_id_token_hint, compare_id_token_hint
from portico_authz.authorize.checks.check_max_age import check_max_age, compare_max_age
from portico_authz.authorize.checks.check_nonce import check_nonce, compare_nonce
from portico_authz.authorize.checks.check_pkce import check_pkce, compare_pkce
from portico_authz.authorize.checks.check_prompt import check_prompt, compare_prompt
from portico_authz.authorize.checks.check_pushed_request import (
    check_push_required,
    check_pushed_request,
    compare_push_required,
    compare_pushed_request,
)
from portico_authz.authorize.checks.check_redirect_uri import check_redirect_uri, compare_redirect_uri
from portico_authz.authorize.checks.check_repeats import (
    check_identity_repeats,
    check_repeats,
    compare_identity_repeats,
    compare_repeats,
)
from portico_authz.authorize.checks.check_request_objects import check_request_objects, compare_request_objects
from portico_authz.authorize.checks.check_resource import check_resource, compare_resource
from portico_authz.authorize.checks.check_response_mode import check_response_mode, compare_response_mode
from portico_authz.authorize.checks.check_response_type import check_response_type, compare_response_type
from portico_authz.authorize.checks.check_scope import check_scope, compare_scope
from portico_authz.authorize.checks.check_sizes import check_sizes, compare_sizes
from portico_authz.checked_request import CheckedRequest, SentRequest, in_checks
from portico_authz.domain.request_parameters import RequestParameters

Check = Callable[[CheckedRequest], Awaitable[None] | None]


class Endpoint(Flag):
    AUTHORIZE = auto()
    RESUME = auto()
    DEVICE = auto()
    """The code of a device, and every later step of its sign-in."""

    BOTH = AUTHORIZE | RESUME
    ALL = BOTH | DEVICE


class Row(NamedTuple):
    """A check, what it compares (for diagnostics), the endpoints that run it, and the parameters it reads."""

    check: Check
    compare: Callable[[CheckedRequest], Compared]
    endpoints: Endpoint
    parameters: tuple[str, ...] = ()


_ROWS: Final = (
    Row(check_identity_repeats, compare_identity_repeats, Endpoint.AUTHORIZE),
    Row(check_pushed_request, compare_pushed_request, Endpoint.AUTHORIZE, ("client_id", "request_uri")),
    Row(check_client, compare_client, Endpoint.ALL, ("client_id", RESOURCE, "scope")),
    Row(
        check_redirect_uri,
        compare_redirect_uri,
        Endpoint.BOTH,
        ("redirect_uri", "state", "response_type", "response_mode", "ui_locales"),
    ),
    # From here on the return address is verified, and errors are redirected there.
    Row(check_repeats, compare_repeats, Endpoint.AUTHORIZE),
    Row(check_push_required, compare_push_required, Endpoint.AUTHORIZE),
    Row(check_response_type, compare_response_type, Endpoint.BOTH, ("response_type",)),
    Row(check_response_mode, compare_response_mode, Endpoint.BOTH, ("response_mode",)),
    Row(check_request_objects, compare_request_objects, Endpoint.AUTHORIZE, ("request", "request_uri")),
    Row(check_device, compare_device, Endpoint.DEVICE),
    Row(check_resource, compare_resource, Endpoint.ALL, (RESOURCE,)),
    Row(check_scope, compare_scope, Endpoint.ALL, ("scope",)),
    Row(check_nonce, compare_nonce, Endpoint.BOTH, ("nonce",)),
    Row(check_pkce, compare_pkce, Endpoint.BOTH, ("code_challenge", "code_challenge_method")),
    Row(check_dpop, compare_dpop, Endpoint.BOTH, ("dpop_jkt",)),
    Row(check_prompt, compare_prompt, Endpoint.BOTH, ("prompt",)),
    Row(check_max_age, compare_max_age, Endpoint.BOTH, ("max_age",)),
    Row(check_id_token_hint, compare_id_token_hint, Endpoint.AUTHORIZE, ("id_token_hint",)),
    # display and claims_locales have no effect, but may not be repeated either.
    Row(
        check_hints,
        compare_hints,
        Endpoint.ALL,
        ("login_hint", "ui_locales", "acr_values", "display", "claims_locales"),
    ),
    Row(check_claims, compare_claims, Endpoint.BOTH, ("claims",)),
)


def _declared_at(endpoint: Endpoint) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in _ROWS if endpoint in row.endpoints for name in row.parameters))


KNOWN_PARAMETERS: Final = _declared_at(Endpoint.AUTHORIZE)
"""The parameters that may not be repeated (AZ-04); all others are ignored (AZ-19)."""

STORED_PARAMETERS: Final = _declared_at(Endpoint.RESUME)
"""The parameters to store until the response and to check again; a verified hint is stored as its subject."""

CHECKS: Final = (*_ROWS, Row(check_sizes, compare_sizes, Endpoint.AUTHORIZE, STORED_PARAMETERS))

_KNOWN: Final = frozenset(KNOWN_PARAMETERS)
_COLUMNS: Final = {
    endpoint: tuple(
        (row.check.__name__, row.check, frozenset(row.parameters)) for row in CHECKS if endpoint in row.endpoints
    )
    for endpoint in (Endpoint.AUTHORIZE, Endpoint.RESUME, Endpoint.DEVICE)
}
_NAMES: Final = {endpoint: tuple(name for name, _, _ in column) for endpoint, column in _COLUMNS.items()}


def readable(sent: Parameters) -> RequestParameters:
    return RequestParameters(sent, _KNOWN)


async def run_checks(sent: SentRequest, endpoint: Endpoint) -> CheckedRequest:
    ctx = in_checks(sent)
    try:
        for name, check, parameters in _COLUMNS[endpoint]:
            ctx.reached, ctx.parameters.readable = name, parameters
            pending = check(ctx)
            if pending is not None:
                await pending
    finally:
        ctx.parameters.readable = _KNOWN
    ctx.reached, ctx.passed = "", _NAMES[endpoint]
    return ctx


async def run_checks_again(sent: SentRequest) -> CheckedRequest:
    """Checks a stored request."""
    return await run_checks(sent, Endpoint.DEVICE if sent.device else Endpoint.RESUME)


def passed_checks(ctx: CheckedRequest) -> Iterator[Compared]:
    """The values the passed checks compared. On resume, a refused check counts those that ran only on arrival as passed."""
    columns = Endpoint.DEVICE if ctx.device else Endpoint.BOTH
    for row in CHECKS:
        if row.check.__name__ == ctx.reached:
            return
        if not row.endpoints & columns:
            continue
        if ctx.reached or row.check.__name__ in ctx.passed:
            yield row.compare(ctx)
