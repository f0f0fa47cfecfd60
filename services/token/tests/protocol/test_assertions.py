"""Header, signature and single use of assertions (RFC 7523 §3), with the same rules for both uses."""

from __future__ import annotations

import asyncio
import base64
import hmac
import itertools
import json
import time
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from portico_fakes.assertion_uses import EXPIRED, KEY, STRANGE, AssertionUse, assertion_keys
from portico_fakes.assertions import sign
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_assertions import MemoryAssertions
from portico_harness.rows import row
from portico_oauth.opaque import b64url
from portico_token.domain.assertions import REPEAT_SECONDS


async def test_each_algorithm_is_accepted(assertion_use: AssertionUse) -> None:
    for alg in ("RS256", "ES256", "EdDSA"):
        with row(alg):
            assert await assertion_use.accepts(sign(assertion_keys()[alg], assertion_use.claims()))


OWN_TYPES: list[Any] = ["JWT", "jwt", "client-authentication+jwt", "application/client-authentication+jwt", ...]


async def test_types_of_an_assertion(assertion_use: AssertionUse) -> None:
    """The header has no `typ` or an assertion type, in any case (JW-09)."""
    for typ in OWN_TYPES:
        with row(typ):
            assert await assertion_use.accepts(sign(KEY, assertion_use.claims(), typ=typ))


async def test_another_type_is_refused(assertion_use: AssertionUse) -> None:
    """A token of another type is not an assertion, whichever key signed it (JW-09, P7)."""
    for typ in ("at+jwt", "logout+jwt", "dpop+jwt", "secevent+jwt", "", None, 7, ["JWT"]):
        with row(typ):
            assert not await assertion_use.accepts(sign(KEY, assertion_use.claims(), typ=typ))


OTHER_HEADERS: list[dict[str, Any]] = [
    {"crit": ["x"]},
    {"crit": []},
    {"crit": "x"},
    {"crit": None},
    {"crit": ["b64"], "b64": False},
    {"b64": False},
    {"alg": "RS256"},
    {"alg": "PS256"},
    {"alg": "es256"},
    {"alg": "HS256"},
    {"alg": ...},
    {"alg": None},
    {"alg": ["ES256"]},
    {"kid": "unknown"},
    {"kid": "key-RS256"},
    {"kid": "Key-1"},
    {"kid": ""},
    {"kid": None},
    {"kid": ["key-1"]},
    {"kid": ...},
]


async def test_another_header_is_refused(assertion_use: AssertionUse) -> None:
    """Unknown critical extensions, another algorithm than the key's, and a missing or wrong kid are refused
    (JW-01, JW-02, JW-05).
    """
    for header in OTHER_HEADERS:
        with row(header):
            assert not await assertion_use.accepts(sign(KEY, assertion_use.claims(), **header))


HEADER_KEYS: list[dict[str, Any]] = [{"jwk": {}}, {"jku": "https://evil.test/keys"}, {"x5u": "https://evil.test"}]


async def test_keys_in_the_header_are_ignored(assertion_use: AssertionUse) -> None:
    """A key in the header of a JWT never verifies it (P7)."""
    for extra in HEADER_KEYS:
        with row(extra):
            carried = {**extra, "jwk": STRANGE.public_jwk()} if "jwk" in extra else extra
            forged = sign(STRANGE, assertion_use.claims(), kid=KEY.kid, **carried)

            assert not await assertion_use.accepts(forged)
            assert await assertion_use.accepts(sign(KEY, assertion_use.claims(), **carried))


async def test_expired_or_unregistered_key_is_refused(assertion_use: AssertionUse) -> None:
    """A key that has just expired, or was never registered, verifies nothing (JW-08)."""
    for key in (EXPIRED, STRANGE):
        with row(key.kid):
            assert not await assertion_use.accepts(sign(key, assertion_use.claims()))


async def test_unsigned_assertion_is_refused(assertion_use: AssertionUse) -> None:
    """A blank or missing signature is refused, whatever the header (JW-01)."""
    accepted = [
        (alg, end)
        for alg in ("none", "None", "NONE", "nOnE", None, "")
        for end in (".", "", ".AA")
        if await assertion_use.accepts(f"{_unsigned(assertion_use, alg)}{end}")
    ]

    assert accepted == []


def _unsigned(assertion_use: AssertionUse, alg: str | None) -> str:
    parts = {"alg": alg, "kid": KEY.kid, "typ": "JWT"}, assertion_use.claims()
    return ".".join(b64url(json.dumps(part).encode()) for part in parts)


def _confusing_secrets() -> dict[str, bytes]:
    public = KEY.private.public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return {
        "pem": pem,
        "pem after a blank line": b"\n" + pem,
        "pem with crlf": pem.replace(b"\n", b"\r\n"),
        "pem in a string": json.dumps(pem.decode()).encode(),
        "der": public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        "ssh": public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH),
        "jwk": json.dumps(KEY.public_jwk()).encode(),
        "empty": b"",
        "one byte": b"x",
        "zeros": bytes(64),
    }


SECRETS = _confusing_secrets()


async def test_hmac_is_refused(assertion_use: AssertionUse) -> None:
    """Neither the public key nor an empty secret is accepted as an HMAC key (JW-02, JW-08)."""
    accepted = []
    for alg, (name, secret) in itertools.product(("HS256", "HS384", "HS512"), SECRETS.items()):
        signed = _unsigned(assertion_use, alg)
        mac = hmac.new(secret, signed.encode(), alg.replace("HS", "sha")).digest()
        accepted += [(alg, name)] if await assertion_use.accepts(f"{signed}.{b64url(mac)}") else []

    assert accepted == []


