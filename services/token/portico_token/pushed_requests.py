"""The pushed authorization request endpoint (RFC 9126).

The client authenticates as at the token endpoint; authz checks the parameters as at the authorization
endpoint, and stores them.
"""

from __future__ import annotations

from functools import partial
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
from portico_token.credential_form import read_presented
from portico_token.domain.clients import AuthenticatedClient
from portico_token.dpop.errors import KEYS_DIFFER, refused
from portico_token.dpop.possession import prove_key
from portico_token.dpop.proofs import Proofs
from portico_token.known_client import before_use, note_client

METHODS: Final = frozenset(AuthMethod)

_encode = msgspec.json.Encoder().encode


class PushedRequests:
    def __init__(self, authentication: ClientAuthentication, bus: Bus, proxies: TrustedProxies, proofs: Proofs) -> None:
        self._authentication = authentication
        self._bus = bus
        self._proxies = proxies
        self._proofs = proofs

    async def answer(self, request: Request) -> Response:
        # 1 Read the form once.
        presented = await read_presented(request)
        # 2 Authenticate the client, whose request may be its first one.
        await self._authentication.fetch_document(presented, fingerprint(client_address(request, self._proxies)))
        ready = partial(before_use, self._proofs, request)
        caller = await self._authentication.authenticate(presented, METHODS, PUSHED_REQUESTS, ready)
        note_client(request, caller.client)
        # 3 Which key does it have, for which the code will be?
        caller = await prove_key(self._proofs, request, caller, PUSHED_REQUESTS)
        # 4 Check and store the parameters.
        pushed = await self._push(request, presented.form, caller)
        # 5 Respond.
        response = JsonResponse(_encode({"request_uri": pushed.request_uri, "expires_in": pushed.expires_in}))
        response.status_code = 201
        return response

    async def _push(self, request: Request, form: Parameters, caller: AuthenticatedClient) -> RequestPushed:
        is_public = caller.method is AuthMethod.NONE
        message = PushRequest(
            client_id=caller.client.client_id,
            parameters={name: value for name, value in form.items() if name not in CLIENT_PARAMETERS}
            | _key_of_code(form, caller),
            repeated=tuple(sorted(form.repeated)),
            client_address=fingerprint(client_address(request, self._proxies)) if is_public else "",
        )
        try:
            return await self._bus.call(PUSH_REQUEST, message)
        except ServiceError as error:
            error.is_traced = True  # by authz, which knows what its checks compared
            raise


def _key_of_code(form: Parameters, caller: AuthenticatedClient) -> dict[str, str]:
    """The proven key, for which the code will be (RFC 9449 section 10.1). Raises TOKEN-317 where dpop_jkt differs."""
    if not caller.jkt:
        return {}
    if form.get("dpop_jkt", caller.jkt) != caller.jkt:
        raise refused(KEYS_DIFFER, "dpop_jkt", ("the thumbprint of the key of the proof",))
    return {"dpop_jkt": caller.jkt}
