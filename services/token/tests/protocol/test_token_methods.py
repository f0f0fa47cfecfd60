"""Client authentication at the token endpoint: registered method by presented credentials by grant (TK-14, TK-16)."""

from __future__ import annotations

from typing import Final

import pytest
from portico_contracts.users import KEY_METHODS, AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.certificates import CERTIFICATE, SELF_SIGNED, gateway_headers, registered_key
from portico_fakes.certificates import STRANGE as STRANGE_CERTIFICATE
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, USER, TokenService, basic_header
from portico_harness.rows import row
from portico_oauth.grant_types import AUTHORIZATION_CODE, CLIENT_CREDENTIALS, JWT_BEARER, REFRESH_TOKEN
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import fingerprint
from portico_oauth.pkce import challenge_of
from portico_token.domain.grants import AccessToken, Grant
from portico_token.domain.grants import RefreshToken as KeptRefreshToken

KEY, STRANGE = (SigningKey.generate("k1", "ES256") for _ in range(2))
VERIFIER: Final = "v" * 43
Headers = dict[str, str]
SchemaVersion = dict[str, str]

FITS: Final = {
    AuthMethod.CLIENT_SECRET_BASIC: "basic",
    AuthMethod.CLIENT_SECRET_POST: "post",
    AuthMethod.NONE: "id alone",
    AuthMethod.PRIVATE_KEY_JWT: "assertion",
    AuthMethod.TLS_CLIENT_AUTH: "certificate",
    AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH: "self-signed certificate",
}
PRESENTED: Final = (
    *FITS.values(),
    "wrong secret, basic",
    "wrong secret, post",
    "wrong key",
    "basic and post",
    "basic and assertion",
    "post and assertion",
    "strange certificate",
    "nothing",
)
CERTIFICATES: Final = {
    "certificate": CERTIFICATE,
    "self-signed certificate": SELF_SIGNED,
    "strange certificate": STRANGE_CERTIFICATE,
}


def presented(service: TokenService, how: str) -> tuple[Headers, SchemaVersion]:
    """Returns headers and form of one way to authenticate as ``app``."""
    headers: Headers = {}
    form: SchemaVersion = {}
    secret = SECRET + "x" if "wrong secret" in how else SECRET
    if "basic" in how:
        headers["Authorization"] = basic_header("app", secret)
    if "post" in how:
        form |= {"client_id": "app", "client_secret": secret}
    if "assertion" in how or how == "wrong key":
        key = STRANGE if how == "wrong key" else KEY
        assertion = sign(key, claims_of("app", ISSUER, service.clock.now()))
        form |= {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
    if how in CERTIFICATES:
        headers |= gateway_headers(CERTIFICATES[how])
        form["client_id"] = "app"
    if how == "id alone":
        form["client_id"] = "app"
    return headers, form


async def asked(service: TokenService, grants: MemoryGrants, grant_type: str) -> SchemaVersion:
    """Returns the parameters of a valid request of ``app`` without authentication."""
    form = {"grant_type": grant_type, "scope": "openid"}
    if grant_type == AUTHORIZATION_CODE:
        code = service.issue_code("app", challenge=challenge_of(VERIFIER))
        return {**form, "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
    if grant_type == REFRESH_TOKEN:
        return {**form, "refresh_token": await refresh_token(service, grants)}
    return form


async def refresh_token(service: TokenService, grants: MemoryGrants) -> str:
    now = int(service.clock.now())
    grant_id = service.issue_code("app")[:24]
    text = f"{grant_id}.{'t' * 43}"
    grant = Grant(
        id=grant_id, user_id=USER, client_id="app", audience=("app",), scope=("openid",), session_id="s",
        auth_time=now, amr=("pwd",), acr="", created=now,
    )  # fmt: skip
    kept = KeptRefreshToken(fingerprint=fingerprint(text), issued=now, idle_until=now + 60, ends=now + 60)
    await grants.save(grant, "at", AccessToken(now, now + 60, ("openid",)), kept)
    return text


PASSED: Final = {
    **{(grant_type, method): (200, "") for grant_type in (AUTHORIZATION_CODE, REFRESH_TOKEN) for method in FITS},
    (CLIENT_CREDENTIALS, AuthMethod.CLIENT_SECRET_BASIC): (400, "unauthorized_client"),
    (CLIENT_CREDENTIALS, AuthMethod.CLIENT_SECRET_POST): (400, "unauthorized_client"),
}
"""Expected response by grant and registered method of an authenticated application; all others are refused."""


def expected(grant_type: str, method: AuthMethod, how: str) -> tuple[int, str]:
    if " and " in how or grant_type == JWT_BEARER:
        return 400, "invalid_request"  # two mechanisms, or one beside the assertion that is not there
    refused = 401, "invalid_client"
    fits = how == FITS[method] or {how, FITS[method]} == {"basic", "post"}  # one secret, two ways
    fits = fits or (method is AuthMethod.NONE and how in CERTIFICATES)  # it has an id, which is all it needs
    return PASSED.get((grant_type, method), refused) if fits else refused


@pytest.mark.parametrize("method", AuthMethod)
async def test_only_the_registered_method_passes(
    token_service: TokenService, grants: MemoryGrants, method: AuthMethod
) -> None:
    """Every cell has its status and error, and a challenge exactly where Basic failed."""
    may = (AUTHORIZATION_CODE, REFRESH_TOKEN)
    secret = fingerprint(SECRET) if "secret" in method else ""
    keys = (registered(KEY), registered_key()) if method in KEY_METHODS else ()
    token_service.register("app", method, grant_types=may, secret_hash=secret, keys=keys)
    for grant_type in (AUTHORIZATION_CODE, REFRESH_TOKEN, CLIENT_CREDENTIALS, JWT_BEARER):
        found = {how: await answered(token_service, grants, grant_type, how) for how in PRESENTED}
        refused_basic = {how for how in PRESENTED if "basic" in how and expected(grant_type, method, how)[0] == 401}

        with row(grant_type):
            assert {how: status for how, (status, _) in found.items()} == {
                how: expected(grant_type, method, how) for how in PRESENTED
            }
            assert {how for how, (_, is_challenged) in found.items() if is_challenged} == refused_basic


async def answered(
    service: TokenService, grants: MemoryGrants, grant_type: str, how: str
) -> tuple[tuple[int, str], bool]:
    """Returns status and error of the response, and whether it has a challenge."""
    headers, form = presented(service, how)
    answer = await service.token({**await asked(service, grants, grant_type), **form}, headers=headers)
    return (answer.status_code, answer.json().get("error", "")), "www-authenticate" in answer.headers
