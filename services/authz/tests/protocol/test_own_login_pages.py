"""Sign-ins on own login pages, from the redirect to the response (decision 0107)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts import events, http
from portico_contracts.authz import LIST_SESSIONS, REDEEM_CODE, CodeGrant, ListSessions, RedeemCode
from portico_contracts.login_sessions import GET_LOGIN_REQUEST, GetLoginRequest, LoginChallenges
from portico_contracts.step_names import StepName
from portico_contracts.users import Consent, Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, CALLBACK, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_client import LoginClient, begin_at
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHRH

PAGES = "https://login.example.test/pages"
HOST = "id.example.test"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus, zitadel_names=True, own_login_url=PAGES)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.fixture
def client(authz: AuthzService) -> LoginClient:
    return LoginClient(authz.bus)


async def landed(browser: FakeBrowser, address: str) -> Landing:
    """Opens the address of a finished sign-in, and the redirect to the response."""
    leaving = await browser.get(address)
    assert leaving.status_code == 303, leaving.text
    return Landing(await browser.get(leaving.headers["location"]))


async def grant_of(bus: MemoryBus, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def test_password_signs_in(browser: FakeBrowser, client: LoginClient, bus: MemoryBus, clock: FrozenClock) -> None:
    """The browser gets another handle, and a session whose time is that of the password."""
    id = await begin_at(browser)
    before, verified = browser.handle, clock.now()
    signed_in = await client.with_password()
    clock.tick(30)
    landing = await landed(browser, await signed_in.finish(id))

    grant = await grant_of(bus, landing)
    assert (grant.user_id, grant.amr, grant.acr) == (ADA.user_id, ("pwd",), ACR_PASSWORD)
    assert grant.auth_time == int(verified)
    assert browser.handle not in ("", before)
    assert "code" in Landing(await browser.authorize(prompt="none")).query


async def test_sign_in_is_published_for_its_application(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    id = await begin_at(browser)
    await landed(browser, await (await client.with_password()).finish(id))
    await authz.publisher.settle()

    [signed_in] = [body for subject, body in bus.published if subject == events.LOGIN_SUCCEEDED.subject]
    assert (signed_in.user_id, signed_in.client_id, signed_in.methods) == (ADA.user_id, "web", ("pwd",))
    assert [body.user_id for subject, body in bus.published if subject == events.SESSION_STARTED.subject] == ["u-ada"]


@pytest.mark.parametrize(
    ("factor", "check", "amr"),
    [
        (Factor.TOTP, "totp", ("pwd", "otp", "mfa")),
        (Factor.OTP_EMAIL, "otp_email", ("pwd", "otp", "mfa")),
        (Factor.OTP_SMS, "otp_sms", ("pwd", "otp", "sms", "mfa")),
    ],
)
async def test_second_factor_counts(
    authz: AuthzService,
    browser: FakeBrowser,
    client: LoginClient,
    bus: MemoryBus,
    factor: Factor,
    check: str,
    amr: tuple[str, ...],
) -> None:
    authz.peers.factors.give(ADA.user_id, factor)
    authz.peers.set_policy("org-1", factors=(factor,))
    id = await begin_at(browser)
    session = await client.with_password()
    code = "111111"
    if factor is not Factor.TOTP:
        session = session.at(
            await session.checked(
                challenges=LoginChallenges(otp_email=check == "otp_email", otp_sms=check == "otp_sms")
            )
        )
        code = "12345678"
    session = await session.with_checks(**{check: code})

    grant = await grant_of(bus, await landed(browser, await session.finish(id)))
    assert (grant.amr, grant.acr) == (amr, ACR_MULTI_FACTOR)


async def test_passkey_counts_as_two_factors(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    """The acr is the one of the login pages, also for a key that cannot be copied."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY, Factor.TOTP)
    authz.peers.factors.device_bound.add(ADA.user_id)
    id = await begin_at(browser, acr_values=ACR_PHRH)
    begun = await client.checked(login_name="ada", challenges=LoginChallenges(domain=HOST, user_verification=True))
    session = await client.at(begun).with_checks(credential=signed(begun.options, KEY_OF[ADA.user_id]))

    grant = await grant_of(bus, await landed(browser, await session.finish(id)))
    assert (grant.amr, grant.acr) == (("hwk", "user", "mfa"), ACR_PHRH)


