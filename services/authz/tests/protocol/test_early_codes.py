"""The response to the application in the last page of a sign-in, for pages that can lead there."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, CodeRedeemed, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Consent, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME
from portico_fakes.authz_service import ADA, CALLBACK, PASSWORD, WEB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_messages import read_step
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def last_page(browser: FakeBrowser, **parameters: str | None) -> Any:
    id = await browser.begin(**parameters)
    return await browser.answer(id, await browser.name(id), password=PASSWORD, to_application=True)


def code_in(step: Any) -> str:
    return dict(parse_qsl(urlsplit(str(step.continue_to)).query))["code"]


def resume_of(id: str) -> str:
    return f"{http.AUTHORIZE_RESUME}?request={id}"


async def redeem(bus: MemoryBus, code: str) -> CodeRedeemed:
    return await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))


async def test_last_page_leads_to_the_application(browser: FakeBrowser, bus: MemoryBus) -> None:
    """The page has the response that `resume` would give, and the cookie of the session (RFC 9207 section 2)."""
    done = await last_page(browser)
    address, _, query = done.continue_to.partition("?")
    grant = (await redeem(bus, code_in(done))).grant
    silent = Landing(await browser.authorize(prompt="none"))

    assert (done.name, address, done.return_uri) == (StepName.DONE, CALLBACK, CALLBACK)
    assert [name for name, _ in parse_qsl(query)] == ["code", "state", "iss"]
    assert grant is not None
    assert (grant.user_id, grant.amr) == (ADA.user_id, ("pwd",))
    assert "code" in silent.query


async def test_provider_leads_to_the_application(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME,)) for org in ("", "org-1")}
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    state = await browser.leave(await browser.begin(), ACME.id)
    parameters = {"state": state, "code": "right"}
    back = await browser.come_back(provider_id=ACME.id, parameters=parameters, to_application=True)

    assert (await redeem(bus, code_in(back.step))).grant is not None


async def test_lost_last_page_is_restored(browser: FakeBrowser, bus: MemoryBus) -> None:
    """The same form signs in again with the old handle, and the next code makes the lost one invalid."""
    id = await browser.begin()
    shown = await browser.name(id)
    lost = read_step((await browser.answer_raw(id, shown, password=PASSWORD, to_application=True)).content)
    again = await browser.answer(id, shown, password=PASSWORD, to_application=True)
    code = Landing(await browser.get(again.continue_to)).query["code"]

    assert again.continue_to == resume_of(id)
    assert (await redeem(bus, code)).grant is not None
    with pytest.raises(ServiceError, match="unknown"):
        await redeem(bus, code_in(lost))


async def test_application_gets_one_response(browser: FakeBrowser, bus: MemoryBus) -> None:
    """After the code is redeemed, the request gives no other."""
    id = await browser.begin()
    done = await browser.answer(id, await browser.name(id), password=PASSWORD, to_application=True)
    await redeem(bus, code_in(done))

    assert (await browser.get(resume_of(id))).status_code == 404


async def test_wrong_password_gets_no_code(browser: FakeBrowser) -> None:
    id = await browser.begin()
    wrong = await browser.answer(id, await browser.name(id), password="mistyped", to_application=True)

    assert (wrong.problem, wrong.continue_to, browser.handle != "") == (Problem.WRONG_CREDENTIALS, "", True)


@pytest.mark.parametrize(
    ("parameters", "changes"),
    [
        ({"response_mode": "fragment"}, {}),
        ({"response_mode": "form_post"}, {}),
        ({"response_type": "id_token", "nonce": "n"}, {}),
        ({"redirect_uri": "org.example.app:/callback"}, {}),
        ({"acr_values": None, "claims": '{"id_token":{"acr":{"essential":true,"value":"urn:portico:acr:mfa"}}}'}, {}),
        ({}, {"checks_roles": True}),
        ({}, {"checks_project": True}),
        ({}, {"consent": Consent.ALWAYS}),
    ],
)
async def test_everything_else_is_left_to_resume(
    authz: AuthzService, browser: FakeBrowser, parameters: dict[str, str | None], changes: dict[str, object]
) -> None:
    """Other modes and types, applications on a device, and requests that are not answered with a code yet."""
    uris = (*WEB.redirect_uris, "org.example.app:/callback")
    authz.peers.clients["web"] = replace(
        WEB,
        redirect_uris=uris,
        response_types=("code", "id_token"),
        grant_types=("authorization_code", "implicit"),
        **changes,
    )
    done = await last_page(browser, **parameters)

    assert done.continue_to.startswith(f"{http.AUTHORIZE_RESUME}?request=")
