"""Client authentication methods at introspection and revocation, cell by cell of the specification's table (TK-16).

``pytest -s`` prints the matrix.
"""

from __future__ import annotations

import sys
from typing import Final

import httpx
import pytest
from portico_contracts import http
from portico_contracts.users import CERTIFICATE_METHODS, AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.certificates import CERTIFICATE, SELF_SIGNED, STRANGE, gateway_headers, registered_key
from portico_fakes.token_service import ISSUER, SECRET, TokenService, basic_header
from portico_oauth.jose import SigningKey

KEY: Final = SigningKey.generate("key-1", "ES256")
STRANGE_KEY: Final = SigningKey.generate("key-1", "ES256")
"""An unregistered key with a registered id."""

ENDPOINTS: Final = (http.INTROSPECT, http.REVOKE)
PRESENTED: Final = (
    "basic",
    "post",
    "id alone",
    "private_key_jwt",
    "certificate",
    "self-signed certificate",
    "strange certificate",
    "basic and post",
    "basic and private_key_jwt",
    "wrong secret, basic",
    "wrong secret, post",
    "wrong key",
    "assertion for another endpoint",
    "nothing",
)

CERTIFICATES: Final = {
    "certificate": CERTIFICATE,
    "self-signed certificate": SELF_SIGNED,
    "strange certificate": STRANGE,
}

FITS: Final = {
    AuthMethod.CLIENT_SECRET_BASIC: {"basic", "post"},
    AuthMethod.CLIENT_SECRET_POST: {"basic", "post"},
    AuthMethod.PRIVATE_KEY_JWT: {"private_key_jwt"},
    AuthMethod.NONE: {"id alone", "certificate", "self-signed certificate", "strange certificate"},
    AuthMethod.TLS_CLIENT_AUTH: {"certificate"},
    AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH: {"self-signed certificate"},
}
"""An application may present its secret by either method; a public one may have a certificate, which proves nothing."""
ALLOWED: Final = {
    http.INTROSPECT: {"basic", "private_key_jwt"},
    http.REVOKE: {"basic", "post", "private_key_jwt", "id alone"},
}
"""The table of the specification."""

CERTIFIED: Final = {"certificate", "self-signed certificate", "strange certificate"}
"""Allowed for the methods with certificates everywhere; of a public client they count as its id."""


def assertion_form(service: TokenService, key: SigningKey, audience: str) -> dict[str, str]:
    """Returns an unused client assertion of ``app``."""
    text = sign(key, claims_of("app", audience, service.clock.now()))
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": text}


def request_of(service: TokenService, path: str, presented: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns headers and form of a request that presents a credential."""
    header: dict[str, str] = {}
    form: dict[str, str] = {}
    wrong = "x" if presented.startswith("wrong") else ""
    if "basic" in presented:
        header = {"Authorization": basic_header("app", SECRET + wrong)}
    if "post" in presented:
        form = {"client_id": "app", "client_secret": SECRET + wrong}
    if presented == "id alone":
        form = {"client_id": "app"}
    if presented in CERTIFICATES:
        header, form = gateway_headers(CERTIFICATES[presented]), {"client_id": "app"}
    if "jwt" in presented or presented in ("wrong key", "assertion for another endpoint"):
        named = http.TOKEN if presented == "assertion for another endpoint" else path
        form |= assertion_form(service, STRANGE_KEY if wrong else KEY, ISSUER + named)
    return header, form


async def present(service: TokenService, path: str, presented: str) -> httpx.Response:
    headers, form = request_of(service, path, presented)
    return await service.http.post(path, data={"token": "unknown", **form}, headers=headers)


def expected_of(path: str, method: AuthMethod, presented: str) -> str:
    """Returns the cell of the matrix: status and error."""
    if " and " in presented:
        return "400 invalid_request"
    allowed = ALLOWED[path] | (CERTIFIED if method in CERTIFICATE_METHODS or path == http.REVOKE else set())
    return "200" if presented in FITS[method] & allowed else "401 invalid_client"


def shown(answer: httpx.Response) -> str:
    return str(answer.status_code) if answer.status_code == 200 else f"{answer.status_code} {answer.json()['error']}"


def show(path: str, found: dict[tuple[AuthMethod, str], httpx.Response]) -> None:
    """Prints the matrix, with the registered methods as columns."""
    lines = [f"{path:34}" + "".join(f"{method:22}" for method in AuthMethod)]
    for presented in PRESENTED:
        lines.append(f"  {presented:32}" + "".join(f"{shown(found[method, presented]):22}" for method in AuthMethod))
    sys.stdout.write("\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize("path", ENDPOINTS)
async def test_only_the_registered_and_allowed_method_passes(token_service: TokenService, path: str) -> None:
    """Every combination outside the table is refused."""
    found: dict[tuple[AuthMethod, str], httpx.Response] = {}
    for method in AuthMethod:
        token_service.register("app", method, keys=(registered(KEY), registered_key()))
        await token_service.publish_app_changed()
        for presented in PRESENTED:
            found[method, presented] = await present(token_service, path, presented)
    show(path, found)

    assert {cell: shown(answer) for cell, answer in found.items()} == {
        (method, presented): expected_of(path, method, presented) for method, presented in found
    }
    for (_method, presented), answer in found.items():
        challenged = answer.status_code == 401 and "basic" in presented
        assert ("www-authenticate" in answer.headers) is challenged, presented
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ENDPOINTS)
async def test_assertion_is_used_once_across_endpoints(token_service: TokenService, path: str) -> None:
    """An assertion used at one endpoint is refused at the other (JW-10)."""
    token_service.register("app", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))
    form = {"token": "unknown", **assertion_form(token_service, KEY, ISSUER)}

    answers = [await token_service.http.post(each, data=form) for each in (path, *ENDPOINTS)]

    assert [shown(answer) for answer in answers] == ["200", "401 invalid_client", "401 invalid_client"]
