"""Checks a logout request (RP-Initiated Logout 1.0 section 2, IR-10): redirects go to registered URIs only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.diagnostics import Hint
from portico_contracts.http import LOGGED_OUT, STAYS
from portico_contracts.users import Client, ClientKind, may_return_to
from portico_oauth import redirect_uris
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.parameters import REPEATED, Parameters
from portico_runtime.diagnostics.shown import shown_client_id
from portico_web.return_address import add_to_query

from portico_authz.authorize.checks.check_hints import MAX_LOCALES, read_locales
from portico_authz.authorize.checks.check_redirect_uri import compare_registered
from portico_authz.authorize.checks.check_sizes import MAX_STATE
from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.id_token_hints import Hint as IdTokenHint
from portico_authz.id_token_hints import find_hint

KNOWN: Final = ("id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales", "logout_hint")
"""The parameters that may not be repeated; all others are ignored."""

HINT_INVALID = ErrorCode(
    "AUTHZ-050",
    Kind.INVALID_REQUEST,
    "The id_token_hint is not a valid id_token of this issuer.",
    "Send the last id_token of the user, or omit the hint.",
)
CLIENT_DIFFERS = ErrorCode(
    "AUTHZ-051",
    Kind.INVALID_REQUEST,
    "The client_id is not the one the id_token_hint was issued to.",
    "Send the hint alone, or the client_id it was issued to.",
)
CLIENT_UNKNOWN = ErrorCode(
    "AUTHZ-052",
    Kind.INVALID_REQUEST,
    "No active application with this client_id can sign users out.",
    "Check the client_id, and that the application, its project and its organization are active.",
)
URI_WITHOUT_CLIENT = ErrorCode(
    "AUTHZ-053",
    Kind.INVALID_REQUEST,
    "A post_logout_redirect_uri needs an id_token_hint or a client_id.",
    "Send the hint, or the client_id the URI is registered for.",
)
URI_NOT_REGISTERED = ErrorCode(
    "AUTHZ-054",
    Kind.INVALID_REQUEST,
    "The post_logout_redirect_uri is not registered for this application.",
    "Register exactly this post_logout_redirect_uri, or send one that is registered.",
)
STATE_TOO_LONG = ErrorCode(
    "AUTHZ-057",
    Kind.INVALID_REQUEST,
    "The parameter state is longer than 4096 bytes.",
    "Send a random state, and keep what belongs to it in the session of your application.",
)


LOGOUT_NOT_FOUND = ErrorCode(
    "AUTHZ-055",
    Kind.NOT_FOUND,
    "This sign-out is finished or has expired. Sign out again if you are still signed in.",
    "Send the browser to the end_session_endpoint again.",
)
OTHER_BROWSER = ErrorCode(
    "AUTHZ-056",
    Kind.PERMISSION_DENIED,
    "This sign-out was started in another browser.",
    "Open the page in the browser where the sign-out began.",
)

_URI: Final = "post_logout_redirect_uri"
LOGOUT_CHECKS: Final = ("repeats", "state", "id_token_hint", "client", _URI)
"""In their order, for diagnostics."""


@dataclass(frozen=True, slots=True)
class LogoutRequest:
    """`sid` is empty without a hint; `client` is None if unknown; `uri` is the verified post_logout_redirect_uri.

    `stays`: a post_logout_redirect_uri was sent that cannot be checked, because no application is known.
    """

    sid: str = ""
    user_id: str = ""
    client: Client | None = None
    uri: str = ""
    state: str = ""
    ui_locales: tuple[str, ...] = ()
    stays: bool = False

    @property
    def continue_to(self) -> str:
        """Where the browser goes afterwards: to the application, or to the page that shows that it is signed out."""
        if not self.uri:
            return f"{LOGGED_OUT}?{STAYS}=1" if self.stays else LOGGED_OUT
        return add_to_query(self.uri, {"state": self.state} if self.state else {})


async def parse_logout_request(deps: Dependencies, parameters: Parameters) -> LogoutRequest:
    """Raises OAUTH-001, AUTHZ-050..052, AUTHZ-054, AUTHZ-057.

    An address alone is of no application that could be checked (RP-Initiated Logout section 3); the user can still sign
    out, and stays here.
    """
    if repeated := sorted(parameters.repeated.intersection(KNOWN)):
        raise REPEATED.error(names=repeated, compared=Compared("repeats", " ".join(repeated), hint=Hint.REPEATED))
    if len(parameters.get("state", "").encode()) > MAX_STATE:
        raise STATE_TOO_LONG.error(compared=Compared("state", hint=Hint.MISSING))
    hint = await _read_hint(deps, parameters)
    client = await _find_client(deps, parameters, hint)
    uri = parameters.get("post_logout_redirect_uri", "")
    stays = bool(uri) and client is None
    if stays:
        uri = ""
    if uri:
        require_registered(client, uri)
    return LogoutRequest(
        sid=hint.sid if hint else "",
        user_id=hint.subject if hint else "",
        client=client,
        uri=uri,
        state=parameters.get("state", ""),
        ui_locales=read_locales(parameters.get("ui_locales", "")),
        stays=stays,
    )


async def open_logout(deps: Dependencies, id: str, handle: str) -> tuple[PendingLogout, Browser]:
    """Opens a pending logout in the browser it started in (P3)."""
    request = await deps.stores.logouts.find(id)
    browser = await deps.stores.browsers.find(handle) if request else None
    if request is None or browser is None:
        raise LOGOUT_NOT_FOUND.error(part="browser" if request else "request")
    if browser.id != request.browser_id:
        raise OTHER_BROWSER.error()
    return request, browser


def stored_parameters(parameters: Parameters) -> dict[str, str]:
    sent = {name: parameters[name] for name in KNOWN if name in parameters and name != "logout_hint"}
    if len(sent.get("ui_locales", "")) > MAX_LOCALES:
        del sent["ui_locales"]
    return sent


def require_registered(client: Client | None, uri: str) -> None:
    """Raises AUTHZ-053 or AUTHZ-054. Applies the registration rule again: a forbidden scheme is never used (AZ-06)."""
    if client is None:
        raise URI_WITHOUT_CLIENT.error(uri=uri[:200], compared=Compared(_URI, hint=Hint.MISSING))
    registered = redirect_uris.is_registered(uri, client.post_logout_redirect_uris)
    if not registered or not may_return_to(client, uri):
        compared = compare_registered(_URI, uri, client.post_logout_redirect_uris)
        raise URI_NOT_REGISTERED.error(client_id=client.client_id, uri=uri[:200], compared=compared)


async def _read_hint(deps: Dependencies, parameters: Parameters) -> IdTokenHint | None:
    if "id_token_hint" not in parameters:
        return None
    hint = await find_hint(deps.users_client, deps.issuer, parameters["id_token_hint"])
    if hint is None:
        raise HINT_INVALID.error(compared=Compared("id_token_hint", hint=Hint.MISSING))
    return hint


async def _find_client(deps: Dependencies, parameters: Parameters, hint: IdTokenHint | None) -> Client | None:
    named, hinted = parameters.get("client_id", ""), hint.client_id if hint else ""
    if hint and hint.subject and named and named != hinted:
        raise CLIENT_DIFFERS.error(client_id=named[:200], azp=hinted[:200], compared=_compare_client(named))
    client_id = named or hinted
    client = await deps.users_client.find_client(client_id) if client_id else None
    if client is not None and client.kind is not ClientKind.OIDC:
        client = None
    if named and client is None:
        raise CLIENT_UNKNOWN.error(client_id=named[:200], compared=_compare_client(named))
    return client


def _compare_client(client_id: str) -> Compared:
    return Compared("client", shown_client_id(client_id[:200]))
