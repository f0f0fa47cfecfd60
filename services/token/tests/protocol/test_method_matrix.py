"""Who may authenticate how at introspection and revocation: the specification's table, cell by cell (TK-16).

``pytest -s`` prints the matrix.
"""

from __future__ import annotations

import sys
from typing import Final

import httpx
import pytest
from portico_contracts import http
from portico_contracts.users import AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.token_service import ISSUER, SECRET, TokenService, basic_header
from portico_oauth.jose import SigningKey

KEY: Final = SigningKey.generate("key-1", "ES256")
STRANGE_KEY: Final = SigningKey.generate("key-1", "ES256")
"""Of the same id, and not registered."""

ENDPOINTS: Final = (http.INTROSPECT, http.REVOKE)
PRESENTED: Final = (
    "basic",
    "post",
    "id alone",
    "private_key_jwt",
    "basic and post",
    "basic and private_key_jwt",
    "wrong secret, basic",
    "wrong secret, post",
    "wrong key",
    "assertion for another endpoint",
    "nothing",
)

FITS: Final = {
    AuthMethod.CLIENT_SECRET_BASIC: {"basic", "post"},
    AuthMethod.CLIENT_SECRET_POST: {"basic", "post"},
    AuthMethod.PRIVATE_KEY_JWT: {"private_key_jwt"},
    AuthMethod.NONE: {"id alone"},
}
"""One secret, two ways: an application may present it by either method."""
ALLOWED: Final = {
    http.INTROSPECT: {"basic", "private_key_jwt"},
    http.REVOKE: {"basic", "post", "private_key_jwt", "id alone"},
}
"""The table of the specification."""


def assertion_form(service: TokenService, key: SigningKey, audience: str) -> dict[str, str]:
    """A client assertion of ``app``, used nowhere yet."""
    text = sign(key, claims_of("app", audience, service.clock.now()))
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": text}


def request_of(service: TokenService, path: str, presented: str) -> tuple[dict[str, str], dict[str, str]]:
    """Headers and form of a request that presents something."""
    header: dict[str, str] = {}
    form: dict[str, str] = {}
    wrong = "x" if presented.startswith("wrong") else ""
    if "basic" in presented:
        header = {"Authorization": basic_header("app", SECRET + wrong)}
    if "post" in presented:
        form = {"client_id": "app", "client_secret": SECRET + wrong}
    if presented == "id alone":
        form = {"client_id": "app"}
    if "jwt" in presented or presented in ("wrong key", "assertion for another endpoint"):
        named = http.TOKEN if presented == "assertion for another endpoint" else path
        form |= assertion_form(service, STRANGE_KEY if wrong else KEY, ISSUER + named)
    return header, form


async def present(service: TokenService, path: str, presented: str) -> httpx.Response:
    """What the endpoint answers."""
    headers, form = request_of(service, path, presented)
    return await service.http.post(path, data={"token": "unknown", **form}, headers=headers)


def expected_of(path: str, method: AuthMethod, presented: str) -> str:
    """The cell of the matrix: status and error."""
    if " and " in presented:
        return "400 invalid_request"
    return "200" if presented in FITS[method] & ALLOWED[path] else "401 invalid_client"


def shown(answer: httpx.Response) -> str:
    """Status and error of an answer."""
    return str(answer.status_code) if answer.status_code == 200 else f"{answer.status_code} {answer.json()['error']}"


def show(path: str, found: dict[tuple[AuthMethod, str], httpx.Response]) -> None:
    """Prints the matrix, registered methods across."""
    lines = [f"{path:34}" + "".join(f"{method:22}" for method in AuthMethod)]
    for presented in PRESENTED:
        lines.append(f"  {presented:32}" + "".join(f"{shown(found[method, presented]):22}" for method in AuthMethod))
    sys.stdout.write("\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize("path", ENDPOINTS)
async def test_only_the_registered_method_passes_where_it_is_allowed(token_service: TokenService, path: str) -> None:
    """Registered by presented: everything that does not fit is refused, and so is what the table leaves out."""
    found: dict[tuple[AuthMethod, str], httpx.Response] = {}
    for method in AuthMethod:
        token_service.register("app", method, keys=(registered(KEY),))
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
async def test_an_assertion_works_once(token_service: TokenService, path: str) -> None:
    """Its use is shared by all endpoints: after one it is refused at the other (JW-10)."""
    token_service.register("app", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))
    form = {"token": "unknown", **assertion_form(token_service, KEY, ISSUER)}

    answers = [await token_service.http.post(each, data=form) for each in (path, *ENDPOINTS)]

    assert [shown(answer) for answer in answers] == ["200", "401 invalid_client", "401 invalid_client"]
