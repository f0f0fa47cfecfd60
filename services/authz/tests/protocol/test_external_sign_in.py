"""Sign-in through another identity provider: the flow is bound to browser, request and provider."""

from __future__ import annotations

import asyncio

import pytest
from portico_authz.domain.auth_request import AuthRequest
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.login_external import Parked, ParkExternal
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode
from portico_contracts.users import BEGIN_EXTERNAL, BeginExternal, ExternalBegun, Factor, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME, ENDPOINT, GATE
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, CALLBACK, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryAuthRequests
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


def right(state: str) -> dict[str, str]:
    """Returns a provider's valid response."""
    return {"state": state, "code": "right"}


def stored_requests(authz: AuthzService) -> list[AuthRequest]:
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    return list(authz.stores.requests.records.values())


async def grant_of(authz: AuthzService, browser: FakeBrowser, continue_to: str) -> CodeGrant:
    """Returns the grant of a completed sign-in."""
    code = Landing(await browser.get(continue_to)).query["code"]
    question = RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def test_linked_identity_completes_the_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """State, nonce and challenge are of this flow, the handle changes, and the identity counts as one factor
    (LG-11).
    """
    id = await browser.begin(login_hint="ada@acme.example")
    shown = await browser.ask(id)
    away = await browser.answer(id, shown, provider=ACME.id)
    before = browser.handle
    [asked] = authz.peers.providers.begun
    back = await browser.come_back(provider_id=ACME.id, parameters=right(asked.state))
    [finished] = authz.peers.providers.finished
    grant = await grant_of(authz, browser, back.step.continue_to)

    assert shown.providers == (ACME, GATE)
    assert (away.name, away.continue_to, away.leave_to) == (StepName.DONE, "", f"{ENDPOINT}?state={asked.state}")
    assert asked.redirect_uri == f"https://id.example.test/ui/login/idps/{ACME.id}/callback"
    assert (asked.login_hint, len({asked.state, asked.nonce, finished.code_verifier})) == ("ada@acme.example", 3)
    assert min(map(len, (asked.state, asked.nonce, finished.code_verifier))) >= 43
    assert (back.request_id, browser.handle != before) == (id, True)
    assert (grant.user_id, grant.amr, grant.acr) == (ADA.user_id, (), "urn:portico:acr:pwd")