async def test_security_key_is_a_second_factor_only(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    id = await begin_at(browser)
    begun = await client.checked(login_name="ada", challenges=LoginChallenges(domain=HOST))
    keyed = await client.at(begun).with_checks(credential=signed(begun.options, KEY_OF[ADA.user_id]))
    assert (state := await keyed.state()) is not None
    assert (state.webauthn_at > 0, state.webauthn_user_verified) == (True, True)
    session = await keyed.with_password("")

    grant = await grant_of(bus, await landed(browser, await session.finish(id)))
    assert grant.amr == ("pwd", "pop", "user", "mfa")


async def test_second_factor_ends_with_its_lifetime(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, clock: FrozenClock
) -> None:
    """From when it was verified, not from the end of the sign-in: a session needs another one then (LG-08)."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    seconds = authz.settings.second_factor_seconds
    id = await begin_at(browser)
    session = await (await client.with_password()).with_checks(totp="111111")
    clock.tick(500)
    await landed(browser, await session.finish(id))
    clock.tick(seconds - 501)
    assert "code" in Landing(await browser.authorize(prompt="none")).query
    clock.tick(2)

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "interaction_required"


async def test_old_second_factor_is_requested_again(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, clock: FrozenClock
) -> None:
    """On Portico's page, with the handle of the redirect."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    session = await (await client.with_password()).with_checks(totp="111111")
    clock.tick(authz.settings.second_factor_seconds)
    id = await begin_at(browser)
    before = browser.handle
    leaving = await browser.get(await (await session.with_password("")).finish(id))

    assert leaving.headers["location"] == f"{http.LOGIN}?request={id}"
    assert browser.handle not in ("", before)
    shown = await browser.ask(id)
    assert shown.name is StepName.TOTP
    done = await browser.answer(id, shown, code="222222")
    assert "code" in Landing(await browser.get(done.continue_to)).query


async def test_further_step_is_on_a_page_of_portico(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The session that begins there has the time of the password, and ends with the login session."""
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await begin_at(browser)
    verified, session = clock.now(), await client.with_password()
    clock.tick(10)
    leaving = await browser.get(await session.finish(id))
    assert leaving.headers["location"] == f"{http.LOGIN}?request={id}"
    shown = await browser.ask(id)
    assert shown.name is StepName.CHANGE_PASSWORD
    done = await browser.answer(id, shown, password=authz.peers.passwords[ADA.user_id], new_password="another one")
    landing = Landing(await browser.get(done.continue_to))

    assert (await grant_of(bus, landing)).auth_time == int(verified)
    assert await session.end()
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()


async def test_consent_is_on_a_page_of_portico(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    authz.peers.register("web", consent=Consent.ONCE)
    id = await begin_at(browser, scope="openid email")
    to_response = await browser.get(await (await client.with_password()).finish(id))
    to_consent = await browser.get(to_response.headers["location"])

    assert to_consent.headers["location"] == f"{http.LOGIN}?request={id}"
    assert (await browser.ask(id)).name is StepName.CONSENT


async def test_end_of_a_login_session_ends_its_session(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    """The session and its tokens end with it (IR-08)."""
    id = await begin_at(browser)
    session = await client.with_password()
    await landed(browser, await session.finish(id))
    [started] = (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions

    assert [await session.end(), await session.end()] == [True, False]
    assert [revoked.session_id for revoked in authz.peers.revoked] == [started.session_id]
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"
    assert await session.state() is None


async def test_denied_request_gets_an_error(browser: FakeBrowser, client: LoginClient) -> None:
    id = await begin_at(browser)
    landing = Landing(await browser.get(await client.finish(id, denied=True)))

    assert (landing.query["error"], landing.query["state"]) == ("access_denied", "st-1")


async def test_request_is_shown_as_it_was_sent(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    hint = authz.peers.sign({"iss": "https://id.example.test", "sub": ADA.user_id, "azp": "web", "aud": ["web"]})
    sent = {"scope": "openid email x", "prompt": "login consent", "ui_locales": "de fr", "login_hint": "ada"}
    id = await begin_at(browser, **sent, max_age="60", id_token_hint=hint)
    shown = await bus.call(GET_LOGIN_REQUEST, GetLoginRequest(request_id=id))

    assert (shown.request_id, shown.began, shown.client_id) == (id, clock.now(), "web")
    assert (shown.redirect_uri, shown.scope) == (CALLBACK, ("openid", "email", "x"))
    assert (shown.prompts, shown.ui_locales) == (("login", "consent"), ("de", "fr"))
    assert (shown.login_hint, shown.max_age, shown.hint_user_id) == ("ada", 60, ADA.user_id)
