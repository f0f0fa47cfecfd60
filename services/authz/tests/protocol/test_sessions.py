from __future__ import annotations

import re

import msgspec
import pytest
from portico_authz.domain.session import Session
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.events import USER_CHANGED, Changed
from portico_contracts.step_names import StepName
from portico_contracts.users import GET_USER, VERIFY_PASSWORD, GetUser, PasswordVerified, UserFound, VerifyPassword
from portico_fakes.authz_service import (
    ADA,
    CALLBACK,
    ISSUER,
    AuthzService,
    FakeBrowser,
    Landing,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.randomness import seeded_bytes
from portico_runtime.versioned_cache import keys

OPAQUE = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{43}\Z")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def redeem(bus: MemoryBus, landing: Landing) -> CodeGrant:
    code = landing.query["code"]
    grant = (await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))).grant
    assert grant is not None
    return grant


async def test_session_answers_without_a_page(browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock) -> None:
    """The second sign-in has the same sid and auth_time and another code and grant."""
    first = await redeem(bus, await browser.sign_in())
    clock.tick(3_600)
    silent = Landing(await browser.authorize(prompt="none"))
    second = await redeem(bus, silent)

    assert (second.session_id, second.auth_time) == (first.session_id, first.auth_time)
    assert second.grant_id != first.grant_id


async def test_session_serves_another_application(browser: FakeBrowser) -> None:
    await browser.sign_in()

    assert "code" in Landing(await browser.authorize(client_id="other")).query


async def test_prompt_login_authenticates_again(browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock) -> None:
    """The sid stays the same, and auth_time is later (oidcc-prompt-login)."""
    first = await redeem(bus, await browser.sign_in())
    clock.tick(100)
    second = await redeem(bus, await browser.sign_in(prompt="login"))

    assert second.session_id == first.session_id
    assert second.auth_time == first.auth_time + 100


async def test_grants_name_the_beginning_of_the_session(
    browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The beginning is the time of the first request, and stays when the user signs in again."""
    began = int(clock.now())
    id = await browser.begin()
    clock.tick(60)
    done = await browser.log_in(id)
    first = await redeem(bus, Landing(await browser.get(done.continue_to)))
    clock.tick(100)
    second = await redeem(bus, await browser.sign_in(prompt="login"))

    assert (first.session_began, second.session_began) == (began, began)
    assert (first.auth_time, second.auth_time) == (began + 60, began + 160)


async def test_sign_in_beside_a_completed_logout_starts_a_new_session(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session whose logout was completed after the sign-in read it stays deleted (IR-14)."""
    first = await redeem(bus, await browser.sign_in())
    save, sessions = authz.stores.sessions.save, authz.stores.sessions

    async def delete_before(session: Session, seconds: int, *, again: bool = False) -> bool:
        await sessions.end(session.sid, 60)
        await authz.stores.logout_queue.complete(session.sid)
        return await save(session, seconds, again=again)

    monkeypatch.setattr(sessions, "save", delete_before)
    second = await redeem(bus, await browser.sign_in(prompt="login"))

    assert second.session_id != first.session_id
    assert await sessions.find(first.session_id) is None


@pytest.mark.parametrize(("max_age", "asked"), [("0", True), ("99", True), ("101", False), ("10000", False)])
async def test_max_age_requires_a_new_authentication(
    browser: FakeBrowser, clock: FrozenClock, max_age: str, asked: bool
) -> None:
    """The parameter max_age limits the age of the authentication (AZ-14)."""
    await browser.sign_in()
    clock.tick(100)
    response = await browser.authorize(max_age=max_age)

    assert response.headers["location"].startswith(http.LOGIN if asked else f"{CALLBACK}?code=")


async def test_max_age_is_stored_with_the_request(browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock) -> None:
    """Parameters of the resume request change nothing (AZ-14)."""
    await browser.sign_in()
    clock.tick(100)
    id = await browser.begin(max_age="0")
    early = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}&max_age=10000&prompt=none")
    done = await browser.log_in(id)
    grant = await redeem(bus, Landing(await browser.get(done.continue_to)))

    assert early.headers["location"] == f"{http.LOGIN}?request={id}"
    assert grant.auth_time == int(clock.now())


@pytest.mark.parametrize("seconds", [86_400, 2_592_000])
async def test_session_ends_after_24_idle_hours(browser: FakeBrowser, clock: FrozenClock, seconds: int) -> None:
    await browser.sign_in()
    clock.tick(seconds)

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_session_ends_after_thirty_days_of_use(browser: FakeBrowser, clock: FrozenClock) -> None:
    await browser.sign_in()
    for _ in range(31):
        clock.tick(82_800)
        assert "code" in Landing(await browser.authorize(prompt="none")).query
    clock.tick(28_800)

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_prompt_none_with_a_valid_hint_is_silent(authz: AuthzService, browser: FakeBrowser) -> None:
    """An expired hint is accepted too (oidcc-id-token-hint)."""
    await browser.sign_in()
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id, "aud": ["web"], "exp": 1})

    assert "code" in Landing(await browser.authorize(prompt="none", id_token_hint=hint)).query


