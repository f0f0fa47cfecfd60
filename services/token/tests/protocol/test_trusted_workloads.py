"""Tokens of other issuers as authentication of service users and applications (decision 0152)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest
from portico_contracts.users import WORKLOAD_USED, AuthMethod, WorkloadCondition, WorkloadUsed
from portico_fakes.assertions import ASSERTION_TYPE, registered
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService
from portico_fakes.workload_tokens import (
    CLUSTER,
    KEY,
    OTHER,
    RSA,
    SUBJECT,
    ci_token,
    credentials,
    of_ci,
    pod_token,
    with_workloads,
    workload,
)
from portico_harness.rows import row
from portico_oauth.jose import SigningKey, SplitToken, VerificationKey


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    token_service.register_service_user("plain")
    return with_workloads(token_service)


async def test_a_pod_needs_no_secret(service: TokenService) -> None:
    """The token of the pod is the authentication, by both grants, as often as it is sent until it expires."""
    token = pod_token(service)

    answers = [await credentials(service, token) for _ in range(3)]
    by_profile = [await service.jwt_bearer(token, client_id="robot") for _ in range(2)]

    assert [one.status_code for one in answers + by_profile] == [200] * 5
    assert set(answers[0].json()) == {"access_token", "token_type", "expires_in", "scope"}
    assert "id_token" in by_profile[0].json()


async def test_a_subject_that_is_the_service_user_needs_no_client_id(service: TokenService) -> None:
    """The subject names the client where the request does not (RFC 7523 section 3)."""
    by_subject = workload(conditions=(WorkloadCondition(claim="sub", value="robot"),))
    service.register_service_user("robot", trusted_workloads=(by_subject,))
    token = pod_token(service, sub="robot")

    assert (await credentials(service, token, None)).status_code == 200
    assert (await service.jwt_bearer(token)).status_code == 200


async def test_an_application_needs_no_secret(service: TokenService) -> None:
    """It redeems codes and introspects tokens with the token of its pod, whatever its registered method is."""
    service.register("shop", AuthMethod.PRIVATE_KEY_JWT, secret_hash="", trusted_workloads=(workload(),))
    proof = {"client_id": "shop", "client_assertion_type": ASSERTION_TYPE, "client_assertion": pod_token(service)}
    redeemed = await service.token(
        {"grant_type": "authorization_code", "code": service.issue_code("shop"), "redirect_uri": CALLBACK, **proof}
    )

    active = await service.http.post("/oauth/v2/introspect", data={"token": redeemed.json()["access_token"], **proof})

    assert (redeemed.status_code, active.json()["active"]) == (200, True)


class Faulty(NamedTuple):
    """A token that no trusted workload has sent, with the hint of its diagnostics."""

    name: str
    make: Callable[[TokenService], str]
    hint: str


def _forged(service: TokenService) -> str:
    head, _, tail = pod_token(service).split(".")
    other = pod_token(service, sub=SUBJECT, aud=ISSUER).split(".")[1]
    return f"{head}.{other}.{tail}"


def _at(service: TokenService, seconds: int) -> int:
    return int(service.clock.now()) + seconds


FAULTY: Final = (
    Faulty("signed by an unknown key", lambda s: pod_token(s, OTHER), "no_key"),
    Faulty("signed by another key of the same kid", lambda s: pod_token(s, OTHER, {"kid": "k1"}), "wrong_signature"),
    Faulty("without a kid, of two keys", lambda s: pod_token(s, KEY, {"kid": ...}), "no_key"),
    Faulty("kid that is no text", lambda s: pod_token(s, KEY, {"kid": 1}), "no_key"),
    Faulty("algorithm of another key", lambda s: pod_token(s, KEY, {"kid": "k3"}), "wrong_signature"),
    Faulty("alg none", lambda s: pod_token(s, KEY, {"alg": "none"}), "wrong_signature"),
    Faulty("alg HS256", lambda s: pod_token(s, KEY, {"alg": "HS256"}), "wrong_signature"),
    Faulty("alg of another size", lambda s: pod_token(s, RSA, {"alg": "RS512"}), "wrong_signature"),
    Faulty("crit", lambda s: pod_token(s, KEY, {"crit": []}), "wrong_signature"),
    Faulty("an access token (RFC 9068)", lambda s: pod_token(s, KEY, {"typ": "at+jwt"}), "wrong_signature"),
    Faulty("a logout token", lambda s: pod_token(s, KEY, {"typ": "logout+jwt"}), "wrong_signature"),
    Faulty("claims replaced", _forged, "wrong_signature"),
    Faulty("issuer with a slash", lambda s: pod_token(s, iss=CLUSTER + "/"), "unknown"),
    Faulty("issuer in upper case", lambda s: pod_token(s, iss=CLUSTER.replace("kub", "KUB")), "unknown"),
    Faulty("issuer as a beginning", lambda s: pod_token(s, iss=CLUSTER + ".evil.test"), "unknown"),
    Faulty("issuer without its path", lambda s: ci_token(s, iss="https://ci.example.test"), "unknown"),
    Faulty("our own issuer", lambda s: pod_token(s, iss=ISSUER), "unknown"),
    Faulty("subject in upper case", lambda s: pod_token(s, sub=SUBJECT.upper()), "condition"),
    Faulty("subject that goes on", lambda s: pod_token(s, sub=SUBJECT + "-2"), "condition"),
    Faulty("subject of another namespace", lambda s: pod_token(s, sub="system:serviceaccount:dev:orders"), "condition"),
    Faulty("no subject", lambda s: pod_token(s, sub=...), "malformed"),
    Faulty("subject that is a list", lambda s: pod_token(s, sub=[SUBJECT]), "malformed"),
    Faulty("another repository", lambda s: ci_token(s, sub="repo:acme/shopping:ref:refs/heads/main"), "condition"),
    Faulty("another owner", lambda s: ci_token(s, sub="repo:evil/shop:ref:refs/heads/main"), "condition"),
    Faulty("the prefix alone", lambda s: ci_token(s, sub="repo:acme/shop:"), "condition"),
    Faulty("audience of another", lambda s: pod_token(s, aud="https://api.example.test"), ""),
    Faulty("audience of the endpoint", lambda s: pod_token(s, aud=f"{ISSUER}/oauth/v2/token"), ""),
    Faulty("two audiences", lambda s: pod_token(s, aud=[ISSUER, "https://api.example.test"]), ""),
    Faulty("the same audience twice", lambda s: pod_token(s, aud=[ISSUER, ISSUER]), ""),
    Faulty("no audience", lambda s: pod_token(s, aud=...), ""),
    Faulty("expired", lambda s: pod_token(s, exp=_at(s, 0)), "expired"),
    Faulty("no expiry", lambda s: pod_token(s, exp=...), "malformed"),
    Faulty("expiry that is no whole number", lambda s: pod_token(s, exp=_at(s, 60) + 0.5), "malformed"),
    Faulty("longer than an hour", lambda s: pod_token(s, exp=_at(s, 3601)), "too_long"),
    Faulty("issued in the future", lambda s: pod_token(s, iat=_at(s, 61)), "not_yet_valid"),
    Faulty("valid in the future", lambda s: pod_token(s, nbf=_at(s, 61)), "not_yet_valid"),
    Faulty("without the time of issue", lambda s: pod_token(s, iat=...), "malformed"),
)


async def test_faulty_tokens_are_refused_alike(service: TokenService) -> None:
    """Every wrong token gets the bytes of an unknown client, at both grants (P9, JW-01, JW-02, JW-05, JW-06, JW-09,
    JW-12).
    """
    unknown = await credentials(service, pod_token(service), "nobody-here")
    by_profile = await service.jwt_bearer(pod_token(service), client_id="nobody-here")
    assert (unknown.status_code, unknown.json()["error"]) == (401, "invalid_client")
    assert (by_profile.status_code, by_profile.json()["error"]) == (400, "invalid_grant")

    for faulty in FAULTY:
        with row(faulty.name):
            token = faulty.make(service)

            answers = await credentials(service, token), await service.jwt_bearer(token, client_id="robot")

            assert [one.status_code for one in answers] == [401, 400]
            assert [one.content for one in answers] == [unknown.content, by_profile.content]


async def test_a_client_without_trusted_workloads_is_refused_alike(service: TokenService) -> None:
    """A valid token of a pod is nothing to a client that does not trust it, nor to one found by its name only."""
    unknown = await credentials(service, pod_token(service), "nobody-here")
    service.register("public", AuthMethod.NONE)

    for client_id in ("plain", "web", "public"):
        with row(client_id):
            assert (await credentials(service, pod_token(service), client_id)).content == unknown.content
    assert (await service.jwt_bearer(pod_token(service), client_id="robot-name")).status_code == 400


async def test_every_refused_token_is_verified_once(service: TokenService, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown client, issuer or key costs a verification like a wrong signature, so that time shows nothing (P9)."""
    spent: list[object] = []
    monkeypatch.setattr("portico_token.workloads.tokens.spend_a_verification", lambda _text, alg: spent.append(alg))
    for client_id, token in (
        ("nobody-here", pod_token(service)),
        ("plain", pod_token(service)),
        ("robot", pod_token(service, iss="https://other.example.test")),
        ("robot", pod_token(service, OTHER)),
        ("robot", pod_token(service, KEY, {"alg": "HS256"})),
        ("robot", pod_token(service, KEY, {"typ": "at+jwt"})),
    ):
        with row(client_id, token):
            spent.clear()

            assert (await credentials(service, token, client_id)).status_code == 401

            assert len(spent) == 1


