"""The first run signs the administrator in: once, and only in the browser that completed it."""

from __future__ import annotations

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts import events, http
from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.subjects import decode, encode
from portico_contracts.users import Factor, User
from portico_contracts.users.first_run import (
    FINISH_FIRST_RUN,
    CompleteFirstRun,
    FinishFirstRun,
    FirstOwner,
    FirstRunCompleted,
    FirstRunFinished,
)
from portico_fakes.authz_service import ADA, LOGIN_KEY, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError

OWNER = FirstOwner(email="ada@mail.example", first_name="Ada", last_name="First")
SUBMITTED = FinishFirstRun(code="c", owner=OWNER, factor=Factor.TOTP, attempt="a", password="nine", otp="123456")
CODES = ("A", "B")
USED = ServiceError(Kind.FAILED_PRECONDITION, "USER-942", "This link was used.")


class FirstRunAtUsers:
    """The administrator is new in the first response only."""

    def __init__(self, bus: MemoryBus) -> None:
        self.asked: list[FinishFirstRun] = []
        self.user: User | None = ADA
        self.error: ServiceError | None = None
        bus.respond(FINISH_FIRST_RUN, self._finish)

    async def _finish(self, asked: FinishFirstRun) -> FirstRunFinished:
        self.asked.append(asked)
        if self.error:
            raise self.error
        user, self.user = self.user, None
        return FirstRunFinished(login_name="ada", recovery_codes=CODES, user=user)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def users(authz: AuthzService, bus: MemoryBus) -> FirstRunAtUsers:
    return FirstRunAtUsers(bus)


async def post(authz: AuthzService, factor: Factor = Factor.TOTP) -> httpx.Response:
    values = {name: getattr(SUBMITTED, name) for name in SUBMITTED.__struct_fields__} | {"factor": factor}
    message = CompleteFirstRun(**values, device="Firefox, Linux")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(authz.app), base_url="http://authz") as client:
        headers = {"Authorization": f"Bearer {LOGIN_KEY}", "Content-Type": "application/json"}
        return await client.post(f"{http.LINK_API}/finish-first-run", content=encode(message), headers=headers)


async def complete(authz: AuthzService, factor: Factor = Factor.TOTP) -> FirstRunCompleted:
    return decode((await post(authz, factor)).content, FirstRunCompleted)


def browser_with(authz: AuthzService, set_cookie: str) -> FakeBrowser:
    browser = authz.browser()
    browser.handle = set_cookie.partition("=")[2].partition(";")[0]
    return browser


async def is_signed_in(browser: FakeBrowser) -> bool:
    return "code" in Landing(await browser.authorize(prompt="none")).query


@pytest.mark.parametrize(
    ("factor", "amr"), [(Factor.TOTP, ("pwd", "otp", "mfa")), (Factor.PASSKEY, ("pop", "user", "mfa"))]
)
async def test_administrator_is_signed_in_with_what_was_proved(
    authz: AuthzService, bus: MemoryBus, users: FirstRunAtUsers, factor: Factor, amr: tuple[str, ...]
) -> None:
    """An ordinary authorization request of this browser needs no page; users gets nothing but the submission."""
    done = await complete(authz, factor)
    [session] = (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions
    await authz.publisher.settle()
    [event] = [body for subject, body in bus.published if subject == events.LOGIN_SUCCEEDED.subject]

    assert (done.recovery_codes, done.org_id) == (CODES, ADA.org_id)
    assert await is_signed_in(browser_with(authz, done.set_cookie))
    assert (session.amr, session.device) == (amr, "Firefox, Linux")
    assert (event.user_id, event.methods) == (ADA.user_id, amr)
    assert users.asked == [replace(SUBMITTED, factor=factor)]


@pytest.mark.usefixtures("users")
async def test_administrator_is_signed_in_where_passwords_are_not_allowed(authz: AuthzService) -> None:
    """So that the rule can be changed: the browser of the link has a session (decision 0143)."""
    authz.peers.set_policy(ADA.org_id, password_sign_in=False, passkey_sign_in=False, email_code_sign_in=True)
    done = await complete(authz)

    assert await is_signed_in(browser_with(authz, done.set_cookie))


async def test_repeated_submission_gives_no_session(
    authz: AuthzService, bus: MemoryBus, users: FirstRunAtUsers
) -> None:
    """A browser that sends the form again, for example another one, gets the codes but is not signed in."""
    await complete(authz)
    again = await complete(authz)

    assert (again.recovery_codes, again.set_cookie, again.org_id) == (CODES, "", "")
    assert len(users.asked) == 2
    assert len((await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions) == 1


async def test_other_browsers_are_not_signed_in(authz: AuthzService, users: FirstRunAtUsers) -> None:
    """The handle is new, also in a browser that has one: another person may know that one (LG-11)."""
    before = authz.browser()
    await before.begin()
    done = await complete(authz)

    assert users.asked
    assert before.handle not in ("", browser_with(authz, done.set_cookie).handle)
    assert not await is_signed_in(before)


async def test_refused_submission_gives_no_session(authz: AuthzService, bus: MemoryBus, users: FirstRunAtUsers) -> None:
    users.error = USED
    refused = await post(authz)

    assert (refused.status_code, refused.json()["details"][0]["id"]) == (400, "USER-942")
    assert "set_cookie" not in refused.text
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()


async def test_recovery_codes_are_shown_without_the_session_store(
    authz: AuthzService, bus: MemoryBus, users: FirstRunAtUsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The codes are shown only now; the administrator signs in by hand."""

    async def fail(*_: object) -> None:
        raise UNAVAILABLE.error(part="redis")

    monkeypatch.setattr(authz.stores.browsers, "create", fail)
    done = await complete(authz)

    assert users.asked
    assert (done.recovery_codes, done.set_cookie) == (CODES, "")
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()
