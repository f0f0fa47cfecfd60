"""JWT providers: a proxy on another domain sends the JWT, and the browser sends its cookie afterwards."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.login_external import GetJwtHeader, JwtHeader, Parked, ParkJwt
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode
from portico_contracts.users import LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME, GATE
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


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


async def test_jwt_is_accepted_once_and_from_its_browser(authz: AuthzService, browser: FakeBrowser) -> None:
    """The request without a cookie stores the JWT, and the next one with a cookie is compared (decision 0047,
    LG-14).
    """
    await browser.leave(await browser.begin(), GATE.id)
    [asked] = authz.peers.providers.begun
    names = {"auth_request": asked.auth_request, "user_agent": asked.user_agent}
    header = decode((await browser.external("jwt-header", GetJwtHeader(**names))).content, JwtHeader)
    parked = [
        decode((await browser.external("jwt", ParkJwt(jwt="right", **names))).content, Parked).handle for _ in range(2)
    ]
    stranger = authz.browser()
    await stranger.begin()
    stolen = await stranger.come_back_raw(handle=parked[0])
    back = await browser.come_back(handle=parked[0])
    again = [await browser.come_back_raw(handle=handle) for handle in parked]

    assert header.name == "x-gate-jwt"
    assert id_of(stolen) == "AUTHZ-061"
    assert back.step.name is StepName.DONE
    assert [id_of(one) for one in again] == ["AUTHZ-060", "AUTHZ-060"]
    assert [(one.jwt, one.user_agent) for one in authz.peers.providers.finished] == [("right", asked.user_agent)]


async def test_only_the_sent_pair_names_a_flow(authz: AuthzService, browser: FakeBrowser) -> None:
    """The userAgentID identifies the browser and is the same in each of its flows (decision 0047)."""
    stranger = authz.browser()
    for one in (browser, stranger, browser):
        await one.leave(await one.begin(), GATE.id)
    code = await browser.leave(await browser.begin(), ACME.id)
    first, second, third, acme = authz.peers.providers.begun
    pairs = [(first.auth_request, second.user_agent), ("x", first.user_agent), (code, acme.user_agent)]
    refused = [await browser.external("jwt", ParkJwt(auth_request=a, user_agent=b, jwt="right")) for a, b in pairs]

    assert first.user_agent == third.user_agent != second.user_agent
    assert first.user_agent != acme.user_agent
    assert [id_of(one) for one in refused] == ["AUTHZ-060"] * 3


@pytest.mark.parametrize("jwt", ["", "x" * 16_385])
async def test_missing_jwt_is_400_and_keeps_the_flow(authz: AuthzService, browser: FakeBrowser, jwt: str) -> None:
    await browser.leave(await browser.begin(), GATE.id)
    [asked] = authz.peers.providers.begun
    names = {"auth_request": asked.auth_request, "user_agent": asked.user_agent}

    assert (await browser.external("jwt", ParkJwt(jwt=jwt, **names))).status_code == 400
    assert (await browser.external("jwt", ParkJwt(jwt="right", **names))).status_code == 200


async def test_code_is_not_an_answer_of_a_jwt_provider(authz: AuthzService, browser: FakeBrowser) -> None:
    """The callback uses the stored JWT and ignores parameters in the URL."""
    state = await browser.leave(await browser.begin(), GATE.id)
    refused = await browser.come_back_raw(provider_id=GATE.id, parameters={"state": state, "code": "right"})

    assert (id_of(refused), authz.peers.providers.finished) == ("AUTHZ-060", [])
