"""Browsers that come back for an intent: they are bound to no sign-in, and no sign-in is bound to them (decision 0051)."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.login import StepName
from portico_contracts.login_external import GetJwtHeader, JwtHeader, Parked, ParkExternal, ParkJwt
from portico_contracts.subjects import decode
from portico_contracts.users import INTENT_STATE, IntentFlow, LoginPolicy, Onward, ProviderKind
from portico_fakes.authz_external import ACME, GATE
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

STATE = f"{INTENT_STATE}{'s' * 43}"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME, GATE)) for org in ("", "org-1", "org-2")}
    authz.peers.providers.find(Onward.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    """One without our cookie."""
    return authz.browser()


def id_of(response: httpx.Response) -> str:
    """The id of an error."""
    return str(response.json()["details"][0]["id"])


async def test_an_intent_comes_back_without_our_cookie(authz: AuthzService, browser: FakeBrowser) -> None:
    """It goes on to the caller's page, once, and no session begins."""
    authz.peers.providers.intents[STATE] = IntentFlow(provider_id=ACME.id, kind=ProviderKind.CODE)
    sent = {"provider_id": ACME.id, "parameters": {"state": STATE, "code": "c", "iss": "i"}}
    back = await browser.come_back(**sent)
    again = await browser.come_back_raw(**sent)
    [returned] = authz.peers.providers.returned

    assert (back.request_id, back.step.name, back.step.leave_to) == (
        "",
        StepName.DONE,
        "https://pages.example/success?token=1",
    )
    assert (back.step.continue_to, back.step.set_cookie) == ("", "")
    assert (returned.provider_id, returned.parameters, returned.jwt) == (ACME.id, sent["parameters"], "")
    assert (id_of(again), authz.peers.providers.finished) == ("TEST-053", [])


async def test_a_sign_in_s_state_is_no_intent_and_the_other_way_round(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """Neither is reached by what belongs to the other; each is still good afterwards (LG-14)."""
    authz.peers.providers.intents[STATE] = IntentFlow(provider_id=ACME.id, kind=ProviderKind.CODE)
    state = await browser.leave(await browser.begin(), ACME.id)
    renamed = [state.removeprefix("x"), f"{INTENT_STATE}{state}", STATE.removeprefix(INTENT_STATE)]
    refused = [
        await authz.browser().come_back_raw(provider_id=ACME.id, parameters={"state": one, "code": "right"})
        for one in renamed
    ]
    signed_in = await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})

    assert [id_of(one) for one in refused] == ["AUTHZ-060", "TEST-053", "AUTHZ-060"]
    assert (signed_in.step.name, signed_in.step.leave_to) == (StepName.DONE, "")
    assert authz.peers.providers.returned == []


async def test_a_jwt_is_passed_on_for_the_pair_that_was_sent(authz: AuthzService, browser: FakeBrowser) -> None:
    """The proxy's hop is that of a sign-in (decision 5.14)."""
    flow = IntentFlow(provider_id=GATE.id, kind=ProviderKind.JWT, user_agent="agent", jwt_header="x-gate-jwt")
    authz.peers.providers.intents[STATE] = flow
    names = {"auth_request": STATE, "user_agent": "agent"}
    header = decode((await browser.external("jwt-header", GetJwtHeader(**names))).content, JwtHeader)
    other = await browser.external("jwt", ParkJwt(auth_request=STATE, user_agent="another", jwt="j"))
    parked = decode((await browser.external("jwt", ParkJwt(jwt="j", **names))).content, Parked)
    back = await browser.come_back(handle=parked.handle)
    again = await browser.come_back_raw(handle=parked.handle)
    [returned] = authz.peers.providers.returned

    assert (header.name, id_of(other)) == ("x-gate-jwt", "AUTHZ-060")
    assert back.step.leave_to == "https://pages.example/success?token=1"
    assert (returned.provider_id, returned.jwt, returned.parameters) == (GATE.id, "j", {})
    assert id_of(again) == "AUTHZ-060"


@pytest.mark.parametrize(("form_post", "provider_id"), [(True, ACME.id), (False, ACME.id), (True, GATE.id)])
async def test_a_post_is_parked_only_where_one_is_awaited(
    authz: AuthzService, browser: FakeBrowser, form_post: bool, provider_id: str
) -> None:
    """As for a sign-in: only for the provider the intent waits for, and only where it answers by a post."""
    authz.peers.providers.intents[STATE] = IntentFlow(provider_id=ACME.id, kind=ProviderKind.CODE, form_post=form_post)
    sent = ParkExternal(provider_id=provider_id, parameters={"state": STATE, "code": "c"})
    answer = await browser.external("park", sent)
    if not form_post or provider_id != ACME.id:
        assert id_of(answer) == "AUTHZ-060"
        return
    back = await browser.come_back(handle=decode(answer.content, Parked).handle)

    assert back.step.leave_to == "https://pages.example/success?token=1"


async def test_an_unknown_intent_parks_nothing(browser: FakeBrowser) -> None:
    """Visitors cannot fill the store with what belongs to nothing."""
    names = {"auth_request": STATE, "user_agent": "agent"}
    asked = [
        await browser.external("jwt-header", GetJwtHeader(**names)),
        await browser.external("jwt", ParkJwt(jwt="j", **names)),
        await browser.external("park", ParkExternal(provider_id=ACME.id, parameters={"state": STATE})),
    ]

    assert [id_of(one) for one in asked] == ["TEST-053"] * 3
