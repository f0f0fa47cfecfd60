"""Provider callbacks for an intent, which is bound to no sign-in (decision 0051)."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.login_external import GetJwtHeader, JwtHeader, Parked, ParkExternal, ParkJwt
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode
from portico_contracts.users import INTENT_STATE, IntentFlow, LoginPolicy, ProviderKind, ProviderRedirect
from portico_fakes.authz_external import ACME, GATE
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

STATE = f"{INTENT_STATE}{'s' * 43}"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME, GATE)) for org in ("", "org-1", "org-2")}
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def id_of(response: httpx.Response) -> str:
    return str(response.json()["details"][0]["id"])


async def test_intent_returns_without_our_cookie(authz: AuthzService, browser: FakeBrowser) -> None:
    """The browser is redirected to the caller's page once, and no session starts."""
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


async def test_state_of_sign_in_and_intent_are_separate(authz: AuthzService, browser: FakeBrowser) -> None:
    """The state of a sign-in is refused for an intent and vice versa, and neither is used up (LG-14)."""
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


async def test_jwt_is_forwarded_for_the_sent_pair(authz: AuthzService, browser: FakeBrowser) -> None:
    """The proxy's request is that of a sign-in (decision 0047)."""
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
async def test_post_is_stored_only_where_expected(
    authz: AuthzService, browser: FakeBrowser, form_post: bool, provider_id: str
) -> None:
    """A POST is stored only for the provider the intent waits for, if that provider uses POST."""
    authz.peers.providers.intents[STATE] = IntentFlow(provider_id=ACME.id, kind=ProviderKind.CODE, form_post=form_post)
    sent = ParkExternal(provider_id=provider_id, parameters={"state": STATE, "code": "c"})
    answer = await browser.external("park", sent)
    if not form_post or provider_id != ACME.id:
        assert id_of(answer) == "AUTHZ-060"
        return
    back = await browser.come_back(handle=decode(answer.content, Parked).handle)

    assert back.step.leave_to == "https://pages.example/success?token=1"


async def test_unknown_intent_stores_nothing(browser: FakeBrowser) -> None:
    names = {"auth_request": STATE, "user_agent": "agent"}
    asked = [
        await browser.external("jwt-header", GetJwtHeader(**names)),
        await browser.external("jwt", ParkJwt(jwt="j", **names)),
        await browser.external("park", ParkExternal(provider_id=ACME.id, parameters={"state": STATE})),
    ]

    assert [id_of(one) for one in asked] == ["TEST-053"] * 3
