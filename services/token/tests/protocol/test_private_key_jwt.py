"""private_key_jwt for client authentication (RFC 7523 §2.2)."""

from __future__ import annotations

from itertools import product
from typing import Any

import httpx
import msgspec
import pytest
from portico_contracts import http
from portico_contracts.users import AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService
from portico_harness.rows import row
from portico_oauth.jose import SigningKey

KEY, OTHER = (SigningKey.generate(kid, "ES256") for kid in ("k1", "k2"))
OFFLINE = ("openid", "offline_access")


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    grants = ("authorization_code", "refresh_token")
    token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),), grant_types=grants)
    return token_service


def asserted(service: TokenService, aud: Any = ISSUER, key: SigningKey = KEY, **form: str) -> dict[str, str]:
    """Returns the two parameters of a valid assertion, and more."""
    assertion = sign(key, claims_of("signer", aud, service.clock.now()))
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion, **form}


async def exchange(service: TokenService, form: dict[str, str], **options: Any) -> httpx.Response:
    """Redeems a code of the client with these parameters."""
    asked = {"grant_type": "authorization_code", "code": service.issue_code("signer", scope=OFFLINE)}
    return await service.token({**asked, "redirect_uri": CALLBACK, **form}, **options)


def refused(answer: httpx.Response, status: int, error: str) -> bool:
    """Checks for this error with no-store and without a Basic challenge."""
    response = (answer.status_code, answer.json()["error"], answer.headers["cache-control"])
    return response == (status, error, "no-store") and "www-authenticate" not in answer.headers


async def test_codes_and_refresh_tokens(service: TokenService) -> None:
    """Each request has its own assertion, and client_id may be present (RFC 7521 §4.2)."""
    first = await exchange(service, asserted(service))
    again = {"grant_type": "refresh_token", "refresh_token": first.json()["refresh_token"]}
    second = await service.token({**again, **asserted(service, client_id="signer")})

    assert (first.status_code, second.status_code) == (200, 200)


async def test_introspection_and_revocation(service: TokenService) -> None:
    """Each endpoint accepts the issuer and its own URL as the audience."""
    token = (await exchange(service, asserted(service))).json()["access_token"]
    answers = [
        await service.http.post(path, data={"token": token, **asserted(service, aud)})
        for path in (http.INTROSPECT, http.REVOKE)
        for aud in (ISSUER, ISSUER + path)
    ]

    assert [answer.status_code for answer in answers] == [200] * 4
    assert answers[0].json()["active"] is True


async def test_url_of_another_endpoint_is_refused(service: TokenService) -> None:
    """An assertion for one endpoint is refused at another (JW-09)."""
    for path, of in product(
        (http.INTROSPECT, http.REVOKE), (http.TOKEN, http.USERINFO, http.INTROSPECT + "/", http.REVOKE[1:])
    ):
        with row(path, of):
            answer = await service.http.post(path, data={"token": "x", **asserted(service, ISSUER + of)})

            assert refused(answer, 401, "invalid_client")


async def test_client_may_be_bound_to_the_issuer(service: TokenService) -> None:
    """For such a client the URL of the endpoint is not an accepted audience (RFC 10070, JW-09)."""
    client = service.users.clients["signer"]
    service.users.clients["signer"] = msgspec.structs.replace(client, issuer_audience_only=True)

    endpoint = await exchange(service, asserted(service, ISSUER + http.TOKEN))
    issuer = await exchange(service, asserted(service, ISSUER))

    assert refused(endpoint, 401, "invalid_client")
    assert issuer.status_code == 200


@pytest.mark.parametrize("aud", [[ISSUER], [ISSUER, ISSUER], [ISSUER, ISSUER + http.TOKEN]])
async def test_client_bound_to_the_issuer_sends_one_string(service: TokenService, aud: Any) -> None:
    """For such a client an array is refused, even one with the issuer alone (decision 0027, JW-09)."""
    bound = msgspec.structs.replace(service.users.clients["signer"], issuer_audience_only=True)
    before = await exchange(service, asserted(service, aud))
    service.users.clients["signer"] = bound
    await service.publish_app_changed()
    after = await exchange(service, asserted(service, aud))

    assert before.status_code == 200
    assert refused(after, 401, "invalid_client")


async def test_assertion_is_used_once_across_endpoints(service: TokenService) -> None:
    """The single use of an assertion applies across all endpoints (JW-10)."""
    form = asserted(service)
    first = await service.http.post(http.INTROSPECT, data={"token": "x", **form})
    second = await service.http.post(http.REVOKE, data={"token": "x", **form})

    assert first.status_code == 200
    assert refused(second, 401, "invalid_client")


