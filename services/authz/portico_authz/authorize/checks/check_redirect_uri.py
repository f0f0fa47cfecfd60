"""Checks redirect_uri: equal to a registered URI by code points (AZ-01, AZ-03); verifies the return address."""

from __future__ import annotations

from typing import Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import may_return_to
from portico_oauth import redirect_uris
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.response_types import ResponseMode, default_mode, find_response_type
from portico_runtime.diagnostics.shown import shown_uri, shown_uris
from portico_runtime.diagnostics.uri_hints import compare_uri
from portico_web.languages import pick_language
from portico_web.return_address import ReturnAddress

from portico_authz.authorize.checks.check_hints import read_locales
from portico_authz.checked_request import ClientRequest
from portico_authz.domain.request_parameters import RequestParameters

URI_MISSING = ErrorCode(
    "AUTHZ-004",
    Kind.INVALID_REQUEST,
    "The parameter redirect_uri is missing.",
    "Send a redirect_uri that is registered.",
)
URI_NOT_REGISTERED = ErrorCode(
    "AUTHZ-005",
    Kind.INVALID_REQUEST,
    "The redirect_uri is not registered for this application.",
    "Register exactly this redirect_uri, or send one that is registered.",
)

_MODES: Final = {mode.value: mode for mode in ResponseMode}


def check_redirect_uri(ctx: ClientRequest) -> None:
    """Sets the return address. Applies the registration rule again: a forbidden scheme is never used (AZ-06)."""
    uri = ctx.parameters.get("redirect_uri")
    if uri is None:
        wanted = shown_uris(ctx.client.redirect_uris)
        compared = Compared("redirect_uri", wanted=wanted, hint=Hint.MISSING)
        raise URI_MISSING.error(client_id=ctx.client.client_id, compared=compared)
    registered = redirect_uris.is_registered(uri, ctx.client.redirect_uris, any_port=ctx.client.any_loopback_port)
    if not registered or not may_return_to(ctx.client, uri):
        compared = compare_registered("redirect_uri", uri, ctx.client.redirect_uris)
        raise URI_NOT_REGISTERED.error(client_id=ctx.client.client_id, redirect_uri=uri[:200], compared=compared)
    language = pick_language(read_locales(ctx.parameters.get("ui_locales", "")), ctx.user_agent.languages)
    state = ctx.parameters.get("state", "")
    ctx.address = ReturnAddress(uri, mode_of(ctx.parameters), state, ctx.sources.issuer, language)


def compare_redirect_uri(ctx: ClientRequest) -> Compared:
    """Diagnostics of the redirect_uri."""
    return compare_registered("redirect_uri", ctx.parameters.get("redirect_uri", ""), ctx.client.redirect_uris)


def compare_registered(check: str, uri: str, registered: tuple[str, ...]) -> Compared:
    """Compares a URI with the registered ones, the most similar first; a registered one can only have a forbidden scheme."""
    if uri in registered:
        return Compared(check, shown_uri(uri), ("a registered address",), Hint.SCHEME)
    return compare_uri(check, uri, registered)


def mode_of(parameters: RequestParameters) -> ResponseMode:
    response_type = find_response_type(parameters.get("response_type", ""))
    mode = parameters.get("response_mode")
    if mode is None:
        return default_mode(response_type)
    leaks = mode == ResponseMode.QUERY and response_type is not None and response_type.has_id_token
    return ResponseMode.FRAGMENT if leaks else _MODES.get(mode, ResponseMode.FRAGMENT)
