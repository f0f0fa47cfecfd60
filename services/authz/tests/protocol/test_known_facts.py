"""What is known of a person is no question to users, and what changed is in force at the next request (decision 0039)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.users import CHECK_PROJECT_ACCESS, GET_CLIENT, GET_USER, ProjectAccess
from portico_fakes.authz_service import ADA, WEB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_versions import MemoryVersions
from portico_runtime.facts import keys
from portico_runtime.facts.keys import VersionKey

PERSON = keys.person(ADA.user_id)
PLACE = (ADA.user_id, WEB.project_id)


@pytest.fixture
def versions(clock: FrozenClock) -> MemoryVersions:
    """What Redis has."""
    return MemoryVersions(clock)


@pytest.fixture
async def authz(clock: FrozenClock, bus: MemoryBus, versions: MemoryVersions) -> AuthzService:
    """A replica whose lease holds while the clock is frozen, and Ada with a version."""
    service = AuthzService(clock, bus, versions=versions)
    service.peers.people[ADA.user_id] = replace(ADA, version="v1")
    versions.stored[PERSON] = "v1"
    await service.memory.lease.poll()
    return service


@pytest.fixture
async def browser(authz: AuthzService) -> FakeBrowser:
    """A browser with a live session that was used once."""
    browser = authz.browser()
    await browser.sign_in()
    await browser.authorize(prompt="none")
    return browser


async def questions_of(browser: FakeBrowser, bus: MemoryBus) -> tuple[dict[str, str], list[str]]:
    """The response to a request with the session, and the questions it needed."""
    before = len(bus.called)
    landing = Landing(await browser.authorize(prompt="none"))
    return landing.query, bus.called[before:]


async def change(authz: AuthzService, versions: MemoryVersions, *facts: VersionKey) -> None:
    """Changes something of the directory, which the next poll sees."""
    await versions.begin("c1", facts)
    await versions.finish("c1", dict.fromkeys(facts, "c1"))
    await authz.memory.lease.poll()


async def test_a_live_session_is_no_question(browser: FakeBrowser, bus: MemoryBus) -> None:
    """A request with a session requests nothing of users: person, client and policy are known."""
    answers = [await questions_of(browser, bus) for _ in range(3)]

    assert all("code" in query for query, _ in answers)
    assert [questions for _, questions in answers] == [[], [], []]


async def test_another_version_is_one_question(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, versions: MemoryVersions
) -> None:
    """After a change of the person the next request asks once, and those after it not at all."""
    authz.peers.people[ADA.user_id] = replace(ADA, version="v2")
    versions.stored[PERSON] = "v2"
    answers = [await questions_of(browser, bus) for _ in range(3)]

    assert [questions for _, questions in answers] == [[GET_USER.subject], [], []]


@pytest.mark.parametrize("found", ["mark", "v2", ""])
async def test_a_lock_is_in_force_at_the_next_request(
    authz: AuthzService, browser: FakeBrowser, versions: MemoryVersions, found: str
) -> None:
    """A session of a user who is not active any more answers no request, whether Redis has the mark, the version or nothing."""
    del authz.peers.people[ADA.user_id]
    if found == "mark":
        await versions.begin("c1", [PERSON])
    else:
        versions.stored[PERSON] = found

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_a_lock_between_the_last_page_and_the_answer(authz: AuthzService, versions: MemoryVersions) -> None:
    """The answer to a sign-in is given for a user who is active then (P3)."""
    browser = authz.browser()
    done = await browser.log_in(await browser.begin())
    del authz.peers.people[ADA.user_id]
    versions.stored[PERSON] = "v2"
    response = await browser.get(done.continue_to)

    assert response.headers["location"].startswith(http.LOGIN)


@pytest.mark.parametrize("what", ["person", "project"])
async def test_lost_project_access_is_in_force_at_the_next_request(
    authz: AuthzService, bus: MemoryBus, versions: MemoryVersions, what: str
) -> None:
    """Access depends on the person and on everything in the directory; while neither changes it is no question."""
    authz.peers.register("web", checks_roles=True)
    authz.peers.admissions[PLACE] = ProjectAccess(has_role=True)
    browser = authz.browser()
    await browser.sign_in()
    await browser.authorize(prompt="none")
    _, known = await questions_of(browser, bus)
    authz.peers.admissions[PLACE] = ProjectAccess()
    if what == "person":
        authz.peers.people[ADA.user_id] = replace(ADA, version="v2")
        versions.stored[PERSON] = "v2"
    else:
        await change(authz, versions, keys.of_kind("project"), keys.anything())
    refused, questions = await questions_of(browser, bus)

    assert known == []
    assert CHECK_PROJECT_ACCESS.subject in questions
    assert refused["error"] == "access_denied"


async def test_a_changed_organization_is_a_question_for_its_people(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, versions: MemoryVersions
) -> None:
    """People of an inactive organization are not active; people of others stay known."""
    await change(authz, versions, keys.organization("of no one here"), keys.anything())
    _, other = await questions_of(browser, bus)
    del authz.peers.people[ADA.user_id]
    await versions.begin("c2", [keys.organization(ADA.org_id), keys.anything()])
    await authz.memory.lease.poll()
    refused, own = await questions_of(browser, bus)

    assert GET_USER.subject not in other
    assert GET_USER.subject in own
    assert refused["error"] == "login_required"


async def test_a_deactivated_client_gets_no_answer_after_the_poll(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, versions: MemoryVersions
) -> None:
    """What is remembered of clients is dropped with the poll that sees the change, without an event."""
    del authz.peers.clients["web"]
    _, before = await questions_of(browser, bus)
    await change(authz, versions, keys.of_kind("app"), keys.anything())
    response = await browser.authorize(prompt="none")

    assert before == []
    assert GET_CLIENT.subject in bus.called
    assert response.status_code == 400
    assert "location" not in response.headers


async def test_a_lease_that_is_over_is_a_question(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """A second after the last poll nothing is known that depends on the directory."""
    clock.tick(1)
    _, questions = await questions_of(browser, bus)

    assert GET_USER.subject in questions
    assert GET_CLIENT.subject in questions
