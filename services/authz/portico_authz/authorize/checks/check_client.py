"""Checks client_id: an active OIDC application (RFC 6749 section 4.1.1); otherwise a page, never a redirect (AZ-09).

Where several organizations accept the metadata document of a client, the requested resource decides whose policy
counts, or else the organization that the scope names (decision 0112).
"""

from __future__ import annotations

from portico_contracts.diagnostics import Hint
from portico_contracts.users import Client, ClientKind
from portico_oauth import scopes
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.parameters import RESOURCE
from portico_oauth.resources import read_resources
from portico_runtime.diagnostics.shown import shown_client_id

from portico_authz.checked_request import ClientRequest

CLIENT_MISSING = ErrorCode("AUTHZ-002", Kind.INVALID_REQUEST, "The parameter client_id is missing.", "Send client_id.")
CLIENT_UNKNOWN = ErrorCode(
    "AUTHZ-003",
    Kind.INVALID_REQUEST,
    "No active application with this client_id signs users in.",
    "Check the client_id, and that the application, its project and its organization are active.",
)
SEVERAL_ORGANIZATIONS = ErrorCode(
    "AUTHZ-070",
    Kind.INVALID_REQUEST,
    "Several organizations accept metadata documents of this host, and the request names none of them.",
    "Send the resource of an API, or the scope urn:portico:org:id:{id} with the id of the organization.",
)


async def check_client(ctx: ClientRequest) -> None:
    client_id = ctx.parameters.get("client_id")
    if client_id is None:
        raise CLIENT_MISSING.error(compared=Compared("client", hint=Hint.MISSING))
    client, several = await _find(ctx, client_id)
    if several:
        compared = Compared("client", shown_client_id(client_id), ("a resource or an organization",), Hint.MISSING)
        raise SEVERAL_ORGANIZATIONS.error(client_id=client_id[:200], compared=compared)
    if client is None or client.kind is not ClientKind.OIDC:
        compared = _compare(client) if client else _unknown(client_id)
        raise CLIENT_UNKNOWN.error(client_id=client_id[:200], compared=compared)
    ctx.client = client


async def _find(ctx: ClientRequest, client_id: str) -> tuple[Client | None, bool]:
    if not host_of_client_id(client_id):
        return await ctx.sources.users_client.find_client(client_id), False
    resources = read_resources(ctx.parameters.get(RESOURCE)) or ()
    text = ctx.parameters.get("scope", "")
    words = [word for word in scopes.split(text) or () if ctx.sources.zitadel_names or not scopes.is_their_name(word)]
    org_id = next(filter(None, map(scopes.organization_in, words)), "")
    found = await ctx.sources.users_client.find_requested_client(
        client_id, resources, org_id, ctx.user_agent.client_address
    )
    return found.client, found.several


def compare_client(ctx: ClientRequest) -> Compared:
    """Diagnostics of the client."""
    return _compare(ctx.client)


def _compare(client: Client) -> Compared:
    return Compared("client", client.client_id, ("an active application that signs users in",))


def _unknown(client_id: str) -> Compared:
    return Compared("client", shown_client_id(client_id), ("an active application",), Hint.UNKNOWN)