MALFORMED: list[str] = [
    "." * 60_000,
    "a." * 30_000,
    "a" * 17_000 + ".b.c",
    "a.b." + "c" * 17_000,
    "a.b.c.d.e",
    "eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1ciLCJwMmMiOjIxNDc0ODM2NDd9.a.b.c.d",
    "é.é.é",
    "..",
    ".",
    "e30.e30.e30",
]


async def test_malformed_jws_is_refused_at_once(assertion_use: AssertionUse) -> None:
    """Long, dotted, encrypted or malformed texts are refused before parsing or decryption (JW-16, JW-17)."""
    for text in MALFORMED:
        with row(text):
            began = time.thread_time()
            accepted = await assertion_use.accepts(text)

            assert not accepted
            assert time.thread_time() - began < 0.5


async def test_any_changed_character_is_refused(assertion_use: AssertionUse) -> None:
    """One changed bit, or another spelling of the same bytes, is refused (JW-14)."""
    for where in ("header", "payload", "signature"):
        with row(where):
            parts = assertion_use.signed().split(".")
            at = ("header", "payload", "signature").index(where)
            part = parts[at]
            others = [part[:i] + ("A" if part[i] != "A" else "B") + part[i + 1 :] for i in range(0, len(part), 7)]
            others += [part + "=", part + "==", part[:-1], base64.b64encode(b"x" + part.encode()).decode()]

            for other in others:
                assert not await assertion_use.accepts(".".join([*parts[:at], other, *parts[at + 1 :]]))


async def test_duplicate_claim_is_refused(assertion_use: AssertionUse) -> None:
    """Readers differ in which duplicate they use (RFC 7519 §4)."""
    for twice in ("iss", "sub", "aud", "exp", "jti"):
        with row(twice):
            claims = assertion_use.claims()
            payload = json.dumps(claims)[:-1] + f", {json.dumps(twice)}: {json.dumps(claims[twice])}}}"

            assert not await assertion_use.accepts(KEY.sign(payload.encode()))


async def test_assertion_is_used_once(assertion_use: AssertionUse) -> None:
    """A second use is refused, also for a new JWT with the same jti (JW-10)."""
    claims = assertion_use.claims(jti="once")

    assert await assertion_use.accepts(sign(KEY, claims))
    assert not await assertion_use.accepts(sign(KEY, claims))
    assert not await assertion_use.accepts(sign(assertion_keys()["RS256"], {**claims, "exp": claims["exp"] + 1}))


async def test_assertion_without_jti_is_used_once(assertion_use: AssertionUse, clock: FrozenClock) -> None:
    """The signed input identifies the assertion, so another signature of it is the same assertion (JW-10)."""
    claims = assertion_use.claims(jti=...)
    first, second = sign(KEY, claims), sign(KEY, claims)

    assert first != second
    assert await assertion_use.accepts(first)
    clock.tick(REPEAT_SECONDS + 1)
    assert not await assertion_use.accepts(second)
    assert await assertion_use.accepts(sign(KEY, {**claims, "iat": claims["iat"] - 1}))


WRONG_JTIS: list[Any] = [None, "", 7, ["a"], {}]


async def test_jti_is_a_string(assertion_use: AssertionUse) -> None:
    """A `jti` that is present must be a string (JW-12)."""
    for jti in WRONG_JTIS:
        with row(jti):
            assert not await assertion_use.accepts(assertion_use.signed(jti=jti))


async def test_refused_assertion_is_not_used_up(assertion_use: AssertionUse) -> None:
    claims = assertion_use.claims(jti="kept")
    await assertion_use.accepts(sign(KEY, {**claims, "aud": "https://other.test"}))
    await assertion_use.accepts(sign(STRANGE, claims, kid=KEY.kid))

    assert await assertion_use.accepts(sign(KEY, claims))


async def test_jti_belongs_to_its_issuer(assertion_use: AssertionUse) -> None:
    claims = assertion_use.claims(jti="shared")
    other = AssertionUse(
        assertion_use.service, *(("signer", (401, "")) if assertion_use.subject == "robot" else ("robot", (400, "")))
    )

    assert await assertion_use.accepts(sign(KEY, claims))
    assert await other.accepts(other.signed(jti="shared"))


async def test_one_of_many_concurrent_uses_succeeds(assertion_use: AssertionUse) -> None:
    """Of 100 parallel requests with one assertion exactly one succeeds (JW-10)."""
    assertion = assertion_use.signed()

    accepted = await asyncio.gather(*(assertion_use.accepts(assertion) for _ in range(100)))

    assert accepted.count(True) == 1


async def test_emptied_store_accepts_no_older_assertion(
    assertion_use: AssertionUse, assertions: MemoryAssertions, clock: FrozenClock
) -> None:
    """An emptied store cannot decide about older assertions, while one signed afterwards is accepted (JW-10)."""
    used, unused = assertion_use.signed(), assertion_use.signed()
    await assertion_use.accepts(used)
    assertions.lose_everything()
    lost = [await assertion_use.accepts(used), await assertion_use.accepts(unused)]
    clock.tick(1)

    assert lost == [False, False]
    assert await assertion_use.accepts(assertion_use.signed())


async def test_unavailable_store_is_503(assertion_use: AssertionUse, assertions: MemoryAssertions) -> None:
    """Whether the assertion was used cannot be decided, so it is 503 and not used up (P2)."""
    assertion = assertion_use.signed()
    assertions.down = True
    down = await assertion_use.present(assertion)
    assertions.down = False

    assert (down.status_code, down.json()["error"], down.headers["retry-after"]) == (503, "server_error", "1")
    assert await assertion_use.accepts(assertion)
