"""The pushed authorization request endpoint (RFC 9126).

The client authenticates as at the token endpoint; authz checks the parameters as at the authorization
endpoint, and stores them.
"""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.authz import PUSH_REQUEST, PushRequest, RequestPushed
from portico_contracts.http import PUSHED_REQUESTS
from portico_contracts.users import AuthMethod
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_oauth.parameters import Parameters
from portico_runtime.bus.bus import Bus
from portico_web.client_address import client_address
from portico_web.json_response import JsonResponse
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response

from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.client_auth.credentials import CLIENT_PARAMETERS
from portico_token.credential_form import CLIENT, read_presented
from portico_token.cross_origin import readable_by
from portico_token.domain.clients import AuthenticatedClient

METHODS: Final = frozenset(AuthMethod)

_encode = msgspec.json.Encoder().encode


class PushedRequests:
    def __init__(self, authentication: ClientAuthentication, bus: Bus, proxies: TrustedProxies) -> None:
        self._authentication = authentication
        self._bus = bus
        self._proxies = proxies

    async def answer(self, request: Request) -> Response:
        # 1 Read the form once.
        presented = await read_presented(request)
        # 2 Authenticate the client, whose request may be its first one.
        await self._authentication.fetch_document(presented, fingerprint(client_address(request, self._proxies)))
        caller = await self._authentication.authenticate(presented, METHODS, PUSHED_REQUESTS)
        readable_by(request, caller.client)
        request.scope[CLIENT] = caller.client
        # 3 Check and store the parameters.
        pushed = await self._push(request, presented.form, caller)
        # 4 Respond.
        response = JsonResponse(_encode({"request_uri": pushed.request_uri, "expires_in": pushed.expires_in}))
        response.status_code = 201
        return response

    async def _push(self, request: Request, form: Parameters, caller: AuthenticatedClient) -> RequestPushed:
        is_public = caller.method is AuthMethod.NONE
        message = PushRequest(
            client_id=caller.client.client_id,
            parameters={name: value for name, value in form.items() if name not in CLIENT_PARAMETERS},
            repeated=tuple(sorted(form.repeated)),
            client_address=fingerprint(client_address(request, self._proxies)) if is_public else "",
        )
        try:
            return await self._bus.call(PUSH_REQUEST, message)
        except ServiceError as error:
            error.is_traced = True  # by authz, which knows what its checks compared
            raise
