"""JWT identity providers: accepted tokens, and the error of each fault."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.events import IDP_SIGN_IN_FAILED
from portico_contracts.users import ProviderKind, ProviderRedirect
from portico_oauth.errors import ServiceError
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url

pytestmark = pytest.mark.servers

OWN = "http://localhost:8080"
KEYS = "https://portal.example/keys"


async def _refused(external: Any, jwt: str, **members: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await external.finish(jwt, **members)
    return refused.value.id


async def test_browser_is_redirected_to_the_endpoint(external: Any) -> None:
    """The redirect adds both parameters to the endpoint's query, and the flow has the name of the JWT's header."""
    await external.set_up()
    begun = await external.begin()
    query = parse_qs(urlsplit(begun.url).query)

    assert begun.url.startswith("https://portal.example/login?tenant=7&")
    assert (query["authRequestID"], query["userAgentID"]) == (["V2_1"], ["agent"])
    assert (begun.jwt_header, begun.form_post) == ("x-portal-jwt", False)
    assert (begun.provider.id, begun.provider.name, begun.provider.kind) == (
        external.idp_id,
        "portal",
        ProviderKind.JWT,
    )


async def test_identity_is_verified(external: Any) -> None:
    """The identity is provider, issuer and subject; the claims that an account may have are its profile."""
    await external.set_up()
    done = await external.finish("Bearer " + external.jwt(aud=[OWN, "https://other.example"]))
    profile = done.identity.profile

    assert (done.identity.provider_id, done.identity.issuer) == (external.idp_id, "https://portal.example")
    assert (done.identity.subject, done.identity.verified_at) == ("ada-there", int(external.world.clock.now()))
    assert (profile.first_name, profile.display_name, profile.language) == ("Ada", "Countess Ada", "en")
    assert profile.email_verified
    assert done.onward is ProviderRedirect.COMPLETE
    assert await external.refusals() == []


async def test_prompt_max_age_and_auth_time_are_mapped(external: Any) -> None:
    """The endpoint receives the application's requirements; a JWT without auth_time states no time, even with iat."""
    await external.set_up()
    now = int(external.world.clock.now())
    query = parse_qs(urlsplit((await external.begin(prompt="login", max_age=0)).url).query)
    stated = await external.finish(external.jwt(auth_time=now - 600))
    silent = await external.finish(external.jwt(sub="bob-there"))

    assert (query["prompt"], query["max_age"]) == (["login"], ["0"])
    assert (stated.identity.auth_time, silent.identity.auth_time) == (now - 600, 0)


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
async def test_asymmetric_algorithms_are_accepted(external: Any, alg: str) -> None:
    """Each algorithm is accepted with a key of its own type."""
    await external.set_up()
    key = SigningKey.generate("other", alg)
    external.show_keys(external.key, key)

    assert (await external.finish(external.jwt(key))).identity.subject == "ada-there"


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "another issuer": ({"iss": "https://portal.example/"}, "USER-966"),
    "no issuer": ({"iss": None}, "USER-966"),
    "an audience of others": ({"aud": "https://other.example"}, "USER-967"),
    "an empty audience": ({"aud": []}, "USER-967"),
    "an audience of no texts": ({"aud": [7]}, "USER-967"),
    "no exp": ({"exp": None}, "USER-968"),
    "exp as text": ({"exp": "9999999999"}, "USER-968"),
    "exp without end": ({"exp": 10**400}, "USER-968"),
    "exp as a boolean": ({"exp": True}, "USER-968"),
    "no iat": ({"iat": None}, "USER-968"),
    "no sub": ({"sub": None}, "USER-968"),
    "an empty sub": ({"sub": ""}, "USER-968"),
    "sub as a number": ({"sub": 7}, "USER-968"),
    "a sub with a line break": ({"sub": "ada\nroot"}, "USER-968"),
    "a long sub": ({"sub": "a" * 256}, "USER-968"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_invalid_claims_are_refused(external: Any, fault: str) -> None:
    """Each fault causes one error and one event, and neither an account nor a link (IP-06)."""
    await external.set_up(auto=True)
    changed, error_code = FAULTS[fault]

    assert await _refused(external, external.jwt(**changed)) == error_code
    assert await external.refusals() == [error_code]
    assert await external.people() == []


@pytest.mark.parametrize(
    ("iat", "exp", "accepted"),
    [
        (0, 300, True),
        (-3_609, 300, True),
        (-3_611, 300, False),
        (-60, -9, True),
        (-60, -11, False),
        (9, 300, True),
        (11, 300, False),
    ],
)
async def test_jwt_validity_period(external: Any, iat: float, exp: float, *, accepted: bool) -> None:
    """A JWT may be at most an hour old, neither expired nor issued in the future, with a leeway of 10 seconds."""
    await external.set_up()
    now = external.world.clock.now()
    jwt = external.jwt(iat=now + iat, exp=now + exp)

    if accepted:
        assert (await external.finish(jwt)).identity.subject == "ada-there"
    else:
        assert await _refused(external, jwt) == "USER-969"


async def test_nbf_in_the_future_is_refused(external: Any) -> None:
    """A JWT is refused before its nbf (RFC 7519 §4.1.5)."""
    await external.set_up()

    assert await _refused(external, external.jwt(nbf=external.world.clock.now() + 60)) == "USER-969"


async def test_signature_is_verified(external: Any) -> None:
    """A foreign key, an algorithm without a key, an HMAC with the public key, and a missing signature are
    refused (JW-02).
    """
    await external.set_up()
    other = SigningKey.generate("k1", "ES256")
    head, body, tail = external.jwt().split(".")
    unsigned = f"{b64url(json.dumps({'alg': 'none'}).encode())}.{body}."
    symmetric = f"{b64url(json.dumps({'alg': 'HS256', 'kid': 'k1'}).encode())}.{body}.{tail}"
    foreign = SigningKey.generate("k2", "ES256")

    assert await _refused(external, external.jwt(other)) == "USER-965"
    assert await _refused(external, unsigned) == "USER-964"
    assert await _refused(external, symmetric) == "USER-964"
    assert await _refused(external, external.jwt(foreign)) == "USER-964"
    assert await _refused(external, f"{head}.{body}.") == "USER-965"


@pytest.mark.parametrize("text", ["", "x", "a.b.c", "é.b.c", "a" * 20_000])
async def test_malformed_jwt_is_refused(external: Any, text: str) -> None:
    """A malformed JWT is refused without fetching keys."""
    await external.set_up()

    assert await _refused(external, text) == "USER-963"
    assert external.world.providers.asked == []


async def test_repeated_members_are_refused(external: Any) -> None:
    """Parsers differ on repeated members, for example of two subjects (RFC 7519 §4)."""
    await external.set_up()
    claims = json.dumps(external.claims())
    twice = claims[:-1] + ', "sub": "root"}'

    assert await _refused(external, external.key.sign(twice.encode())) == "USER-963"


async def test_jwt_is_used_once(external: Any) -> None:
    """A replay is refused, also among 20 concurrent ones, except from the browser that sent the JWT first, until
    it expires.
    """
    await external.set_up()
    jwt, shared = external.jwt(), external.jwt(sub="bob-there")
    found = await asyncio.gather(*(external.finish(jwt) for _ in range(20)), return_exceptions=True)
    await external.finish(shared, user_agent="browser")
    await external.finish(shared, user_agent="browser")

    assert sum(not isinstance(one, Exception) for one in found) == 1
    assert await _refused(external, jwt) == "USER-970"
    assert await _refused(external, shared, user_agent="thief") == "USER-970"
    assert await _refused(external, shared) == "USER-970"


async def test_keys_are_fetched_rarely(external: Any) -> None:
    """Keys are fetched once for 20 concurrent sign-ins, and again for an unknown kid after 30 seconds; the last
    ones stay in use while fetching fails.
    """
    await external.set_up()
    asked = external.world.providers.asked
    await asyncio.gather(*(external.finish(external.jwt(sub=f"s{n}")) for n in range(20)))
    assert asked == [KEYS]

    new = SigningKey.generate("k2", "ES256")
    external.show_keys(external.key, new)
    assert await _refused(external, external.jwt(new)) == "USER-964"
    external.world.clock.tick(31)
    assert (await external.finish(external.jwt(new))).identity.subject == "ada-there"
    assert asked == [KEYS] * 2

    external.world.clock.tick(4_000)
    external.world.providers.show(KEYS, {}, status=503)
    assert (await external.finish(external.jwt(new))).identity.subject == "ada-there"
    external.world.clock.tick(86_400)
    assert await _refused(external, external.jwt(new)) == "USER-961"


@pytest.mark.parametrize(
    ("document", "status", "error_code"),
    [
        ({"keys": []}, 200, "USER-964"),
        ({"keys": {}}, 200, "USER-962"),
        ([], 200, "USER-962"),
        (b"{", 200, "USER-962"),
        (b'{"keys": [], "keys": []}', 200, "USER-962"),
        (b"\xff", 200, "USER-962"),
        ({"keys": [7, {"kty": "oct", "k": "AA"}, {"kty": "RSA", "n": 7, "e": "AQAB"}]}, 200, "USER-964"),
        ({"keys": []}, 302, "USER-962"),
        ({"keys": []}, 404, "USER-962"),
        ({"keys": []}, 500, "USER-961"),
    ],
)
async def test_invalid_key_sets_are_refused(external: Any, document: Any, status: int, error_code: str) -> None:
    """Each fault has its own error, and no key is guessed."""
    await external.set_up()
    external.world.providers.show(KEYS, document, status)

    assert await _refused(external, external.jwt()) == error_code
    assert await external.refusals() == [error_code]


async def test_weak_and_private_keys_are_ignored(external: Any) -> None:
    """RSA keys below 2048 bits, encryption keys, keys of another algorithm and private keys verify nothing (JW-02)."""
    await external.set_up()
    weak = SigningKey.generate("weak", "RS256", rsa_bits=1024)
    strong = SigningKey.generate("weak", "RS256")
    good = external.key.public_jwk()
    for key, jwk in (
        (strong, weak.public_jwk()),
        (external.key, {**good, "use": "enc"}),
        (external.key, {**good, "key_ops": ["sign"]}),
        (external.key, {**good, "alg": "ES384"}),
        (external.key, {**good, "d": good["x"]}),
    ):
        external.world.clock.tick(31)
        external.world.providers.show(KEYS, {"keys": [jwk]})
        assert await _refused(external, external.jwt(key)) == "USER-964"


async def test_unreachable_provider_is_unavailable(external: Any) -> None:
    """The sign-in is refused, and the administrator's event has the reason."""
    await external.set_up()
    external.world.providers.answers.clear()

    assert await _refused(external, external.jwt()) == "USER-961"
    assert await external.refusals() == ["USER-961"]


@pytest.mark.parametrize("how", [{"offered": False}, {"active": False}, {"offered": {"allowExternalIdp": False}}])
async def test_provider_must_be_active_and_offered(external: Any, how: dict[str, Any]) -> None:
    """The check applies at the start and at the callback (IP-06)."""
    await external.set_up()
    jwt = external.jwt()
    await external.set_up(**how)

    with pytest.raises(ServiceError) as refused:
        await external.begin()
    assert refused.value.id == await _refused(external, jwt) == "USER-960"
    assert await external.refusals() == ["USER-960"] * 2


async def test_provider_of_another_organization_is_unknown(external: Any) -> None:
    """No event is written, because no administrator of this organization owns the provider."""
    await external.set_up()

    assert await _refused(external, external.jwt(), org_id="other") == "USER-960"
    assert await _refused(external, external.jwt(), provider_id="other") == "USER-960"
    assert await external.refusals() == []


async def test_failure_event_contains_only_ids(external: Any) -> None:
    """The event contains ids only: the text is in the event log."""
    await external.set_up()
    await _refused(external, external.jwt(iss="x"))
    (row,) = await external.world.rows("outbox", subject=IDP_SIGN_IN_FAILED.subject, object=external.idp_id)
    body = json.loads(row["body"])

    assert (body["idp_id"], body["org_id"], body["error_id"]) == (external.idp_id, external.world.org_id, "USER-966")
