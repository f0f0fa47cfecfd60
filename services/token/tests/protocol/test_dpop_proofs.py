"""DPoP proofs that are refused, on each surface that reads them (RFC 9449 section 4.3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from portico_contracts import http
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer
from portico_contracts.users import Dpop
from portico_fakes.dpop_proofs import Prover
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService, basic_header
from portico_oauth.errors import ERROR_CODES, ServiceError
from portico_oauth.opaque import b64url
from portico_oauth.scopes import OWN_PROJECT

MANAGEMENT = "/management/v1/projects/_search"
SCOPE = ("openid", "urn:portico:project:id:portico:aud")
Faulty = Callable[[Prover, str, dict[str, Any]], list[str]]


def _claims(**claims: Any) -> Faulty:
    return lambda prover, path, call: [prover.proof(path, **{**call, **claims})]


def _header(**header: Any) -> Faulty:
    return lambda prover, path, call: [prover.proof(path, **call, header=header)]


def _other_signature(prover: Prover, path: str, call: dict[str, Any]) -> list[str]:
    return [prover.proof(path, **call).rpartition(".")[0] + "." + b64url(bytes(64))]


def _private_key(prover: Prover, path: str, call: dict[str, Any]) -> list[str]:
    number = prover.key.private.private_numbers().private_value  # type: ignore[union-attr]
    return [prover.proof(path, **call, header={"jwk": {**prover.jwk, "d": b64url(number.to_bytes(32, "big"))}})]


def _hmac(prover: Prover, path: str, call: dict[str, Any]) -> list[str]:
    jwk = {"kty": "oct", "k": b64url(bytes(32))}
    return [prover.proof(path, **call, header={"alg": "HS256", "jwk": jwk})]


def _twice(prover: Prover, path: str, call: dict[str, Any]) -> list[str]:
    return [prover.proof(path, **call), prover.proof(path, **call)]


def _unsigned(prover: Prover, path: str, call: dict[str, Any]) -> list[str]:
    return [prover.proof(path, **call, header={"alg": "none"}).rpartition(".")[0] + "."]


FAULTS: dict[str, tuple[Faulty, str]] = {
    "two headers": (_twice, "TOKEN-301"),
    "two in one header": (lambda *of: [", ".join(_twice(*of))], "TOKEN-302"),
    "no JWT": (lambda *_: ["proof"], "TOKEN-302"),
    "too long": (_claims(note="x" * 4_096), "TOKEN-302"),
    "typ missing": (_header(typ=...), "TOKEN-303"),
    "typ of an assertion": (_header(typ="JWT"), "TOKEN-303"),
    "unsigned": (_unsigned, "TOKEN-303"),
    "HMAC": (_hmac, "TOKEN-303"),
    "unknown alg": (_header(alg="ES512"), "TOKEN-303"),
    "alg of another key": (_header(alg="EdDSA"), "TOKEN-303"),
    "jwk missing": (_header(jwk=...), "TOKEN-303"),
    "jwk not an object": (_header(jwk="key"), "TOKEN-303"),
    "jwk incomplete": (_header(jwk={"kty": "EC"}), "TOKEN-303"),
    "private key": (_private_key, "TOKEN-303"),
    "crit": (_header(crit=["exp"]), "TOKEN-304"),
    "other signature": (_other_signature, "TOKEN-304"),
    "signature in no base64url": (lambda *of: [_other_signature(*of)[0] + "="], "TOKEN-302"),
    "jti missing": (_claims(jti=...), "TOKEN-305"),
    "jti empty": (_claims(jti=""), "TOKEN-305"),
    "jti too long": (_claims(jti="x" * 257), "TOKEN-305"),
    "jti a number": (_claims(jti=7), "TOKEN-305"),
    "htm missing": (_claims(htm=...), "TOKEN-305"),
    "htu missing": (_claims(htu=...), "TOKEN-305"),
    "iat missing": (_claims(iat=...), "TOKEN-305"),
    "iat a text": (_claims(iat="now"), "TOKEN-305"),
    "iat true": (_claims(iat=True), "TOKEN-305"),
    "iat beyond any number": (_claims(iat=2**60), "TOKEN-305"),
    "other method": (_claims(htm="PUT"), "TOKEN-306"),
    "method in lower case": (_claims(htm="post"), "TOKEN-306"),
    "other host": (_claims(htu="https://other.example.test/oauth/v2/token"), "TOKEN-307"),
    "other path": (_claims(htu=ISSUER + "/oauth/v2/other"), "TOKEN-307"),
    "no URL": (_claims(htu="token"), "TOKEN-307"),
    "old": (lambda prover, path, call: [prover.proof(path, **call, iat=int(prover.now) - 62)], "TOKEN-308"),
    "future": (lambda prover, path, call: [prover.proof(path, **call, iat=int(prover.now) + 11)], "TOKEN-308"),
}
AT_RESOURCES: dict[str, tuple[Faulty, str]] = {
    "ath missing": (_claims(ath=...), "TOKEN-309"),
    "ath of another token": (_claims(ath=b64url(bytes(32))), "TOKEN-309"),
    "no proof": (lambda *_: [], "TOKEN-312"),
    "other key": (lambda prover, path, call: [Prover(prover.base, prover.now).proof(path, **call)], "TOKEN-313"),
}


@pytest.fixture
def prover(token_service: TokenService) -> Prover:
    token_service.register("web", dpop=Dpop.ALLOWED, management_access=True, access_token_type="opaque")
    return Prover(ISSUER, token_service.clock.now())


async def _bound_token(service: TokenService, prover: Prover) -> str:
    form = {
        "grant_type": "authorization_code",
        "code": service.issue_code("web", scope=SCOPE),
        "redirect_uri": CALLBACK,
    }
    answer = await service.token(form, basic=("web", SECRET), headers=prover.headers(http.TOKEN))
    token: str = answer.json()["access_token"]
    return token


def _lines(*headers: tuple[str, str], proofs: list[str]) -> list[tuple[str, str]]:
    return [*headers, *(("DPoP", proof) for proof in proofs)]


def _shown(answer: httpx.Response) -> tuple[int, str, str]:
    body = answer.json()
    return answer.status_code, body["error"], body["error_description"]


async def at_token(service: TokenService, prover: Prover, faulty: Faulty) -> httpx.Response:
    form = {"grant_type": "authorization_code", "code": service.issue_code("web"), "redirect_uri": CALLBACK}
    proofs = faulty(prover, http.TOKEN, {})
    headers = _lines(("Authorization", basic_header("web", SECRET)), proofs=proofs)
    return await service.http.post(http.TOKEN, data=form, headers=headers)


async def at_pushed_requests(service: TokenService, prover: Prover, faulty: Faulty) -> httpx.Response:
    proofs = faulty(prover, http.PUSHED_REQUESTS, {})
    headers = _lines(("Authorization", basic_header("web", SECRET)), proofs=proofs)
    return await service.http.post(http.PUSHED_REQUESTS, data={"scope": "openid"}, headers=headers)


async def at_userinfo(service: TokenService, prover: Prover, faulty: Faulty) -> httpx.Response:
    token = await _bound_token(service, prover)
    proofs = faulty(prover, http.USERINFO, {"method": "GET", "token": token})
    headers = _lines(("Authorization", f"DPoP {token}"), proofs=proofs)
    return await service.http.get(http.USERINFO, headers=headers)


SURFACES: dict[str, Callable[[TokenService, Prover, Faulty], Awaitable[httpx.Response]]] = {
    "token": at_token,
    "pushed requests": at_pushed_requests,
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", FAULTS)
async def test_faulty_proof_is_refused(token_service: TokenService, prover: Prover, surface: str, name: str) -> None:
    """The error names the check; nothing is issued or pushed, and the code stays valid."""
    faulty, error_id = FAULTS[name]

    answer = await SURFACES[surface](token_service, prover, faulty)

    assert _shown(answer) == (400, "invalid_dpop_proof", _text_of(error_id))
    assert answer.headers["cache-control"] == "no-store"
    assert not token_service.authz.pushed
    assert not [one for one in token_service.authz.codes.values() if one.used]


@pytest.mark.parametrize("name", [*FAULTS, *AT_RESOURCES])
async def test_faulty_proof_has_a_challenge_at_userinfo(token_service: TokenService, prover: Prover, name: str) -> None:
    """RFC 9449 section 7.1: the challenge names the scheme, the algorithms and the error."""
    faulty, error_id = {**FAULTS, **AT_RESOURCES}[name]

    answer = await at_userinfo(token_service, prover, faulty)
    error = "invalid_token" if error_id == "TOKEN-313" else "invalid_dpop_proof"

    assert _shown(answer) == (401, error, _text_of(error_id))
    assert answer.headers["cache-control"] == "no-store"
    challenge = answer.headers["www-authenticate"]
    assert challenge.startswith(f'DPoP algs="RS256 ES256 EdDSA", error="{error}"')


@pytest.mark.parametrize("name", [*FAULTS, *AT_RESOURCES])
async def test_faulty_proof_is_refused_at_the_management_api(
    token_service: TokenService, prover: Prover, name: str
) -> None:
    """Users sends the proofs of its caller, with method and path of the call."""
    faulty, error_id = {**FAULTS, **AT_RESOURCES}[name]
    token = await _bound_token(token_service, prover)
    proofs = tuple(faulty(prover, MANAGEMENT, {"token": token}))
    ask = AuthenticateBearer(token=token, audience=OWN_PROJECT, proofs=proofs, method="POST", path=MANAGEMENT)

    with pytest.raises(ServiceError) as refused:
        await token_service.bus.call(AUTHENTICATE_BEARER, ask)

    assert refused.value.id == error_id


async def test_accepted_proofs(token_service: TokenService, prover: Prover) -> None:
    """Other spellings of the same URL and type, clocks within the leeway, and claims that a proof need not have."""
    accepted: list[Faulty] = [
        _claims(htu="HTTPS://ID.example.test:443/oauth/./v2/%74oken?query#fragment"),
        _header(typ="application/DPOP+JWT"),
        _claims(exp=1, nbf=2**40),
        lambda prover, path, _: [prover.proof(path, iat=int(prover.now) - 60)],
        lambda prover, path, _: [prover.proof(path, iat=int(prover.now) + 10)],
        lambda prover, path, _: [prover.proof(path, iat=prover.now + 0.5)],
        _claims(jti="x" * 256),
        _header(jwk={**prover.jwk, "kid": "one", "use": "sig"}),
    ]
    answers = [await at_token(token_service, prover, one) for one in accepted]

    assert [answer.status_code for answer in answers] == [200] * len(accepted)
    assert {answer.json()["token_type"] for answer in answers} == {"DPoP"}


async def test_proof_works_once_per_key(token_service: TokenService, prover: Prover) -> None:
    """The mark is of key and jti, so that a client cannot use up those of another one; a used code is not revoked."""
    proof = prover.proof(http.TOKEN, jti="same")
    other = Prover(ISSUER, prover.now)
    answers = [await at_token(token_service, prover, lambda *_, sent=sent: [sent]) for sent in (proof, proof)]
    answers.append(await at_token(token_service, other, _claims(jti="same")))

    assert [answer.status_code for answer in answers] == [200, 400, 200]
    assert _shown(answers[1])[1:] == ("invalid_dpop_proof", _text_of("TOKEN-310"))


async def test_proof_is_remembered_until_it_is_too_old(token_service: TokenService, prover: Prover) -> None:
    """With the registered skew of the client, which makes it acceptable for longer."""
    token_service.register("web", dpop=Dpop.ALLOWED, clock_skew_seconds=5)
    proof = prover.proof(http.TOKEN, iat=int(prover.now) + 15)
    seen = []
    for seconds in (0, 10, 60, 10, 1):
        token_service.clock.tick(seconds)  # type: ignore[attr-defined]
        answer = await at_token(token_service, prover, lambda *_: [proof])
        seen.append(answer.status_code if answer.is_success else _shown(answer)[2])

    used = _text_of("TOKEN-310")
    assert seen == [200, used, used, used, _text_of("TOKEN-308")]


@pytest.mark.parametrize("alg", ["RS256", "EdDSA"])
async def test_other_algorithms_are_accepted(token_service: TokenService, prover: Prover, alg: str) -> None:
    other = Prover(ISSUER, prover.now, alg)

    assert (await at_token(token_service, other, _claims())).json()["token_type"] == "DPoP"
    assert (await at_userinfo(token_service, other, _claims())).status_code == 200


async def test_fapi2_refuses_rs256(token_service: TokenService, prover: Prover) -> None:
    """FAPI 2.0 Security Profile section 5.4.1; also where another application may use the same key."""
    other = Prover(ISSUER, prover.now, "RS256")
    assert (await at_token(token_service, other, _claims())).status_code == 200
    token_service.register("web", dpop=Dpop.REQUIRED, fapi2=True)
    await token_service.publish_app_changed()
    answer = await at_token(token_service, other, _claims())

    assert _shown(answer)[1:] == ("invalid_dpop_proof", _text_of("TOKEN-303"))
    assert (await at_token(token_service, prover, _claims())).status_code == 200


@pytest.mark.parametrize(
    ("fields", "shown"),
    [({"clock_skew_seconds": 5}, (200, "", "")), ({"fapi2": True}, (401, "invalid_dpop_proof", "TOKEN-303"))],
)
async def test_settings_of_the_client_count_at_resources(
    token_service: TokenService, fields: dict[str, Any], shown: tuple[int, str, str]
) -> None:
    """A proof by RS256 of a clock that is ahead, within the registered skew: at userinfo and at the management API."""
    rs256 = Prover(ISSUER, token_service.clock.now(), "RS256")
    token_service.register("web", dpop=Dpop.ALLOWED, management_access=True, access_token_type="opaque")
    token = await _bound_token(token_service, rs256)
    token_service.register("web", dpop=Dpop.ALLOWED, management_access=True, access_token_type="opaque", **fields)
    await token_service.publish_app_changed()
    ahead: dict[str, Any] = {"iat": int(rs256.now) + 15} if "clock_skew_seconds" in fields else {}
    headers = rs256.headers(http.USERINFO, method="GET", token=token, **ahead)
    answer = await token_service.http.get(http.USERINFO, headers=headers)
    proofs = (rs256.proof(MANAGEMENT, token=token, **ahead),)
    ask = AuthenticateBearer(token=token, audience=OWN_PROJECT, proofs=proofs, method="POST", path=MANAGEMENT)

    status, error, error_id = shown
    assert answer.status_code == status
    if not error:
        assert (await token_service.bus.call(AUTHENTICATE_BEARER, ask)).bearer is not None
        return
    assert _shown(answer)[1:] == (error, _text_of(error_id))
    with pytest.raises(ServiceError, match=error_id):
        await token_service.bus.call(AUTHENTICATE_BEARER, ask)


@pytest.mark.parametrize(("fapi2", "error"), [(False, "invalid_request"), (True, "invalid_grant")])
async def test_fapi2_names_a_missing_verifier_as_its_suite_does(
    token_service: TokenService, prover: Prover, fapi2: bool, error: str
) -> None:
    """RFC 7636 section 4.6 names no error for it; that of other applications stays."""
    token_service.register("web", dpop=Dpop.ALLOWED, fapi2=fapi2)
    code = token_service.issue_code("web", challenge="c" * 43)
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
    answer = await token_service.token(form, basic=("web", SECRET), headers=prover.headers(http.TOKEN))

    assert (answer.status_code, answer.json()["error"]) == (400, error)


async def test_slow_keys_are_refused(token_service: TokenService, prover: Prover) -> None:
    """A public exponent or a modulus that no library chooses only makes verification slow."""
    slow = Prover(ISSUER, prover.now, "RS256")
    jwk = {**slow.jwk, "e": b64url((2**40 + 1).to_bytes(6, "big"))}
    large = {**slow.jwk, "n": b64url((2**4103 + 1).to_bytes(513, "big"))}
    for one in (jwk, large):
        answer = await at_token(token_service, slow, _header(jwk=one))
        assert _shown(answer)[2] == _text_of("TOKEN-303")


async def test_unavailable_store_is_a_503(token_service: TokenService, prover: Prover, assertions: Any) -> None:
    """Whether a proof was used cannot be known; the code stays valid."""
    assertions.down = True
    refused = await at_token(token_service, prover, _claims())
    assertions.down = False

    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert not [one for one in token_service.authz.codes.values() if one.used]


def _text_of(error_id: str) -> str:
    return ERROR_CODES[error_id].text
