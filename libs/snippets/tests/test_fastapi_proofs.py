"""The printed FastAPI program accepts a bound token only with a proof of its key (RFC 9449 section 7)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_fakes.dpop_proofs import Prover
from portico_oauth.opaque import b64url

from .test_fastapi_api import RESOURCE, program, signed

__all__ = ["program"]

PATH = "/items"
Faulty = Callable[[Prover, str], list[str]]


def _claims(**claims: Any) -> Faulty:
    return lambda prover, token: [prover.proof(PATH, method="GET", token=token, **claims)]


def _header(**header: Any) -> Faulty:
    return lambda prover, token: [prover.proof(PATH, method="GET", token=token, header=header)]


def _private(prover: Prover, token: str) -> list[str]:
    return _header(jwk={**prover.jwk, "d": "AQAB"})(prover, token)


FAULTS: dict[str, Faulty] = {
    "no proof": lambda *_: [],
    "two proofs": lambda *of: _claims()(*of) + _claims()(*of),
    "no JWT": lambda *_: ["proof"],
    "typ of another JWT": _header(typ="JWT"),
    "unsigned": _header(alg="none"),
    "alg missing": _header(alg=...),
    "HMAC": _header(alg="HS256", jwk={"kty": "oct", "k": b64url(bytes(32))}),
    "jwk missing": _header(jwk=...),
    "jwk incomplete": _header(jwk={"kty": "EC"}),
    "private key": _private,
    "other signature": lambda *of: [_claims()(*of)[0].rpartition(".")[0] + "." + b64url(bytes(64))],
    "other method": _claims(htm="POST"),
    "other path": _claims(htu=f"{RESOURCE}/orders"),
    "other host": _claims(htu=f"https://other.example.test{PATH}"),
    "path in upper case": _claims(htu=f"{RESOURCE}{PATH.upper()}"),
    "htu no text": _claims(htu=7),
    "htu no URL": _claims(htu="https://[/items"),
    "other token": _claims(ath=b64url(bytes(32))),
    "ath missing": _claims(ath=...),
    "jti missing": _claims(jti=...),
    "old": lambda prover, token: _claims(iat=int(prover.now) - 62)(prover, token),
    "future": lambda prover, token: _claims(iat=int(prover.now) + 12)(prover, token),
    "iat no number": _claims(iat="now"),
    "other key": lambda prover, token: _claims()(Prover(prover.base, prover.now), token),
}


@pytest.fixture
def prover() -> Prover:
    return Prover(RESOURCE, time.time())


async def call(program: Any, token: str, *proofs: str, scheme: str = "DPoP") -> tuple[int, str]:
    headers = [("Authorization", f"{scheme} {token}"), *(("DPoP", proof) for proof in proofs)]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(program.app), base_url=RESOURCE) as http:
        answer = await http.get(PATH, headers=headers)
    return answer.status_code, answer.headers.get("www-authenticate", answer.text)


@pytest.mark.parametrize("name", FAULTS)
async def test_faulty_proof_is_refused(program: Any, prover: Prover, name: str) -> None:
    token = signed(cnf={"jkt": prover.jkt})

    refused = 'DPoP algs="RS256 ES256 EdDSA", error="invalid_token"'
    assert await call(program, token, *FAULTS[name](prover, token)) == (401, refused)


async def test_url_is_compared_as_one(program: Any, prover: Prover) -> None:
    """Query and fragment, upper case in scheme and host, and the default port do not count (section 4.3)."""
    token = signed(cnf={"jkt": prover.jkt})
    scheme, _, host = RESOURCE.partition("://")
    same = [f"{scheme.upper()}://{host.upper()}{PATH}", f"{scheme}://{host}:443{PATH}", f"{RESOURCE}{PATH}?a=b#c"]

    for htu in same:
        assert (await call(program, token, *_claims(htu=htu)(prover, token)))[0] == 200, htu


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
async def test_proof_works_once(program: Any, alg: str) -> None:
    """The same proof again is refused, and a new one is accepted."""
    prover = Prover(RESOURCE, time.time(), alg)
    token = signed(cnf={"jkt": prover.jkt})
    first, second = (prover.proof(PATH, method="GET", token=token) for _ in range(2))

    assert [(await call(program, token, proof))[0] for proof in (first, first, second)] == [200, 401, 200]


async def test_scheme_is_the_one_of_the_token(program: Any, prover: Prover) -> None:
    """A bound token is refused as a bearer token, and a bearer token gains nothing from a proof."""
    bound, bearer = signed(cnf={"jkt": prover.jkt}), signed()
    proof = prover.proof(PATH, method="GET", token=bearer)

    assert (await call(program, bound, scheme="Bearer"))[0] == 401
    assert (await call(program, bearer, proof))[0] == 401
    assert (await call(program, bearer, scheme="bearer"))[0] == 200
