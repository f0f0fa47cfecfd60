"""The device authorization endpoint (RFC 8628 sections 3.1 and 3.2)."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.authz import BEGIN_DEVICE, BeginDevice, DeviceBegun
from portico_contracts.http import DEVICE_AUTHORIZATION, DEVICE_PAGE
from portico_contracts.users import AuthMethod
from portico_oauth.errors import Compared, Kind, ServiceError
from portico_oauth.parameters import RESOURCE
from portico_runtime.bus.bus import Bus
from portico_web.client_address import client_address
from portico_web.json_response import JsonResponse
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response

from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.credential_form import read_presented
from portico_token.grants.device_code import DeviceCode
from portico_token.grants.permitted_scope import compare_scope
from portico_token.known_client import note_client
from portico_token.token_endpoint import refuse_grant_not_allowed

_METHODS: Final = frozenset(AuthMethod)


class DeviceResponse(msgspec.Struct, frozen=True):
    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int

    def __repr__(self) -> str:
        """Names the kind only."""
        return "DeviceResponse(...)"


class DeviceAuthorization:
    def __init__(self, issuer: str, clients: ClientAuthentication, bus: Bus, proxies: TrustedProxies) -> None:
        self._page = issuer + DEVICE_PAGE
        self._clients = clients
        self._bus = bus
        self._proxies = proxies

    async def answer(self, request: Request) -> Response:
        # 1 Read the form once: no repeats, no credentials in the query.
        presented = await read_presented(request)
        # 2 Authenticate the client; a public one by its id.
        client = (await self._clients.authenticate(presented, _METHODS, DEVICE_AUTHORIZATION)).client
        note_client(request, client)
        # 3 May this client use the grant?
        refuse_grant_not_allowed(client, DeviceCode)
        # 4 authz checks the scope as in an authorization request, and the policy.
        form, address = presented.form, client_address(request, self._proxies)
        scope, resource = form.get("scope", ""), form.get(RESOURCE, "")
        asked = BeginDevice(client_id=client.client_id, scope=scope, address=address, resource=resource)
        begun = await self._begin(asked)
        # 5 Respond, with no-store.
        code = f"{begun.user_code[:4]}-{begun.user_code[4:]}"
        response = DeviceResponse(
            begun.device_code, code, self._page, f"{self._page}?user_code={code}", begun.expires_in, begun.interval
        )
        return JsonResponse(msgspec.json.encode(response))

    async def _begin(self, begin: BeginDevice) -> DeviceBegun:
        try:
            return await self._bus.call(BEGIN_DEVICE, begin)
        except ServiceError as error:
            compared = {Kind.INVALID_SCOPE: compare_scope(begin.scope), Kind.INVALID_TARGET: Compared("resource")}
            error.compared = compared.get(error.kind, Compared("device"))
            raise
