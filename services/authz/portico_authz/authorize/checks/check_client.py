"""client_id names an active OIDC application (RFC 6749 §4.1.1); otherwise a page, never a redirect (AZ-09)."""

from __future__ import annotations

from portico_contracts.users import ClientKind
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.context import Context

CLIENT_MISSING = ErrorCode("AUTHZ-002", Kind.INVALID_REQUEST, "The parameter client_id is missing.", "Send client_id.")
CLIENT_UNKNOWN = ErrorCode(
    "AUTHZ-003",
    Kind.INVALID_REQUEST,
    "No active application with this client_id signs users in.",
    "Check the client_id, and that the application, its project and its organization are active.",
)


async def check_client(ctx: Context) -> None:
    """Finds the client. Unknown, inactive and API applications get the same error."""
    client_id = ctx.parameters.get("client_id")
    if client_id is None:
        raise CLIENT_MISSING.error()
    client = await ctx.directory.find_client(client_id)
    if client is None or client.kind is not ClientKind.OIDC:
        raise CLIENT_UNKNOWN.error(client_id=client_id[:200])
    ctx.client = client
