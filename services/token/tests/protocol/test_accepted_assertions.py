"""Identity assertions of other issuers in place of a sign-in (decision 0157)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from jwt import get_algorithm_by_name
from portico_contracts.diagnostics import RECORD_TRACES
from portico_contracts.users import AuthMethod
from portico_fakes.accepted_assertions import (
    CLIENT,
    KEY,
    OTHER,
    PROVIDER,
    RESOURCE,
    SUBJECT,
    TYPE,
    assertion,
    claims,
    exchange,
    with_trust,
)
from portico_fakes.assertions import claims_of, registered, sign
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_harness.rows import row
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    token_service.register("web")
    return with_trust(token_service)


async def test_a_client_gets_a_token_for_one_api(service: TokenService) -> None:
    """The token is for the linked user, the API of the assertion alone and its scopes, without a refresh token."""
    answer = await exchange(service, assertion(service))
    found = (await service.introspect(answer.json()["access_token"], "files")).json()

    assert set(answer.json()) == {"access_token", "token_type", "expires_in", "scope"}
    assert answer.json()["scope"] == "files.read files.write"
    assert (found["sub"], found["client_id"], found["aud"]) == (USER, CLIENT, [RESOURCE, "files"])
    assert (found["scope"], found["username"]) == ("files.read files.write", "ada@example.test")


class Faulty(NamedTuple):
    """An assertion that is not accepted, with the hint of its diagnostics."""

    name: str
    make: Callable[[TokenService], str]
    hint: str


def _at(service: TokenService, seconds: int) -> int:
    return int(service.clock.now()) + seconds


def _forged(service: TokenService) -> str:
    head, _, tail = assertion(service, sub="someone-else").split(".")
    return f"{head}.{assertion(service).split('.')[1]}.{tail}"


def _unsigned(service: TokenService) -> str:
    head, body, _ = assertion(service, header={"alg": "none"}).split(".")
    return f"{head}.{body}."


FAULTY: Final = (
    Faulty("signed by an unknown key", lambda s: assertion(s, OTHER), "no_key"),
    Faulty(
        "another key of the same kid", lambda s: assertion(s, SigningKey.generate("p1", "ES256")), "wrong_signature"
    ),
    Faulty("kid that is no text", lambda s: assertion(s, header={"kid": 1}), "no_key"),
    Faulty("alg none", _unsigned, "wrong_signature"),
    Faulty("alg HS256", lambda s: assertion(s, header={"alg": "HS256"}), "wrong_signature"),
    Faulty("alg of another size", lambda s: assertion(s, header={"alg": "ES384"}), "wrong_signature"),
    Faulty("crit", lambda s: assertion(s, header={"crit": ["b64"]}), "wrong_signature"),
    Faulty("claims replaced", _forged, "wrong_signature"),
    Faulty("issuer that is not trusted", lambda s: assertion(s, iss="https://other.example.test"), "unknown_issuer"),
    Faulty("issuer with a slash", lambda s: assertion(s, iss=f"{PROVIDER}/"), "unknown_issuer"),
    Faulty("issuer in upper case", lambda s: assertion(s, iss=PROVIDER.upper()), "unknown_issuer"),
    Faulty("our own issuer", lambda s: assertion(s, iss=ISSUER), "unknown_issuer"),
    Faulty("no issuer", lambda s: assertion(s, iss=...), "unknown_issuer"),
    Faulty("issuer that is a list", lambda s: assertion(s, iss=[PROVIDER]), "unknown_issuer"),
    Faulty("audience of another", lambda s: assertion(s, aud="https://other.example.test"), "wrong_use"),
    Faulty("audience of the endpoint", lambda s: assertion(s, aud=f"{ISSUER}/oauth/v2/token"), "wrong_use"),
    Faulty("two audiences", lambda s: assertion(s, aud=[ISSUER, "https://other.example.test"]), "wrong_use"),
    Faulty("the same audience twice", lambda s: assertion(s, aud=[ISSUER, ISSUER]), "wrong_use"),
    Faulty("no audience", lambda s: assertion(s, aud=...), ""),
    Faulty("another client", lambda s: assertion(s, client_id="web"), "other_client"),
    Faulty("no client", lambda s: assertion(s, client_id=...), "other_client"),
    Faulty("client as a list", lambda s: assertion(s, client_id=[CLIENT]), "other_client"),
    Faulty("no jti", lambda s: assertion(s, jti=...), "malformed"),
    Faulty("jti that is a number", lambda s: assertion(s, jti=1), "malformed"),
    Faulty("jti without end", lambda s: assertion(s, jti="j" * 201), "malformed"),
    Faulty("expired", lambda s: assertion(s, exp=_at(s, 0)), "expired"),
    Faulty("no expiry", lambda s: assertion(s, exp=...), "malformed"),
    Faulty("longer than ten minutes", lambda s: assertion(s, exp=_at(s, 601)), "too_long"),
    Faulty("issued in the future", lambda s: assertion(s, iat=_at(s, 61)), "not_yet_valid"),
    Faulty("valid in the future", lambda s: assertion(s, nbf=_at(s, 61)), "not_yet_valid"),
    Faulty("no time of issue", lambda s: assertion(s, iat=...), "malformed"),
    Faulty("time of issue with a fraction", lambda s: assertion(s, iat=_at(s, 0) + 0.5), "malformed"),
    Faulty("no subject", lambda s: assertion(s, sub=...), "malformed"),
    Faulty("subject without a link", lambda s: assertion(s, sub="U2"), "unknown"),
    Faulty("subject in lower case", lambda s: assertion(s, sub=SUBJECT.lower()), "unknown"),
    Faulty("only the address of the user", lambda s: assertion(s, sub="U2", email="ada@example.test"), "unknown"),
    Faulty("no resource", lambda s: assertion(s, resource=...), "malformed"),
    Faulty("two resources", lambda s: assertion(s, resource=[RESOURCE, RESOURCE]), "malformed"),
    Faulty(
        "an API that the client may not use", lambda s: assertion(s, resource="https://hr.example.test"), "not_allowed"
    ),
    Faulty("an API without a rule", lambda s: assertion(s, resource="https://files.example.test/other"), "not_allowed"),
    Faulty("only scopes without a rule", lambda s: assertion(s, scope="files.erase"), "not_allowed"),
    Faulty("scope that is a list", lambda s: assertion(s, scope=["files.read"]), "malformed"),
    Faulty("a tenant of an issuer that has one", lambda s: assertion(s, tenant="t1"), "condition"),
    Faulty("another organization", lambda s: assertion(s, aud_tenant="org-2"), "wrong_subject"),
    Faulty("another user", lambda s: assertion(s, aud_sub="user-2"), "wrong_subject"),
    Faulty("an actor", lambda s: assertion(s, act={"sub": "bot"}), "not_allowed"),
    Faulty("authorization details", lambda s: assertion(s, authorization_details=[{"type": "x"}]), "not_allowed"),
    Faulty("a key without its proof", lambda s: assertion(s, cnf={"jkt": "abc"}), "dpop_off"),
    Faulty("a certificate instead of a key", lambda s: assertion(s, cnf={"x5t#S256": "abc"}), "malformed"),
)


async def test_faulty_assertions_are_refused_alike(service: TokenService) -> None:
    """Every wrong assertion gets the same bytes, and the diagnostics name the reason (P9, JW-01, JW-02, JW-05, JW-06,
    JW-09, JW-10, JW-12).
    """
    expected = await exchange(service, assertion(service, sub="nobody"))
    assert (expected.status_code, expected.json()["error"]) == (400, "invalid_grant")

    for faulty in FAULTY:
        with row(faulty.name):
            answer = await exchange(service, faulty.make(service))

            assert (answer.status_code, answer.content) == (400, expected.content)
            assert await _last_hint(service) == ("TOKEN-340", "grant", faulty.hint)


async def _last_hint(service: TokenService) -> tuple[str, str, str]:
    for _ in range(50):
        await asyncio.sleep(0)
    reported: Any = service.bus.reported  # type: ignore[attr-defined]
    [*_, last] = [message for subject, message in reported if subject == RECORD_TRACES.subject]
    trace = last.traces[-1]
    return trace.error_id, trace.checks[-1].name, trace.checks[-1].hint


async def test_a_fault_is_explained(service: TokenService) -> None:
    """The diagnostics have what was given and what was wanted, and the client that authenticated."""
    await exchange(service, assertion(service, resource="https://files.example.test/other"))
    await _last_hint(service)
    reported: Any = service.bus.reported  # type: ignore[attr-defined]
    trace = next(message for subject, message in reported if subject == RECORD_TRACES.subject).traces[0]

    assert (trace.client_id, trace.checks[-1].given) == (CLIENT, "https://files.example.test/other")
    assert trace.checks[-1].wanted == (RESOURCE,)


async def test_the_client_must_authenticate(service: TokenService) -> None:
    """Without a secret, and of a public client, the answer is that of a failed client authentication."""
    service.register("public", AuthMethod.NONE)
    service.users.accepted.trusts["public", PROVIDER] = service.users.accepted.trusts[CLIENT, PROVIDER]
    nothing = await service.jwt_bearer(assertion(service))
    named = await service.jwt_bearer(assertion(service), client_id=CLIENT)
    public = await service.jwt_bearer(assertion(service, client_id="public"), client_id="public")

    assert [(one.status_code, one.json()["error"]) for one in (nothing, named, public)] == [(401, "invalid_client")] * 3


async def test_the_type_decides_the_grant(service: TokenService) -> None:
    """Only this `typ` makes an identity assertion; an assertion of another type is that of a service user, and is
    refused with a secret beside it.
    """
    for typ, status in (
        (TYPE, 200),
        (f"application/{TYPE}", 200),
        ("JWT", 400),
        (TYPE.upper(), 400),
        ("at+jwt", 400),
    ):
        with row(typ):
            answer = await exchange(service, assertion(service, header={"typ": typ}))

            assert answer.status_code == status
            assert status == 200 or answer.json()["error"] == "invalid_request"


async def test_an_escaped_type_is_recognized(service: TokenService) -> None:
    """Some JSON encoders escape the plus sign, and the type is where any number of bytes puts it."""
    for before in ("", "x", "xy", "xyz"):
        with row(before):
            head = f'{{"x":"{before}","typ":"oauth-id-jag\\u002Bjwt","alg":"ES256","kid":"p1"}}'
            signed = sign(KEY, claims(service), typ=TYPE).split(".")[1]
            covered = f"{b64url(head.encode())}.{signed}"
            text = f"{covered}.{_signature(covered)}"

            assert (await exchange(service, text)).status_code == 200


def _signature(covered: str) -> str:
    return b64url(get_algorithm_by_name(KEY.alg).sign(covered.encode(), KEY.private))


async def test_the_name_of_the_type_elsewhere_changes_nothing(service: TokenService) -> None:
    """A service user whose key has it in its `kid` uses the JWT profile as ever."""
    key = SigningKey.generate("oauth-id-jag", "ES256")
    service.register_service_user("robot", keys=(registered(key),))

    answer = await service.jwt_bearer(sign(key, claims_of("robot", ISSUER, service.clock.now())))

    assert answer.status_code == 200


async def test_scopes_are_the_intersection(service: TokenService) -> None:
    """Of assertion, request, API and rule; without a scope in the assertion, of the request or the API's default."""
    for stated, requested, granted in (
        ("files.read files.erase openid", None, "files.read"),
        ("files.read files.write", "files.write", "files.write"),
        (..., "files.write files.erase", "files.write"),
        (..., None, "files.read"),
    ):
        with row(stated, requested):
            form: dict[str, Any] = {"scope": requested} if requested else {}

            answer = await exchange(service, assertion(service, scope=stated), **form)

            assert answer.json()["scope"] == granted


