"""Checks client_id: an active OIDC application (RFC 6749 section 4.1.1); otherwise a page, never a redirect (AZ-09)."""

from __future__ import annotations

from portico_contracts.diagnostics import Hint
from portico_contracts.users import Client, ClientKind
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_runtime.diagnostics.shown import shown_client_id

from portico_authz.context import Context

CLIENT_MISSING = ErrorCode("AUTHZ-002", Kind.INVALID_REQUEST, "The parameter client_id is missing.", "Send client_id.")
CLIENT_UNKNOWN = ErrorCode(
    "AUTHZ-003",
    Kind.INVALID_REQUEST,
    "No active application with this client_id signs users in.",
    "Check the client_id, and that the application, its project and its organization are active.",
)


async def check_client(ctx: Context) -> None:
    client_id = ctx.parameters.get("client_id")
    if client_id is None:
        raise CLIENT_MISSING.error(compared=Compared("client", hint=Hint.MISSING))
    client = await ctx.users_client.find_client(client_id)
    if client is None or client.kind is not ClientKind.OIDC:
        compared = _compare(client) if client else _unknown(client_id)
        raise CLIENT_UNKNOWN.error(client_id=client_id[:200], compared=compared)
    ctx.client = client


def compare_client(ctx: Context) -> Compared:
    """Diagnostics of the client."""
    return _compare(ctx.client)


def _compare(client: Client) -> Compared:
    return Compared("client", f"{client.client_id} ({client.kind.value})", ("oidc",))


def _unknown(client_id: str) -> Compared:
    return Compared("client", shown_client_id(client_id), ("an active application",), Hint.UNKNOWN)