async def test_one_of_two_hundred_callbacks_is_accepted(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users is called once, and the other callbacks get AUTHZ-060."""
    state = await browser.leave(await browser.begin(), ACME.id)
    answers = await asyncio.gather(
        *(browser.come_back_raw(provider_id=ACME.id, parameters=right(state)) for _ in range(200))
    )

    assert [answer.status_code for answer in answers].count(200) == 1
    assert {answer.json()["details"][0]["id"] for answer in answers if answer.status_code != 200} == {"AUTHZ-060"}
    assert len(authz.peers.providers.finished) == 1


async def test_callback_is_bound_to_its_browser(authz: AuthzService, browser: FakeBrowser) -> None:
    """A callback opened by a victim signs no user in and stays valid in the browser that began the flow (LG-14)."""
    state = await browser.leave(await browser.begin(), ACME.id)
    stranger = authz.browser()
    await stranger.begin()
    refused = await stranger.come_back_raw(provider_id=ACME.id, parameters=right(state))
    unknown = await authz.browser().come_back_raw(provider_id=ACME.id, parameters=right(state))
    elsewhere = await browser.come_back_raw(provider_id=GATE.id, parameters=right(state))

    assert [reason_of(one.json()) for one in (refused, unknown, elsewhere)] == ["AUTHZ-061", "AUTHZ-060", "AUTHZ-062"]
    assert not authz.peers.providers.finished
    assert (await browser.come_back(provider_id=ACME.id, parameters=right(state))).step.name is StepName.DONE


def reason_of(body: dict[str, object]) -> str:
    details = body["details"]
    assert isinstance(details, list)
    return str(details[0]["id"])


async def test_flow_expires_after_ten_minutes(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    state = await browser.leave(await browser.begin(), ACME.id)
    clock.tick(601)
    late = await browser.come_back_raw(provider_id=ACME.id, parameters=right(state))

    assert reason_of(late.json()) == "AUTHZ-060"


@pytest.mark.parametrize("state", ["", "x", "00" + "A" * 43, "\u00fc" * 50])
async def test_unknown_state_finds_nothing(browser: FakeBrowser, state: str) -> None:
    """Any parameters of a callback give an error, never a fault."""
    await browser.begin()
    refused = await browser.come_back_raw(provider_id=ACME.id, parameters={"state": state, "code": "right"})

    assert (refused.status_code, reason_of(refused.json())) == (404, "AUTHZ-060")


@pytest.mark.parametrize("answer", ["error", "code"])
async def test_callback_after_the_answer_is_ignored(authz: AuthzService, browser: FakeBrowser, answer: str) -> None:
    """The application gets access_denied after Cancel, and else the user who has signed in for this request."""
    id = await browser.begin()
    state, page = await browser.leave(id, ACME.id), await browser.ask(id)
    await (browser.answer(id, page, cancel=True) if answer == "error" else browser.log_in(id))
    back = await browser.come_back(provider_id=ACME.id, parameters=right(state))

    assert answer in Landing(await browser.get(back.step.continue_to)).query
    assert not authz.peers.providers.finished


async def test_identity_counts_despite_a_login_in_another_tab(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    first, second = await browser.begin(), await browser.begin()
    state = await browser.leave(first, ACME.id)
    await browser.log_in(second, "ada")
    back = await browser.come_back(provider_id=ACME.id, parameters=right(state))

    assert (await grant_of(authz, browser, back.step.continue_to)).user_id == BOB.user_id


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [({"error": "access_denied"}, Problem.EXTERNAL_CANCELLED), ({"code": "wrong"}, Problem.EXTERNAL_FAILED)],
)
async def test_provider_error_returns_to_the_first_page(
    browser: FakeBrowser, parameters: dict[str, str], problem: Problem
) -> None:
    """The page shows what went wrong, and its form works."""
    id = await browser.begin()
    state = await browser.leave(id, ACME.id)
    back = await browser.come_back(provider_id=ACME.id, parameters={"state": state, **parameters})
    named = await browser.answer(id, back.step, login_name="ada")

    assert (back.step.name, back.step.problem) == (StepName.LOGIN_NAME, problem)
    assert named.name is StepName.PASSWORD


async def test_unreachable_provider_changes_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    shown = await browser.ask(id)
    authz.peers.providers.unreachable = True
    failed = await browser.answer_raw(id, shown, provider=ACME.id)
    authz.peers.providers.unreachable = False

    assert failed.status_code == 503
    assert (await browser.answer(id, shown, provider=ACME.id)).leave_to


async def test_unoffered_provider_is_not_contacted(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), provider="idp-of-others")

    assert (shown.name, shown.leave_to, authz.peers.providers.begun) == (StepName.LOGIN_NAME, "", [])


async def test_second_factor_follows_the_identity(authz: AuthzService, browser: FakeBrowser) -> None:
    """An external identity counts as the first factor only (LG-08)."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[ADA.user_id])
    id = await browser.begin()
    back = await browser.come_back(provider_id=ACME.id, parameters=right(await browser.leave(id, ACME.id)))
    done = await browser.answer(id, await browser.ask(id), code="111111")
    grant = await grant_of(authz, browser, done.continue_to)

    assert back.step.name is StepName.TOTP
    assert (grant.amr, grant.acr) == (("otp", "mfa"), "urn:portico:acr:mfa")


async def test_verified_address_follows_the_identity(authz: AuthzService, browser: FakeBrowser) -> None:
    """The emailed code verifies the address, and no password is recorded in amr."""
    authz.peers.policies["org-1"] = LoginPolicy(providers=(ACME,), verified_mail=True)
    id = await browser.begin()
    back = await browser.come_back(provider_id=ACME.id, parameters=right(await browser.leave(id, ACME.id)))
    done = await browser.answer(id, await browser.ask(id), code="K7PQ2M")

    assert back.step.name is StepName.VERIFY_EMAIL
    assert (await grant_of(authz, browser, done.continue_to)).amr == ()


async def test_identity_does_not_bypass_the_organization(authz: AuthzService, browser: FakeBrowser) -> None:
    """Bob is linked, but his organization is not the requested one."""
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    id = await browser.begin(scope="openid urn:portico:org:id:org-1")
    back = await browser.come_back(provider_id=ACME.id, parameters=right(await browser.leave(id, ACME.id)))

    assert (back.step.name, back.step.problem, back.step.set_cookie) == (
        StepName.LOGIN_NAME,
        Problem.EXTERNAL_FAILED,
        "",
    )


async def test_posted_response_is_stored_once(authz: AuthzService, browser: FakeBrowser) -> None:
    """A cross-site POST carries no cookie, so the next request brings it with the handle of the stored response
    (LG-14).
    """
    authz.peers.providers.form_post = True
    state = await browser.leave(await browser.begin(), ACME.id)
    response = await browser.external("park", ParkExternal(provider_id=ACME.id, parameters=right(state)))
    handle = decode(response.content, Parked).handle
    stranger = authz.browser()
    await stranger.begin()
    stolen = await stranger.come_back_raw(provider_id=ACME.id, handle=handle)
    back = await browser.come_back(provider_id=ACME.id, handle=handle)
    again = await browser.come_back_raw(provider_id=ACME.id, handle=handle)

    assert (reason_of(stolen.json()), reason_of(again.json())) == ("AUTHZ-061", "AUTHZ-060")
    assert back.step.name is StepName.DONE


async def test_post_is_refused_for_other_providers(browser: FakeBrowser) -> None:
    """A POST for a provider that uses GET is refused before it is stored."""
    state = await browser.leave(await browser.begin(), ACME.id)
    refused = await browser.external("park", ParkExternal(provider_id=ACME.id, parameters=right(state)))

    assert reason_of(refused.json()) == "AUTHZ-060"


async def test_scope_selects_a_provider_once(authz: AuthzService, browser: FakeBrowser) -> None:
    """A user who returns without a response, or restarts, gets the pages."""
    away = await browser.authorize(scope=f"openid urn:portico:idp:id:{ACME.id}")
    [request] = stored_requests(authz)
    id, page = request.id, await browser.ask(request.id)
    over = await browser.answer(id, page, restart=True)
    [asked] = authz.peers.providers.begun
    back = await browser.come_back(provider_id=ACME.id, parameters=right(asked.state))

    assert (away.status_code, away.headers["location"]) == (303, f"{ENDPOINT}?state={asked.state}")
    assert (page.name, page.leave_to) == (StepName.LOGIN_NAME, "")
    assert (over.name, (await browser.ask(id)).leave_to) == (StepName.LOGIN_NAME, "")
    assert back.step.name is StepName.DONE


async def test_scope_with_an_unreachable_provider_leads_to_the_pages(authz: AuthzService, browser: FakeBrowser) -> None:
    """The pages lead to the provider as soon as it can be reached."""
    authz.peers.providers.unreachable = True
    id = await browser.begin(scope=f"openid urn:portico:idp:id:{ACME.id}")
    authz.peers.providers.unreachable = False

    assert (await browser.ask(id)).leave_to.startswith(ENDPOINT)


async def test_scope_leads_only_to_a_web_address(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    async def begin(_: BeginExternal) -> ExternalBegun:
        return ExternalBegun(url="javascript:alert(1)", provider=ACME)

    bus.respond(BEGIN_EXTERNAL, begin)

    assert await browser.begin(scope=f"openid urn:portico:idp:id:{ACME.id}")


async def test_scope_with_an_unoffered_provider_has_no_effect(authz: AuthzService, browser: FakeBrowser) -> None:
    page = await browser.ask(await browser.begin(scope="openid urn:portico:idp:id:other"))

    assert (page.name, page.providers, authz.peers.providers.begun) == (StepName.LOGIN_NAME, (ACME, GATE), [])


async def test_scope_names_one_provider(browser: FakeBrowser) -> None:
    scope = "openid urn:portico:idp:id:a urn:portico:idp:id:b"

    assert Landing(await browser.authorize(scope=scope)).query["error"] == "invalid_scope"


async def test_earlier_security_key_is_not_claimed_again(clock: FrozenClock, bus: MemoryBus) -> None:
    """The identity is the first factor of the session, and a security key verified a day ago is not claimed (LG-08)."""
    authz = AuthzService(clock, bus, session_idle_seconds=30 * 86_400)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME,)) for org in ("", "org-1")}
    authz.peers.factors.give(ADA.user_id, Factor.U2F, Factor.TOTP)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[ADA.user_id])
    browser = authz.browser()
    id = await browser.begin()
    await browser.come_back(provider_id=ACME.id, parameters=right(await browser.leave(id, ACME.id)))
    key = await browser.ask(id)
    done = await browser.answer(id, key, credential=signed(key.options, KEY_OF[ADA.user_id]))
    first = await grant_of(authz, browser, done.continue_to)
    clock.tick(authz.settings.second_factor_seconds + 1)
    id = await browser.begin()
    totp = await browser.answer(id, await browser.ask(id), other=StepName.TOTP)
    done = await browser.answer(id, totp, code="111111")
    second = await grant_of(authz, browser, done.continue_to)

    assert (first.amr, first.acr) == (("pop", "user", "mfa"), "urn:portico:acr:phr")
    assert (second.session_id, second.amr, second.acr) == (first.session_id, ("otp", "mfa"), "urn:portico:acr:mfa")