async def test_invalid_hint_is_login_required_with_prompt_none(authz: AuthzService, browser: FakeBrowser) -> None:
    """A hint of another issuer, an access token and a changed token are invalid, and ignored without prompt=none
    (P7).
    """
    await browser.sign_in()
    good = {"iss": ISSUER, "sub": ADA.user_id}
    hints = [
        authz.peers.sign({**good, "iss": "https://evil.test"}),
        authz.peers.sign(good, typ="at+jwt"),
        authz.peers.sign({**good, "sub": 7}),
        authz.peers.sign(good)[:-4] + "AAAA",
        "x" * 20_000,
    ]
    for hint in hints:
        none = Landing(await browser.authorize(prompt="none", id_token_hint=hint))
        ignored = Landing(await browser.authorize(id_token_hint=hint))

        assert none.query["error"] == "login_required"
        assert "code" in ignored.query


async def test_hint_counts_while_its_key_is_retained(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Bob's hint excludes Ada's session after a key rotation, and by an unknown key it is ignored."""
    await browser.sign_in()
    hint = authz.peers.sign({"iss": ISSUER, "sub": "u-bob"})
    authz.peers.rotate_key("kid-2", keep=True)
    kept = Landing(await browser.authorize(prompt="none", id_token_hint=hint))
    authz.peers.rotate_key("kid-3", keep=False)
    clock.tick(60)  # the keys are read again
    gone = Landing(await browser.authorize(prompt="none", id_token_hint=hint))

    assert kept.query["error"] == "login_required"
    assert "code" in gone.query


async def test_another_user_than_the_hinted_one_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """The hinted login name is prefilled, and another user is an error (OIDC Core §3.1.2.1)."""
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    id = await browser.begin(id_token_hint=hint)
    shown = await browser.ask(id)
    done = await browser.log_in(id, "bob")
    landing = Landing(await browser.get(done.continue_to))

    assert shown.login_name == ADA.login_name
    assert landing.query["error"] == "login_required"


async def test_subject_requested_by_claims_acts_like_a_hint(browser: FakeBrowser) -> None:
    """A requested value of sub selects the user (OIDC Core §5.5.1)."""
    await browser.sign_in()
    own = Landing(await browser.authorize(prompt="none", claims='{"id_token":{"sub":{"value":"u-ada"}}}'))
    other = Landing(await browser.authorize(prompt="none", claims='{"id_token":{"sub":{"value":"u-bob"}}}'))

    assert "code" in own.query
    assert other.query["error"] == "login_required"


async def test_organization_scope_restricts_the_users(authz: AuthzService, browser: FakeBrowser) -> None:
    """A session of another organization does not count, and users verifies within the organization."""
    await browser.sign_in()
    id = await browser.begin(scope="openid urn:portico:org:id:org-2")
    wrong = await browser.log_in(id)

    assert wrong.name is StepName.PASSWORD
    assert authz.peers.attempts[-1].org_id == "org-2"
    await browser.start_over(id)
    assert (await browser.log_in(id, "bob")).name is StepName.DONE


async def test_deactivated_user_is_not_signed_in_by_a_session(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """The state of the user is read again, and an event drops the cached one (P3)."""
    await browser.sign_in()
    del authz.peers.people[ADA.user_id]
    await bus.publish(USER_CHANGED, changed(ADA.user_id), event_id="e1")

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_verified_password_caches_its_user(clock: FrozenClock, bus: MemoryBus) -> None:
    """A user returned by the verification is not read again while the version is current."""
    versions = MemoryVersions(clock)
    authz = AuthzService(clock, bus, versions=versions)
    known = msgspec.structs.replace(ADA, version="v1")
    authz.peers.people[ADA.user_id] = known
    versions.stored[keys.user(ADA.user_id)] = "v1"
    await authz.memory.lease.poll()
    asked: list[str] = []

    async def verify(_ask: VerifyPassword) -> PasswordVerified:
        return PasswordVerified(user=known)

    async def count(ask: GetUser) -> UserFound:
        asked.append(ask.user_id)
        return UserFound(user=known)

    bus.respond(VERIFY_PASSWORD, verify)
    bus.respond(GET_USER, count)
    assert "code" in (await authz.browser().sign_in()).query

    assert asked == []


async def test_change_during_the_verification_is_not_missed(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """A user read before the event is not cached after it (P3)."""

    async def verify(_ask: VerifyPassword) -> PasswordVerified:
        del authz.peers.people[ADA.user_id]
        await bus.publish(USER_CHANGED, changed(ADA.user_id), event_id="e1")
        return PasswordVerified(user=ADA)

    bus.respond(VERIFY_PASSWORD, verify)
    landing = await browser.sign_in()

    assert "code" not in landing.query


async def test_session_counts_only_in_its_browser(authz: AuthzService, browser: FakeBrowser) -> None:
    """A record that names another browser's session gives no access to it (LG-11)."""
    await browser.sign_in()
    owner = await authz.stores.browsers.find(browser.handle)
    thief = authz.browser()
    await thief.begin()
    record = await authz.stores.browsers.find(thief.handle)
    assert owner is not None
    assert record is not None
    planted = record.new_handle(seeded_bytes(99))
    await authz.stores.browsers.create(planted, record.with_session(owner.session_ids[0]), 60)
    thief.handle = planted

    assert Landing(await thief.authorize(prompt="none")).query["error"] == "login_required"


def changed(aggregate_id: str) -> Changed:
    return Changed(event_id="e1", aggregate_id=aggregate_id, org_id="org-1", sequence=2, at=1.0, actor="system")