async def test_the_parameter_resource_only_repeats_the_claim(service: TokenService) -> None:
    """Another API than that of the assertion is refused like a wrong assertion."""
    same = await exchange(service, assertion(service), resource=RESOURCE)
    other = await exchange(service, assertion(service), resource="https://files.example.test/other")

    assert (same.status_code, other.status_code) == (200, 400)


async def test_a_pinned_tenant_is_required(token_service: TokenService) -> None:
    """Where tenants share an issuer, only assertions of the organization's own tenant are accepted."""
    service = with_trust(token_service, tenant_claim="tenant", tenant="acme")
    statuses = [
        (await exchange(service, assertion(service, tenant=value))).status_code
        for value in ("acme", "ACME", "other", ..., ["acme"], True)
    ]

    assert statuses == [200, 400, 400, 400, 400, 400]


async def test_two_organizations_without_tenants_are_refused(service: TokenService) -> None:
    """If two links are possible, nothing in the assertion chooses between their users."""
    first = service.users.accepted.trusts[CLIENT, PROVIDER][0]
    second = msgspec.structs.replace(first, provider_id="idp-2", org_id="org-2")
    service.users.accepted.trusts[CLIENT, PROVIDER] = (first, second)
    service.users.accepted.links["idp-2", SUBJECT] = "user-2"

    assert (await exchange(service, assertion(service))).status_code == 400