WRONG_FORMS: list[tuple[dict[str, str], int, str]] = [
    ({"client_id": "another"}, 400, "invalid_request"),
    ({"client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:saml2-bearer"}, 400, "invalid_request"),
    ({"client_assertion_type": ASSERTION_TYPE.upper()}, 400, "invalid_request"),
    ({"client_assertion_type": ""}, 400, "invalid_request"),
    ({"client_assertion": ""}, 400, "invalid_request"),
    ({"client_secret": SECRET}, 400, "invalid_request"),
    ({"client_id": "signer", "client_assertion": "a.b.c"}, 401, "invalid_client"),
    ({"client_assertion": "x" * 17_000}, 401, "invalid_client"),
]


async def test_invalid_assertion_form_is_refused(service: TokenService) -> None:
    """An incomplete form, another type, another client, a second mechanism and a malformed JWT are refused (TK-14)."""
    for change, status, error in WRONG_FORMS:
        with row(change, status, error):
            assert refused(await exchange(service, {**asserted(service), **change}), status, error)


async def test_additional_header_is_refused(service: TokenService) -> None:
    """A header next to an assertion is a second mechanism, whichever client it names (TK-14)."""
    answer = await exchange(service, asserted(service), basic=("signer", SECRET))

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("method", [method for method in AuthMethod if method is not AuthMethod.PRIVATE_KEY_JWT])
async def test_client_registered_for_another_method_is_refused(service: TokenService, method: AuthMethod) -> None:
    """Registered keys do not suffice without the method private_key_jwt (TK-16)."""
    service.register("signer", method, keys=(registered(KEY),))

    assert refused(await exchange(service, asserted(service)), 401, "invalid_client")


async def test_unknown_client_looks_like_a_wrong_key(service: TokenService) -> None:
    """Both get the same status, headers and body (P9)."""
    wrong = await exchange(service, asserted(service, key=OTHER))
    del service.users.clients["signer"]
    await service.publish_app_changed()
    unknown = await exchange(service, asserted(service))

    assert refused(wrong, 401, "invalid_client")
    assert (wrong.content, {**wrong.headers, "x-request-id": ""}) == (
        unknown.content,
        {**unknown.headers, "x-request-id": ""},
    )


async def test_deleted_key_is_refused(service: TokenService) -> None:
    """A deleted key verifies nothing from the event on, and a new one with its id is another key (JW-08)."""
    before = await exchange(service, asserted(service))
    replaced = msgspec.structs.replace(registered(OTHER), kid="k1")
    service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(replaced,))
    await service.publish_app_changed()
    new = SigningKey("k1", OTHER.alg, OTHER.private)

    assert before.status_code == 200
    assert refused(await exchange(service, asserted(service)), 401, "invalid_client")
    assert (await exchange(service, asserted(service, key=new))).status_code == 200


@pytest.mark.parametrize(
    "jwk", [{}, {"kty": "EC"}, {"kty": "oct", "k": "AA"}, {"kty": "RSA", "n": "AQAB", "e": "AQAB"}]
)
async def test_unusable_registered_key_is_refused(service: TokenService, jwk: dict[str, str]) -> None:
    keys = (msgspec.structs.replace(registered(KEY), jwk=jwk),)
    service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=keys)

    assert refused(await exchange(service, asserted(service)), 401, "invalid_client")


def without_kid(service: TokenService) -> dict[str, str]:
    """Omits kid, as some libraries do."""
    assertion = sign(KEY, claims_of("signer", ISSUER, service.clock.now()), kid=...)
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}


async def test_assertion_without_kid_uses_the_only_key(service: TokenService) -> None:
    """With two usable keys, or none, nothing is guessed (decision 0027, P7)."""
    now = service.clock.now()
    other = registered(SigningKey.generate("k2", "ES256"))
    expired = registered(SigningKey.generate("k3", "ES256"), expires_at=now)
    answers = []
    for keys in ((registered(KEY),), (expired, registered(KEY)), (registered(KEY), other), (other,), (expired,), ()):
        service.users.clients["signer"] = msgspec.structs.replace(service.users.clients["signer"], keys=keys)
        await service.publish_app_changed()
        answers.append((await exchange(service, without_kid(service))).status_code)

    assert answers == [200, 200, 401, 401, 401, 401]
