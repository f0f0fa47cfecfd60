"""Agents: what they do is what the user allows, and their tokens are reported for the ledger (decision 0154)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import AGENT_USED, AgentUsed, Api, ApiScope, Consent
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN, TOKEN_EXCHANGE
from portico_token.issuing import agent_uses

ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
NOTES = Api(client_id="notes", resources=("https://notes.example",), scopes=("notes.read",))
SCOPE = ("openid", "offline_access", "notes.read")
ALLOWED = (*SCOPE[:2], ApiScope("notes", "notes.read"))


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    """An application and an agent that users sign in to; the agent may exchange tokens of the application."""
    signs_in = (AUTHORIZATION_CODE, REFRESH_TOKEN)
    members = ("app", "agent", "notes", "project-1")
    token_service.register("app", grant_types=signs_in, audience=members)
    token_service.register(
        "agent", grant_types=(*signs_in, TOKEN_EXCHANGE), audience=members, consent=Consent.ONCE, agent=True
    )
    token_service.register("notes", audience=("notes",), grant_types=(TOKEN_EXCHANGE,))
    token_service.users.apis = {"app": (NOTES,), "agent": (NOTES,), "notes": (NOTES,)}
    token_service.users.consents[USER, "agent"] = ALLOWED
    return token_service


def reported(bus: MemoryBus) -> list[AgentUsed]:
    return [body for subject, body in bus.reported if subject == AGENT_USED.subject]


async def signed_in(service: TokenService, client: str = "agent") -> dict[str, Any]:
    answer = await service.redeem(service.issue_code(client, scope=SCOPE), client)
    assert answer.status_code == 200, answer.text
    tokens: dict[str, Any] = answer.json()
    return tokens


async def exchange(service: TokenService, token: str, client: str) -> Any:
    form = {"subject_token": token, "subject_token_type": ACCESS_TOKEN, "audience": "notes", "scope": "notes.read"}
    return await service.token({"grant_type": TOKEN_EXCHANGE, **form}, basic=(client, SECRET))


async def test_agent_exchanges_only_what_the_user_allowed_it(service: TokenService) -> None:
    """The consent to the application of the sign-in is not enough for an agent that exchanges its token."""
    token = (await signed_in(service, "app"))["access_token"]
    allowed = await exchange(service, token, "agent")
    service.users.consents[USER, "agent"] = ("openid",)
    refused = await exchange(service, token, "agent")

    assert allowed.status_code == 200, allowed.text
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_scope")


async def test_use_of_an_agent_is_reported_once_an_hour(
    service: TokenService, bus: MemoryBus, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sign-in and each refresh cost nothing more within the hour."""
    assert agent_uses.EVERY == 3_600
    monkeypatch.setattr(agent_uses, "EVERY", 20.0)  # the signing key of the test expires before an hour has passed
    tokens = await signed_in(service)
    for _ in range(3):
        tokens = (await service.refresh(tokens["refresh_token"], "agent")).json()
    (first,) = reported(bus)
    clock.tick(20)
    await signed_in(service)

    assert (first.user_id, first.client_id, first.via, first.scope) == (USER, "agent", "", SCOPE)
    assert "notes" in first.audience
    assert [one.at - first.at for one in reported(bus)] == [0, 20]


async def test_exchange_of_a_token_of_an_agent_names_both(service: TokenService, bus: MemoryBus) -> None:
    """The API that exchanged it for the next one is `via`; the use is the agent's."""
    token = (await signed_in(service))["access_token"]
    answer = await exchange(service, token, "notes")
    used = reported(bus)[-1]

    assert answer.status_code == 200, answer.text
    assert (used.client_id, used.via, used.audience) == ("agent", "notes", ("notes", *NOTES.resources))


async def test_other_applications_are_not_reported(service: TokenService, bus: MemoryBus) -> None:
    tokens = await signed_in(service, "app")
    await service.refresh(tokens["refresh_token"], "app")
    await exchange(service, tokens["access_token"], "notes")

    assert reported(bus) == []


async def test_tokens_are_issued_while_users_cannot_be_told(service: TokenService, bus: MemoryBus) -> None:
    """The report is not part of the answer: it fails without an effect on the tokens."""
    bus.silent.add(AGENT_USED.subject)

    assert "refresh_token" in await signed_in(service)


async def test_code_redeemed_while_access_ends_gives_no_token(
    service: TokenService, grants: MemoryGrants, clock: FrozenClock
) -> None:
    """The consent was read before its removal, and the grant would be stored after the revocation."""

    class Ending(dict[tuple[str, str], Any]):
        def get(self, key: tuple[str, str], default: Any = None) -> Any:
            grants.clients_ended[USER, "agent"] = clock.now()
            return ALLOWED

    service.users.consents = Ending()
    answer = await service.redeem(service.issue_code("agent", scope=SCOPE), "agent")
    clock.tick(1)
    service.users.consents = {(USER, "agent"): ALLOWED}

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert grants.held == {}
    assert (await service.redeem(service.issue_code("agent", scope=SCOPE), "agent")).status_code == 200
