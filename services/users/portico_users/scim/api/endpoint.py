"""One request of SCIM: the numbered steps, which no resource and no way of writing a request passes by."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

from portico_contracts.http import SCIM, SCIM_BODY
from portico_oauth.errors import METHOD_NOT_ALLOWED, UNAVAILABLE, ServiceError
from portico_runtime.process.clock import Clock
from portico_web.forms import media_of, read_body
from portico_web.headers import find_header
from portico_web.request_span import ROUTE
from portico_web.surfaces import render_errors
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.administrators.permissions import Permission
from portico_users.journal.command import repeat_overtaken
from portico_users.management_api.transport.call import Target
from portico_users.management_api.transport.decision import NOT_PERMITTED, decide
from portico_users.organizations.org import MongoOrgs
from portico_users.scim.api.error_responses import scim_error, status_of, text_of
from portico_users.scim.api.paths import Resource, Route, route_of
from portico_users.scim.api.resources import Asked, Resources
from portico_users.scim.calls import CallLog, RefusedCall
from portico_users.scim.connection import CONNECTION_NOT_FOUND, MongoScimConnections, ScimConnection, opens
from portico_users.scim.protocol.errors import INVALID_SECRET, NOT_JSON_MEDIA
from portico_users.scim.protocol.session import Session, session_of
from portico_users.storage.transactions import KeyedLocks
from portico_users.values.json_text import read_json
from portico_users.values.records import State

SECONDS: Final = 10.0
"""Time limit of a request."""

PERMISSIONS: Final = {
    **{(Resource.USERS, verb): Permission.USER_WRITE for verb in ("POST", "PUT", "PATCH")},
    (Resource.USERS, "GET"): Permission.USER_READ,
    (Resource.USERS, "DELETE"): Permission.USER_DELETE,
    **{(Resource.GROUPS, verb): Permission.USER_GRANT_WRITE for verb in ("POST", "PUT", "PATCH", "DELETE")},
    (Resource.GROUPS, "GET"): Permission.USER_GRANT_READ,
}
"""What a connection must be allowed; what describes the server needs its secret only."""

_MEDIA: Final = frozenset({"application/scim+json", "application/json"})
_BEARER: Final = re.compile(r"(?i:bearer) +([A-Za-z0-9._~+/-]{1,200}=*)\Z")
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class ScimEndpoint:
    """ASGI application for the paths below ``/scim/v2``."""

    def __init__(
        self,
        connections: MongoScimConnections,
        orgs: MongoOrgs,
        resources: Resources,
        calls: CallLog,
        clock: Clock,
    ) -> None:
        self._connections = connections
        self._orgs = orgs
        self._resources = resources
        self._calls = calls
        self._clock = clock
        self._turns = KeyedLocks()
        self._respond = render_errors(self._answer, scim_error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        # 1 Route: the permission and the handler are chosen by this decision, and nothing reads the path again.
        route = route_of(request.scope["raw_path"])
        request.scope[ROUTE] = f"{SCIM}/{{connection}}/{route.resource.value}{'/{id}' if route.id else ''}"
        connection = await self._connections.find_there(route.connection_id)
        if connection is None:
            raise CONNECTION_NOT_FOUND.error()
        try:
            async with asyncio.timeout(SECONDS):
                response = await self._perform(connection, route, request)
        except ServiceError as error:
            await self._note_refused(connection, route, request.method, error)
            raise
        except TimeoutError:
            raise UNAVAILABLE.error(retry_after=1, part="deadline", operation="scim") from None
        await self._calls.note(connection.id)
        return response

    async def _perform(self, connection: ScimConnection, route: Route, request: Request) -> Response:
        # 2 Authenticate. Nothing else of an unauthenticated request is read.
        session = await self._authenticate(connection, request)
        if request.method not in route.verbs:
            return _not_allowed(request, route.verbs)
        # 3 Check the permission. A search by POST only reads.
        verb = "GET" if route.is_search else request.method
        permission = PERMISSIONS.get((route.resource, verb))
        decide(session.caller, permission, Target(session.org.id, None, NOT_PERMITTED), own=False)
        # 4 Decode the parameters and the body within their limits.
        body = await _read_body(request) if request.method in _WITH_BODY else None
        asked = Asked.search(body) if route.is_search else Asked.read(request, body)
        # 5 Find the object among those of the connection, check its version and its owner, and perform.
        perform = self._resources.handler(session, route, verb, asked)
        return await self._repeated(perform, asked)

    async def _repeated(self, perform: Callable[[], Awaitable[Response]], asked: Asked) -> Response:
        """Repeats a change that another one has overtaken, unless the client expects a version."""
        return await (perform() if asked.has_version else repeat_overtaken(perform, self._turns))

    async def _authenticate(self, connection: ScimConnection, request: Request) -> Session:
        """Raises the same error for every token that is not a secret of the connection."""
        headers = request.headers.getlist("authorization")
        found = _BEARER.match(headers[0]) if len(headers) == 1 else None
        org = await self._orgs.find(connection.org_id)
        if found is None or not opens(connection.secrets, found[1]) or org is None or org.state is not State.ACTIVE:
            raise INVALID_SECRET.error(connection=connection.id)
        return session_of(connection, org)

    async def _note_refused(self, connection: ScimConnection, route: Route, verb: str, error: ServiceError) -> None:
        path = f"/{route.resource.value}{f'/{route.id[:40]}' if route.id else ''}"
        refused = RefusedCall(
            at=self._clock.now(),
            request=f"{verb[:10]} {path}",
            status=status_of(error),
            error_id=error.id,
            text=text_of(error)[:300],
        )
        await self._calls.note_refused(connection.id, refused)


async def _read_body(request: Request) -> object:
    if media_of(request) not in _MEDIA or find_header(request, b"content-encoding"):
        raise NOT_JSON_MEDIA.error()
    return read_json(await read_body(request, SCIM_BODY))


def _not_allowed(request: Request, verbs: tuple[str, ...]) -> Response:
    response = scim_error(METHOD_NOT_ALLOWED.error(), request)
    response.headers["Allow"] = ", ".join(verbs)
    return response
