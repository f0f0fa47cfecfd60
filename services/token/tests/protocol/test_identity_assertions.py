"""Identity assertions for outside authorization servers (decision 0153)."""

from __future__ import annotations

import asyncio

import jwt
import pytest
from portico_contracts import http
from portico_contracts.users import AssertionRequested, Dpop
from portico_fakes.clock import FrozenClock
from portico_fakes.dpop_proofs import Prover
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_oauth.jose import SigningKey

from .assertion_requests import (
    CHAT,
    GRANTS,
    JAG,
    MCP,
    OF_REFRESH,
    ask,
    claims_of,
    error_of,
    offering,
    signed_in,
)


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    return offering(token_service)


async def test_assertion_has_what_the_draft_names(
    service: TokenService, clock: FrozenClock, signing_keys: tuple[SigningKey, ...]
) -> None:
    """An assertion is a JWT of its own type for one audience and one client there, which ends after five minutes."""
    tokens = await signed_in(service, acr="urn:portico:acr:2", amr=("pwd", "otp"))
    answer = await ask(service, tokens["id_token"])
    body, now = answer.json(), int(clock.now())
    key = next(one for one in signing_keys if one.alg == "ES256")
    header = jwt.get_unverified_header(body["access_token"])
    claims = jwt.decode(
        body.pop("access_token"), key.private.public_key(), ["ES256"], audience=CHAT, options={"verify_exp": False, "verify_iat": False}
    )  # fmt: skip
    jti = claims.pop("jti")

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert body == {"issued_token_type": JAG, "token_type": "N_A", "expires_in": 300, "scope": "chat.read"}
    assert header == {"alg": "ES256", "kid": key.kid, "typ": "oauth-id-jag+jwt"}
    assert len(jti) == 22
    assert claims == {
        "iss": ISSUER,
        "sub": USER,
        "aud": CHAT,
        "client_id": "assistant-at-chat",
        "iat": now,
        "exp": now + 300,
        "resource": MCP,
        "scope": "chat.read",
        "auth_time": now - 5,
        "acr": "urn:portico:acr:2",
        "amr": ["pwd", "otp"],
    }


async def test_rule_decides_on_what_was_requested(service: TokenService) -> None:
    """Users gets the request as it was sent, after the user of the id_token is known."""
    tokens = await signed_in(service)
    await ask(service, tokens["id_token"])
    last = service.users.assertions_asked[-1]

    assert (last.client_id, last.user_id, last.audience) == ("assistant", USER, CHAT)
    assert (last.resources, last.scope) == ((MCP,), ("chat.read", "chat.history"))


async def test_several_resources_and_email_are_stated(service: TokenService) -> None:
    """A list names several resources; the address is there only where the rule gives it."""
    tokens = await signed_in(service)
    plain = claims_of(await ask(service, tokens["id_token"]))
    service.users.assertion = AssertionRequested(
        audience=CHAT, client_id="assistant", resources=(MCP, f"{MCP}/two"), email="ada@example.test"
    )
    full = claims_of(await ask(service, tokens["id_token"]))

    assert "email" not in plain
    assert (full["email"], full["resource"]) == ("ada@example.test", [MCP, f"{MCP}/two"])
    assert "scope" not in full


async def test_each_assertion_has_another_id(service: TokenService) -> None:
    """The outside server can accept each of them once."""
    tokens = await signed_in(service)
    ids = {claims_of(await ask(service, tokens["id_token"]))["jti"] for _ in range(3)}

    assert len(ids) == 3


async def test_nothing_is_stored(service: TokenService, grants: MemoryGrants) -> None:
    """An assertion is no grant: it neither adds a token nor changes what the user has."""
    tokens = await signed_in(service)
    before = {id: (one.tokens.copy(), one.refresh) for id, one in grants.held.items()}
    assert (await ask(service, tokens["id_token"])).status_code == 200
    assert (await ask(service, tokens["refresh_token"], OF_REFRESH)).status_code == 200

    assert {id: (one.tokens, one.refresh) for id, one in grants.held.items()} == before


async def test_refresh_token_is_checked_and_not_consumed(service: TokenService) -> None:
    """The same refresh token gives assertions until it is used, and a used one ends its grant as in a refresh."""
    tokens = await signed_in(service)
    given = [claims_of(await ask(service, tokens["refresh_token"], OF_REFRESH)) for _ in range(3)]
    new = (await service.refresh(tokens["refresh_token"], "assistant")).json()
    stolen = error_of(await ask(service, tokens["refresh_token"], OF_REFRESH))
    after = error_of(await ask(service, new["refresh_token"], OF_REFRESH))

    assert {one["sub"] for one in given} == {USER}
    assert (stolen, after) == ((400, "invalid_grant", "TOKEN-332"), (400, "invalid_grant", "TOKEN-332"))


async def test_hook_adds_nothing(service: TokenService) -> None:
    """A token hook adds claims to tokens of this installation, and assertions are none."""
    tokens = await signed_in(service)
    before = len(service.users.hooked)
    await ask(service, tokens["id_token"])

    assert len(service.users.hooked) == before


async def test_assertion_is_bound_to_a_proven_key(service: TokenService) -> None:
    """With a DPoP proof the assertion has `cnf`, and its type stays N_A; without one it has none."""
    service.register("assistant", grant_types=GRANTS, dpop=Dpop.ALLOWED)
    tokens, prover = await signed_in(service), Prover(ISSUER, service.clock.now())
    bound = await ask(service, tokens["id_token"], headers=prover.headers(http.TOKEN))
    plain = await ask(service, tokens["id_token"])

    assert claims_of(bound)["cnf"] == {"jkt": prover.jkt}
    assert bound.json()["token_type"] == "N_A"
    assert "cnf" not in claims_of(plain)


async def test_application_with_required_proofs_needs_one(service: TokenService) -> None:
    """What the application demands of its tokens holds for assertions."""
    tokens = await signed_in(service)
    service.register("assistant", grant_types=GRANTS, dpop=Dpop.REQUIRED)
    await service.publish_app_changed()
    answer = await ask(service, tokens["id_token"])

    assert answer.status_code == 400
    assert "access_token" not in answer.json()


async def test_two_hundred_assertions_of_one_refresh_token(service: TokenService) -> None:
    """Requests at the same time neither consume the token nor end its grant."""
    tokens = await signed_in(service)
    answers = await asyncio.gather(
        *(ask(service, tokens["refresh_token"], OF_REFRESH) for _ in range(200)),
        service.refresh(tokens["refresh_token"], "assistant"),
    )
    *given, refreshed = answers
    statuses = {one.status_code for one in given}

    assert refreshed.status_code == 200
    assert statuses <= {200, 400}
    assert given[0].status_code == 200