async def test_an_audience_of_its_own_replaces_the_issuer(service: TokenService) -> None:
    """The configured audience is the only one (JW-09)."""
    service.register_service_user("robot", trusted_workloads=(workload(audience="portico"),))

    assert (await credentials(service, pod_token(service, aud="portico"))).status_code == 200
    assert (await credentials(service, pod_token(service))).status_code == 401


async def test_several_workloads_of_one_issuer(service: TokenService) -> None:
    """Each is looked at with its own keys and conditions: one of them has to fulfil all its own."""
    first = workload(name="first", keys=(registered(OTHER),))
    second = workload(name="second", conditions=(WorkloadCondition(claim="sub", value="system:serviceaccount:shop:b"),))
    service.register_service_user("robot", trusted_workloads=(first, second))

    statuses = [
        (await credentials(service, pod_token(service, key, sub=sub))).status_code
        for key in (OTHER, KEY)
        for sub in (SUBJECT, "system:serviceaccount:shop:b")
    ]

    assert statuses == [200, 401, 401, 200]


async def test_many_pasted_keys_cost_one_verification(service: TokenService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wrong token costs one, whether one of 20 trusted workloads has its key, all have it, or several have
    different keys with its kid, of which none is used (P9).
    """
    alike = tuple(workload(name=f"{number}", keys=(registered(KEY),)) for number in range(20))
    others = [SigningKey.generate("k1", "ES256") for _ in range(19)]
    clashing = tuple(workload(name=f"{number}", keys=(registered(key),)) for number, key in enumerate((KEY, *others)))
    service.register_service_user("alike", trusted_workloads=alike)
    service.register_service_user("clashing", trusted_workloads=clashing)
    spent: list[VerificationKey] = []
    real = VerificationKey.claims_in

    def counted(key: VerificationKey, split: SplitToken) -> dict[str, Any]:
        spent.append(key)
        return real(key, split)

    monkeypatch.setattr(VerificationKey, "claims_in", counted)
    for client_id, token in (
        ("alike", pod_token(service, OTHER, {"kid": "k1"})),
        ("alike", pod_token(service, sub="system:serviceaccount:shop:b")),
        ("alike", pod_token(service, OTHER)),
        ("clashing", pod_token(service, OTHER, {"kid": "k1"})),
        ("clashing", pod_token(service)),
    ):
        with row(client_id, token):
            spent.clear()

            assert (await credentials(service, token, client_id)).status_code == 401

            assert len(spent) == 1


async def test_all_conditions_must_hold(service: TokenService) -> None:
    """One claim that is missing, another text or no text refuses the token."""
    conditions = (
        WorkloadCondition(claim="repository", value="acme/shop"),
        WorkloadCondition(claim="ref_protected", value="true"),
    )
    service.register_service_user("robot", trusted_workloads=(of_ci(*conditions),))

    values: tuple[Any, ...] = ("true", "false", True, ["true"], {}, ...)
    statuses = [
        (await credentials(service, ci_token(service, repository="acme/shop", ref_protected=value))).status_code
        for value in values
    ]

    assert statuses == [200, 401, 401, 401, 401, 401]


async def test_a_use_is_reported_once_an_hour(service: TokenService, clock: FrozenClock) -> None:
    """With the name of the workload, for the event that marks it."""
    for _ in range(3):
        await credentials(service, pod_token(service))
    clock.tick(3_600)
    await credentials(service, pod_token(service))

    reported: Any = service.bus.reported  # type: ignore[attr-defined]
    uses = [message for subject, message in reported if subject == WORKLOAD_USED.subject]
    expected = WorkloadUsed(client_id="robot", workload="cluster", issuer=CLUSTER, at=clock.now())
    assert len(uses) == 2
    assert uses[1] == expected


async def test_other_mechanisms_stay_as_they_are(service: TokenService) -> None:
    """A secret beside a token is refused, and an assertion whose issuer is no URL is an assertion (TOKEN-105)."""
    both = await credentials(service, pod_token(service), client_secret=SECRET)
    assertion = await credentials(service, pod_token(service, iss="other"))

    assert [(one.status_code, one.json()["error"]) for one in (both, assertion)] == [(400, "invalid_request")] * 2
