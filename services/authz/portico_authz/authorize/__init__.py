"""The authorization request as a grid: ordered checks against the endpoints that run them.

A request that waited for the end user is checked again from its stored parameters before it is answered: the
client may have changed meanwhile (P3). What is verified on arrival (repeats, request objects, the signature
of a hint) is not checked twice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Flag, auto
from typing import Final

from portico_authz.authorize.checks.check_claims import check_claims
from portico_authz.authorize.checks.check_client import check_client
from portico_authz.authorize.checks.check_hints import check_hints
from portico_authz.authorize.checks.check_id_token_hint import check_id_token_hint
from portico_authz.authorize.checks.check_max_age import check_max_age
from portico_authz.authorize.checks.check_nonce import check_nonce
from portico_authz.authorize.checks.check_pkce import check_pkce
from portico_authz.authorize.checks.check_prompt import check_prompt
from portico_authz.authorize.checks.check_redirect_uri import check_redirect_uri
from portico_authz.authorize.checks.check_repeats import check_identity_repeats, check_repeats
from portico_authz.authorize.checks.check_request_objects import check_request_objects
from portico_authz.authorize.checks.check_response_mode import check_response_mode
from portico_authz.authorize.checks.check_response_type import check_response_type
from portico_authz.authorize.checks.check_scope import check_scope
from portico_authz.context import Context

Check = Callable[[Context], Awaitable[None] | None]


class Endpoint(Flag):
    """The endpoints that run a check."""

    AUTHORIZE = auto()
    RESUME = auto()
    BOTH = AUTHORIZE | RESUME


CHECKS: Final[tuple[tuple[Check, Endpoint], ...]] = (
    (check_identity_repeats, Endpoint.AUTHORIZE),
    (check_client, Endpoint.BOTH),
    (check_redirect_uri, Endpoint.BOTH),
    # From here on the request has a verified return address, and errors are redirected there.
    (check_repeats, Endpoint.AUTHORIZE),
    (check_response_type, Endpoint.BOTH),
    (check_response_mode, Endpoint.BOTH),
    (check_request_objects, Endpoint.AUTHORIZE),
    (check_scope, Endpoint.BOTH),
    (check_nonce, Endpoint.BOTH),
    (check_pkce, Endpoint.BOTH),
    (check_prompt, Endpoint.BOTH),
    (check_max_age, Endpoint.BOTH),
    (check_id_token_hint, Endpoint.AUTHORIZE),
    (check_hints, Endpoint.BOTH),
    (check_claims, Endpoint.BOTH),
)

_COLUMNS: Final = {
    endpoint: tuple((check.__name__, check) for check, endpoints in CHECKS if endpoint in endpoints)
    for endpoint in (Endpoint.AUTHORIZE, Endpoint.RESUME)
}
_NAMES: Final = {endpoint: tuple(name for name, _ in column) for endpoint, column in _COLUMNS.items()}


async def run_checks(ctx: Context, endpoint: Endpoint) -> None:
    """Runs the checks of an endpoint in order; the first error ends them."""
    for name, check in _COLUMNS[endpoint]:
        ctx.reached = name
        pending = check(ctx)
        if pending is not None:
            await pending
    ctx.reached, ctx.passed = "", _NAMES[endpoint]


def names_until(name: str) -> tuple[str, ...]:
    """The names of the checks on arrival up to one, which may be the one that refused."""
    names = _NAMES[Endpoint.AUTHORIZE]
    return names[: names.index(name) + 1]
