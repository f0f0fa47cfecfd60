"""Client authentication at the token endpoint (RFC 6749 §2.3, OIDC Core §9)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from portico_contracts.users import AuthMethod
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import CALLBACK, SECRET, TokenService, basic_header
from portico_harness.rows import row
from portico_oauth.opaque import fingerprint
from portico_oauth.pkce import challenge_of

ASSERTION = {
    "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    "client_assertion": "e30.e30.e30",
}
VERIFIER = "v" * 43
BASIC = {"Authorization": basic_header("app", SECRET)}

PRESENTED: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "basic": (BASIC, {}),
    "post": ({}, {"client_id": "app", "client_secret": SECRET}),
    "none": ({}, {"client_id": "app"}),
    "private_key_jwt": ({}, {"client_id": "app", **ASSERTION}),
    "both secrets": (BASIC, {"client_secret": SECRET}),
    "wrong secret, basic": ({"Authorization": basic_header("app", SECRET + "x")}, {}),
    "wrong secret, post": ({}, {"client_id": "app", "client_secret": SECRET + "x"}),
    "nothing": ({}, {}),
}
ACCEPTED = {
    (AuthMethod.CLIENT_SECRET_BASIC, "basic"),
    (AuthMethod.CLIENT_SECRET_POST, "post"),
    (AuthMethod.NONE, "none"),
}
EITHER = {(AuthMethod.CLIENT_SECRET_BASIC, "post"), (AuthMethod.CLIENT_SECRET_POST, "basic")}
"""Also accepted unless the application is strict."""


def form_for(code: str, more: Mapping[str, str]) -> dict[str, str]:
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
    return {**asked, **more}


@pytest.mark.parametrize("strict", [False, True])
async def test_only_the_registered_method_passes(token_service: TokenService, strict: bool) -> None:
    """Only a secret may use the other of Basic and post, unless the client is strict, and an error consumes
    nothing (TK-16).
    """
    for method, (presented, (headers, form)) in product(AuthMethod, PRESENTED.items()):
        with row(method, presented, headers, form):
            token_service.register("app", method, strict_auth_method=strict)
            await token_service.publish_app_changed()
            code = token_service.issue_code("app", challenge=challenge_of(VERIFIER))

            answer = await token_service.token(form_for(code, form), headers=headers)

            if (method, presented) in (ACCEPTED if strict else ACCEPTED | EITHER):
                assert answer.status_code == 200
                continue
            expected = (400, "invalid_request") if presented == "both secrets" else (401, "invalid_client")
            assert (answer.status_code, answer.json()["error"]) == expected
            challenged = expected[0] == 401 and "Authorization" in headers
            assert ("www-authenticate" in answer.headers) == challenged
            assert not token_service.authz.codes[code].used


INCOMPLETE: list[tuple[list[tuple[str, str]], dict[str, str]]] = [
    ([("Authorization", BASIC["Authorization"])], {"client_secret": SECRET, "client_id": "app"}),
    ([("Authorization", BASIC["Authorization"])], ASSERTION),
    ([("Authorization", BASIC["Authorization"])], {"client_assertion": "e30.e30.e30"}),
    ([("Authorization", BASIC["Authorization"])], {"client_id": "another"}),
    ([("Authorization", BASIC["Authorization"])] * 2, {}),
    ([], {"client_id": "app", "client_secret": SECRET, **ASSERTION}),
    ([], {"client_secret": SECRET}),
    ([], {"client_id": "app", "client_assertion": "e30.e30.e30"}),
    ([], {"client_id": "app", "client_assertion_type": ASSERTION["client_assertion_type"]}),
]


async def test_exactly_one_complete_mechanism(token_service: TokenService) -> None:
    """Two mechanisms, an incomplete one, and two client ids are an invalid_request (TK-14)."""
    token_service.register("app")
    for headers, form in INCOMPLETE:
        with row(headers, form):
            code = token_service.issue_code("app", challenge=challenge_of(VERIFIER))
            content: list[tuple[str, str]] = [("Content-Type", "application/x-www-form-urlencoded"), *headers]

            answer = await token_service.http.post("/oauth/v2/token", data=form_for(code, form), headers=content)

            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_two_assertions_are_refused(token_service: TokenService) -> None:
    """A repeated credential is a repeated parameter (TK-14)."""
    answer = await token_service.token(
        "grant_type=authorization_code&client_assertion=a&client_assertion=a&client_assertion_type=t"
    )

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_same_client_id_in_header_and_body_is_one_mechanism(token_service: TokenService) -> None:
    code = token_service.issue_code("web")

    assert (await token_service.redeem(code, "web", client_id="web")).status_code == 200


async def test_basic_credentials_are_form_decoded(token_service: TokenService) -> None:
    """Encoded secrets with reserved and non-ASCII characters work (TK-17)."""
    refused = []
    for number, secret in enumerate(("a%b+c:d e", "p%41ss", "päß wörd — ✓", "+", "%", "ends with space ")):
        client_id = f"an app: ü {number}"
        token_service.register(client_id, secret_hash=fingerprint(secret))
        form = {"grant_type": "authorization_code", "redirect_uri": CALLBACK}
        code = token_service.issue_code(client_id)

        answer = await token_service.token({**form, "code": code}, basic=(client_id, secret))
        refused += [secret] if answer.status_code != 200 else []

    assert refused == []


async def test_unencoded_basic_secret_is_accepted(token_service: TokenService) -> None:
    """A secret sent unencoded, as `curl -u` does, is accepted if its form-decoded reading is not the secret (TK-17)."""
    refused = []
    for number, secret in enumerate(("a%b+c:d e", "p%41ss", "päß wörd — ✓", "+", "%ff", "ends with space ")):
        token_service.register(f"app{number}", secret_hash=fingerprint(secret))
        code = token_service.issue_code(f"app{number}")
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
        header = "Basic " + _b64(f"app{number}:{secret}".encode())

        answer = await token_service.token(form, headers={"Authorization": header})
        refused += [secret] if answer.status_code != 200 else []

    assert refused == []


async def test_empty_secret_is_not_a_secret(token_service: TokenService) -> None:
    """A public client may send an empty secret, and every other client is refused (RFC 6749 §2.3.1)."""
    headers = {"Authorization": basic_header("app", "")}
    ways: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        "basic": (headers, {}),
        "basic and id": (headers, {"client_id": "app"}),
        "post": ({}, {"client_id": "app", "client_secret": ""}),
    }
    found = {}
    for method in AuthMethod:
        token_service.register("app", method)
        await token_service.publish_app_changed()
        for way, (header, form) in ways.items():
            code = token_service.issue_code("app", challenge=challenge_of(VERIFIER))
            found[method, way] = (await token_service.token(form_for(code, form), headers=header)).status_code

    assert found == {(method, way): 200 if method is AuthMethod.NONE else 401 for method, way in found}


def _b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


MALFORMED: list[str] = [
    "Basic",
    "Basic ",
    "Basic !!!!",
    "Basic d2Vi",
    "Basic " + _b64(b"web:secret")[:-1],
    "Basic " + _b64(b":secret"),
    "Basic " + _b64(b"web:\xff\xfe"),
    "Basic " + _b64(b"web:%ff"),
    "Basic " + _b64(b"web:a\x00b"),
    "Basic " + _b64(b"web:a%0Ab"),
    "Basic " + _b64(b"w\x07b:secret"),
    "Bearer abc",
    "Digest username=web",
    "basic:" + _b64(b"web:secret"),
]


async def test_malformed_basic_credentials_are_invalid_client(token_service: TokenService) -> None:
    """The response is 401 with WWW-Authenticate, never a 5xx (TK-17)."""
    form = {"grant_type": "authorization_code", "code": "c", "redirect_uri": CALLBACK}
    for header in MALFORMED:
        with row(header):
            answer = await token_service.token(form, headers={"Authorization": header})

            assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
            assert answer.headers["www-authenticate"].startswith("Basic ")


async def test_basic_scheme_is_case_insensitive(token_service: TokenService) -> None:
    """The name of the authentication scheme may have any case (RFC 9110 §11.1)."""
    code = token_service.issue_code("web")
    header = basic_header("web", SECRET).replace("Basic", "bAsIc")
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}

    assert (await token_service.token(form, headers={"Authorization": header})).status_code == 200


@pytest.mark.parametrize("client_id", ["unknown", "x" * 10_000, "web "])
async def test_unknown_client_and_wrong_secret_look_alike(token_service: TokenService, client_id: str) -> None:
    """Both get the same status, headers and body (P9)."""
    form = {"grant_type": "authorization_code", "code": "c", "redirect_uri": CALLBACK}

    unknown = await token_service.token(form, basic=(client_id, SECRET))
    wrong = await token_service.token(form, basic=("web", "wrong"))

    assert _visible(unknown) == _visible(wrong)


def _visible(answer: Any) -> tuple[Any, ...]:
    return answer.status_code, answer.content, {**answer.headers, "x-request-id": ""}


async def test_client_without_a_secret_matches_no_secret(token_service: TokenService) -> None:
    token_service.register("app", secret_hash="")

    answer = await token_service.redeem("c", "app")

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_deactivated_client_is_refused(token_service: TokenService, clock: FrozenClock) -> None:
    """A client is cached for a second at most (TK-11)."""
    first = await token_service.redeem(token_service.issue_code("web"), "web")
    del token_service.users.clients["web"]
    clock.tick(1.0)

    second = await token_service.redeem(token_service.issue_code("web"), "web")

    assert (first.status_code, second.status_code) == (200, 401)


async def test_change_event_invalidates_the_cached_client(token_service: TokenService) -> None:
    await token_service.redeem(token_service.issue_code("web"), "web")
    del token_service.users.clients["web"]
    await token_service.publish_app_changed()

    answer = await token_service.redeem(token_service.issue_code("web"), "web")

    assert answer.status_code == 401
