"""A cross-site POST carries no SameSite=Lax cookie: its parameters are stored until the GET that follows, which does."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ServiceError
from portico_oauth.opaque import new_opaque
from portico_oauth.parameters import Parameters
from portico_web.headers import NO_STORE
from starlette.responses import Response

from portico_authz.dependencies import Dependencies

POSTED: Final = "portico_posted"
"""The only parameter of the GET that follows a POST: the id of the stored parameters."""

POSTED_SECONDS: Final = 300


async def store_posted(deps: Dependencies, path: str, parameters: dict[str, str], client_address: str) -> Response:
    """Stores the parameters, and redirects the browser to a GET of the path."""
    id = new_opaque(deps.random(1).hex(), deps.random)
    await deps.stores.posted_requests.save(id, parameters, POSTED_SECONDS, client_address)
    return see_other(f"{path}?{POSTED}={id}")


async def restore_posted(deps: Dependencies, parameters: Parameters, not_found: ServiceError) -> Parameters:
    """The stored parameters of the POST before this GET; the parameters themselves without one."""
    if tuple(parameters) != (POSTED,):
        return parameters
    stored = await deps.stores.posted_requests.find(parameters[POSTED])
    if stored is None:
        raise not_found
    return Parameters(list(stored.items()))


def see_other(path: str) -> Response:
    """Redirects the browser to a GET on this origin."""
    return Response(status_code=303, headers={**NO_STORE, "Location": path})