async def test_later_flow_of_a_sign_in_replaces_the_earlier(authz: AuthzService, browser: FakeBrowser) -> None:
    """The flow that returns last replaces the earlier identity, and the earlier one is not linked (LG-08)."""
    id = await browser.begin()
    first, second = await browser.leave(id, ACME.id), await browser.leave(id, ACME.id)
    authz.peers.providers.find(ProviderRedirect.PROVE, BOB)
    waiting = await browser.come_back(provider_id=ACME.id, parameters=right(first))
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    done = await browser.come_back(provider_id=ACME.id, parameters=right(second))
    grant = await grant_of(authz, browser, done.step.continue_to)

    assert (waiting.step.name, grant.user_id, authz.peers.providers.linked) == (StepName.PASSWORD, ADA.user_id, [])


async def test_stored_response_expires_after_a_minute(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    authz.peers.providers.form_post = True
    state = await browser.leave(await browser.begin(), ACME.id)
    response = await browser.external("park", ParkExternal(provider_id=ACME.id, parameters=right(state)))
    clock.tick(61)
    late = await browser.come_back_raw(provider_id=ACME.id, handle=decode(response.content, Parked).handle)

    assert reason_of(late.json()) == "AUTHZ-060"


@pytest.mark.parametrize("parameters", [{str(n): "x" for n in range(21)}, {"code": "x" * 8_193}])
async def test_oversized_response_is_refused(
    authz: AuthzService, browser: FakeBrowser, parameters: dict[str, str]
) -> None:
    """The response is 400 before the flow is claimed, by GET and POST."""
    authz.peers.providers.form_post = True
    state = await browser.leave(await browser.begin(), ACME.id)
    sent = {**parameters, "state": state}
    came = await browser.come_back_raw(provider_id=ACME.id, parameters=sent)
    posted = await browser.external("park", ParkExternal(provider_id=ACME.id, parameters=sent))

    assert (came.status_code, posted.status_code) == (400, 400)
    assert (await browser.come_back(provider_id=ACME.id, parameters=right(state))).step.name is StepName.DONE
