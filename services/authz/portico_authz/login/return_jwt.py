"""The login API: the proxy of a JWT provider sends the browser back from another domain (decisions.md §3, 5.14).

No cookie comes with it, so the JWT is parked; the request that follows is compared with the flow as at any callback.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.login_external import GetJwtHeader, JwtHeader, Parked, ParkJwt
from portico_contracts.users import IntentFlow, ProviderKind
from portico_oauth.errors import INVALID_INPUT
from portico_oauth.opaque import equal_in_constant_time

from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import ExternalFlow, ParkedReturn
from portico_authz.login.return_external import FLOW_NOT_FOUND, park
from portico_authz.login.return_intent import find_intent, is_of_intent

MAX_JWT: Final = 16_384
"""Characters of a JWT; the gateway takes no larger header."""


async def get_jwt_header(deps: Dependencies, _id: str, query: GetJwtHeader) -> JwtHeader:
    """The header the JWT of a flow comes in.

    Raises:
        ServiceError: AUTHZ-060 for every other pair of ``authRequestID`` and ``userAgentID``.
    """
    return JwtHeader(name=(await _find_flow(deps, query.auth_request, query.user_agent)).jwt_header)


async def park_jwt(deps: Dependencies, _id: str, query: ParkJwt) -> Parked:
    """Parks a JWT; nothing in it is believed before users has verified it.

    Raises:
        ServiceError: as `get_jwt_header`; INVALID_INPUT without a JWT, and for one that is too long.
    """
    flow = await _find_flow(deps, query.auth_request, query.user_agent)
    if not 0 < len(query.jwt) <= MAX_JWT:
        raise INVALID_INPUT.error(cause="no JWT in the header")
    return await park(deps, ParkedReturn(query.auth_request, flow.provider_id, {}, query.jwt), query.address)


async def _find_flow(deps: Dependencies, auth_request: str, user_agent: str) -> ExternalFlow | IntentFlow:
    flow: ExternalFlow | IntentFlow | None
    if is_of_intent(auth_request):
        flow = await find_intent(deps, auth_request)
    else:
        flow = await deps.stores.external_flows.find(auth_request)
    if flow is None or flow.kind is not ProviderKind.JWT or not equal_in_constant_time(flow.user_agent, user_agent):
        raise FLOW_NOT_FOUND.error(part="jwt")
    return flow
