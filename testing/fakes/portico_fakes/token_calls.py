"""Valid requests to the token endpoint for every grant and authentication method; tests make them invalid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from portico_contracts.users import AuthMethod
from portico_oauth.grant_types import AUTHORIZATION_CODE, CLIENT_CREDENTIALS, JWT_BEARER, REFRESH_TOKEN
from portico_oauth.jose import SigningKey
from portico_oauth.pkce import challenge_of

from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.certificates import CERTIFICATE, SELF_SIGNED, gateway_headers, registered_key
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService, basic_header

KEY: Final = SigningKey.generate("k1", "ES256")
VERIFIER: Final = "v" * 43
METHODS: Final = tuple(method.value for method in AuthMethod)
EVERY_CALL: Final = (
    *((grant, method) for grant in (AUTHORIZATION_CODE, REFRESH_TOKEN) for method in METHODS),
    (CLIENT_CREDENTIALS, "client_secret_basic"),
    (CLIENT_CREDENTIALS, "client_secret_post"),
    (JWT_BEARER, "assertion"),
)


@dataclass
class Call:
    service: TokenService
    grants: MemoryGrants
    grant: str
    method: str
    form: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    more: str = ""

    @property
    def client(self) -> str:
        return "robot" if self.grant in (CLIENT_CREDENTIALS, JWT_BEARER) else f"app-{self.method}"

    def assertion(self, key: SigningKey = KEY, **claims: Any) -> str:
        return sign(key, claims_of(self.client, ISSUER, self.service.clock.now(), **claims))

    async def send(self) -> httpx.Response:
        body = str(httpx.QueryParams(self.form)) + self.more
        return await self.service.token(body, headers=self.headers)


async def good(service: TokenService, grants: MemoryGrants, grant: str, method: str) -> Call:
    call = Call(service, grants, grant, method)
    call.form["grant_type"] = grant
    match grant:
        case "authorization_code":
            await _code(call)
        case "refresh_token":
            await _code(call)
            _authenticate(call)
            answer = (await call.send()).json()
            call.form = {"grant_type": grant, "refresh_token": answer["refresh_token"]}
        case _:
            call.form["scope"] = "openid"
    _authenticate(call)
    return call


async def _code(call: Call) -> None:
    code = call.service.issue_code(call.client, scope=("openid", "offline_access"), challenge=challenge_of(VERIFIER))
    call.form |= {"grant_type": AUTHORIZATION_CODE, "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}


def _authenticate(call: Call) -> None:
    match call.method:
        case "client_secret_basic":
            call.headers["Authorization"] = basic_header(call.client, SECRET)
        case "client_secret_post":
            call.form |= {"client_id": call.client, "client_secret": SECRET}
        case "none":
            call.form["client_id"] = call.client
        case "private_key_jwt":
            call.form |= {"client_assertion_type": ASSERTION_TYPE, "client_assertion": call.assertion()}
        case "tls_client_auth":
            call.form["client_id"] = call.client
            call.headers |= gateway_headers(CERTIFICATE)
        case "self_signed_tls_client_auth":
            call.form["client_id"] = call.client
            call.headers |= gateway_headers(SELF_SIGNED)
        case "assertion":
            call.form["assertion"] = call.assertion()


def register_everybody(service: TokenService) -> None:
    """Registers applications of every authentication method, with refresh tokens, and a service user."""
    keys = (registered(KEY), registered_key())
    for method in AuthMethod:
        service.register(f"app-{method}", method, keys=keys, grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN))
    service.register_service_user("robot", keys=keys)
