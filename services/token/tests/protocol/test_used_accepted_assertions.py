"""What becomes of identity assertions: each is used once, keys change, and tokens end with what allowed them
(decision 0157).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from portico_contracts.http import TOKEN
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer, BearerFound
from portico_contracts.users import AGENT_USED, Dpop, IssuerKeys, ProjectAccess
from portico_fakes.accepted_assertions import (
    CLIENT,
    KEY,
    OTHER,
    PROVIDER,
    RESOURCE,
    SUBJECT,
    assertion,
    exchange,
    with_trust,
)
from portico_fakes.assertions import registered
from portico_fakes.clock import FrozenClock
from portico_fakes.dpop_proofs import Prover
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_harness.rows import row

from .test_diagnostics import diagnostics_of


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    token_service.register("web")
    return with_trust(token_service)


async def test_an_assertion_works_once(service: TokenService) -> None:
    """A second use has the bytes of any other refusal (JW-10); another assertion of the same time works."""
    text = assertion(service)

    statuses = [(await exchange(service, one)).status_code for one in (text, text, assertion(service))]

    assert statuses == [200, 400, 200]


async def test_two_hundred_uses_of_one_assertion_are_one(service: TokenService) -> None:
    """However many requests arrive together, one of them gets a token (JW-10)."""
    text = assertion(service)

    statuses = [one.status_code for one in await asyncio.gather(*(exchange(service, text) for _ in range(200)))]

    assert sorted(statuses) == [200] + [400] * 199


async def test_nothing_is_issued_while_redis_is_away(service: TokenService) -> None:
    """Whether an assertion was used before cannot be decided then: the response is 503, and it works later."""
    assertions: Any = service.parts.assertions  # type: ignore[union-attr]
    text = assertion(service)
    assertions.down = True
    away = await exchange(service, text)
    assertions.down = False

    assert (away.status_code, (await exchange(service, text)).status_code) == (503, 200)


async def test_a_rotated_key_works_at_its_first_assertion(service: TokenService) -> None:
    """The issuer signs with a new key: no request fails, and only keys that are not known are requested."""
    statuses = [(await exchange(service, assertion(service))).status_code for _ in range(2)]
    service.users.issuer_keys[PROVIDER] = IssuerKeys(keys=(registered(KEY), registered(OTHER)))
    statuses += [(await exchange(service, assertion(service, OTHER))).status_code for _ in range(2)]

    assert statuses == [200] * 4
    asked = [(one.client_id, one.provider_id, one.issuer, one.kid) for one in service.users.keys_asked]
    assert asked == [(CLIENT, "idp-1", PROVIDER, "p1"), (CLIENT, "idp-1", PROVIDER, "p2")]


async def test_an_assertion_may_be_bound_to_a_key(service: TokenService, clock: FrozenClock) -> None:
    """With `cnf`, only the holder of the key gets a token, which is bound to it (RFC 9449 section 6)."""
    service.register(CLIENT, dpop=Dpop.ALLOWED)
    key, another = (Prover(ISSUER, clock.now()) for _ in range(2))
    text = assertion(service, cnf={"jkt": key.jkt})
    answers = [
        await exchange(service, text, headers=headers) for headers in ({}, another.headers(TOKEN), key.headers(TOKEN))
    ]

    assert [one.status_code for one in answers] == [400, 400, 200]
    assert answers[2].json()["token_type"] == "DPoP"
    assert [trace.checks[-1].hint for trace in (await diagnostics_of(service))[:2]] == ["no_proof", "other_key"]


async def test_a_bound_assertion_names_dpop_where_it_is_off(service: TokenService, clock: FrozenClock) -> None:
    """Proofs are not read then, so that the key of the proof is not the reason."""
    key = Prover(ISSUER, clock.now())
    for headers in ({}, key.headers(TOKEN)):
        await exchange(service, assertion(service, cnf={"jkt": key.jkt}), headers=headers)

    assert [trace.checks[-1].hint for trace in await diagnostics_of(service)] == ["dpop_off"] * 2


async def test_the_use_is_reported(service: TokenService) -> None:
    """With the provider by whose assertion, also of an application that is no agent: for the ledger (0154)."""
    await exchange(service, assertion(service))
    reported: Any = service.bus.reported  # type: ignore[attr-defined]
    [used] = [message for subject, message in reported if subject == AGENT_USED.subject]

    assert (used.user_id, used.client_id, used.provider) == (USER, CLIENT, "idp-1")
    assert used.audience == (RESOURCE, "files")


async def test_tokens_end_with_what_allowed_them(service: TokenService, clock: FrozenClock) -> None:
    """Within a second of the end of the rule, of a scope in it, of the link and of the client."""
    first = service.users.accepted.trusts[CLIENT, PROVIDER]
    narrower = with_trust(service).users.accepted.trusts[CLIENT, PROVIDER][0].access[0]
    less = (msgspec.structs.replace(first[0], access=(msgspec.structs.replace(narrower, scopes=("files.read",)),)),)

    def end_link() -> None:
        del service.users.accepted.links["idp-1", SUBJECT]

    def end_client() -> None:
        del service.users.clients[CLIENT]

    ends: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("rule", lambda: service.users.accepted.trusts.__setitem__((CLIENT, PROVIDER), ())),
        ("scope", lambda: service.users.accepted.trusts.__setitem__((CLIENT, PROVIDER), less)),
        ("link", end_link),
        ("another user", lambda: service.users.accepted.links.__setitem__(("idp-1", SUBJECT), "user-2")),
        ("client", end_client),
        ("user", service.users.people.clear),
    )
    for name, end in ends:
        with row(name):
            people = dict(service.users.people)
            token = (await exchange(with_trust(service), assertion(service))).json()["access_token"]
            assert (await service.introspect(token, "files")).json()["active"]
            end()
            clock.tick(1.1)

            ended = (await service.introspect(token, "files")).json()

            assert ended == {"active": False}
            service.users.people.update(people)
            with_trust(service)
            clock.tick(1.1)


async def test_tokens_are_for_no_other_use(service: TokenService) -> None:
    """No other API sees them as active, userinfo shows the id alone, and our own API does not know their user."""
    service.register("other")
    service.register(CLIENT, management_access=True)
    token = (await exchange(service, assertion(service))).json()["access_token"]

    elsewhere = await service.introspect(token, "other")
    about = await service.userinfo(token)
    bearer = await service.bus.call(AUTHENTICATE_BEARER, AuthenticateBearer(token=token, audience="files"))

    assert elsewhere.json() == {"active": False}
    assert about.status_code == 403 or set(about.json()) == {"sub"}
    assert bearer == BearerFound()


async def test_a_user_outside_the_project_gets_no_token(service: TokenService) -> None:
    """An application that admits users of its project only admits no others by an assertion."""
    service.register(CLIENT, checks_project=True)
    service.users.admissions[USER, "project-1"] = ProjectAccess(has_project=False)

    assert (await exchange(service, assertion(service))).status_code == 400


async def test_our_own_assertions_are_not_accepted(service: TokenService) -> None:
    """Even if an organization trusted this installation (its issuer may have changed since)."""
    service.users.accepted.trusts[CLIENT, ISSUER] = service.users.accepted.trusts[CLIENT, PROVIDER]
    service.users.issuer_keys[ISSUER] = IssuerKeys(keys=(registered(KEY),))

    assert (await exchange(service, assertion(service, iss=ISSUER))).status_code == 400


async def test_an_unknown_issuer_is_never_fetched(service: TokenService) -> None:
    """Keys are requested only of an issuer that an organization trusts for the client."""
    await exchange(service, assertion(service, iss="https://other.example.test"))
    await exchange(service, assertion(service, client_id="web"), "web")

    assert service.users.keys_asked == []


async def test_each_refusal_costs_one_verification(service: TokenService, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown issuer or key costs a verification like a wrong signature (P9)."""
    spent: list[object] = []
    path = "portico_token.accepted_assertions.verification.spend_a_verification"
    monkeypatch.setattr(path, lambda _text, alg: spent.append(alg))
    for text in (
        assertion(service, iss="https://other.example.test"),
        assertion(service, OTHER),
        assertion(service, header={"alg": "HS256"}),
    ):
        with row(text):
            spent.clear()

            assert (await exchange(service, text)).status_code == 400

            assert len(spent) == 1
