"""Cached users need no request to users, and changes are in force at the next request (decision 0039)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.events import IDP_CHANGED, Changed
from portico_contracts.users import CHECK_PROJECT_ACCESS, GET_CLIENT, GET_USER, ProjectAccess
from portico_fakes.authz_external import ACME
from portico_fakes.authz_service import ADA, CALLBACK, WEB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_versions import MemoryVersions
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import VersionKey

PERSON = keys.user(ADA.user_id)
PLACE = (ADA.user_id, WEB.project_id)


@pytest.fixture
def versions(clock: FrozenClock) -> MemoryVersions:
    return MemoryVersions(clock)


@pytest.fixture
async def authz(clock: FrozenClock, bus: MemoryBus, versions: MemoryVersions) -> AuthzService:
    service = AuthzService(clock, bus, versions=versions)
    service.peers.people[ADA.user_id] = replace(ADA, version="v1")
    versions.stored[PERSON] = "v1"
    await service.memory.lease.poll()
    return service


@pytest.fixture
async def browser(authz: AuthzService) -> FakeBrowser:
    browser = authz.browser()
    await browser.sign_in()
    await browser.authorize(prompt="none")
    return browser


async def questions_of(browser: FakeBrowser, bus: MemoryBus) -> tuple[dict[str, str], list[str]]:
    """Returns the response to a request with the session, and the bus requests it needed."""
    before = len(bus.called)
    landing = Landing(await browser.authorize(prompt="none"))
    return landing.query, bus.called[before:]


async def change(authz: AuthzService, versions: MemoryVersions, *facts: VersionKey) -> None:
    """Records a change that the next poll detects."""
    await versions.begin("c1", facts)
    await versions.finish("c1", dict.fromkeys(facts, "c1"))
    await authz.memory.lease.poll()


async def test_deactivated_provider_leaves_the_page(authz: AuthzService, bus: MemoryBus) -> None:
    """An event of the provider drops the cached login policies, which contain it."""
    authz.peers.set_policy("org-1", providers=(ACME,))
    browser = authz.browser()
    id = await browser.begin()
    assert (await browser.ask(id)).providers == (ACME,)
    authz.peers.set_policy("org-1", providers=())
    changed = Changed(event_id="e", aggregate_id=ACME.id, org_id="org-1", sequence=2, at=0, actor="u-owner")
    await bus.publish(IDP_CHANGED, changed, event_id="e")

    assert (await browser.ask(id)).providers == ()


async def test_request_with_cached_data_needs_no_bus_request(browser: FakeBrowser, bus: MemoryBus) -> None:
    answers = [await questions_of(browser, bus) for _ in range(3)]

    assert all("code" in query for query, _ in answers)
    assert [questions for _, questions in answers] == [[], [], []]


async def test_changed_user_is_requested_once(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, versions: MemoryVersions
) -> None:
    authz.peers.people[ADA.user_id] = replace(ADA, version="v2")
    versions.stored[PERSON] = "v2"
    answers = [await questions_of(browser, bus) for _ in range(3)]

    assert [questions for _, questions in answers] == [[GET_USER.subject], [], []]


@pytest.mark.parametrize("found", ["mark", "v2", ""])
async def test_deactivation_is_in_force_at_the_next_request(
    authz: AuthzService, browser: FakeBrowser, versions: MemoryVersions, found: str
) -> None:
    """A session of a deactivated user is refused, whether Redis has the marker, the version or nothing."""
    del authz.peers.people[ADA.user_id]
    if found == "mark":
        await versions.begin("c1", [PERSON])
    else:
        versions.stored[PERSON] = found

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_deactivation_before_the_response_is_detected(authz: AuthzService, versions: MemoryVersions) -> None:
    """The user must be active when the response to a sign-in is issued (P3)."""
    browser = authz.browser()
    done = await browser.log_in(await browser.begin())
    del authz.peers.people[ADA.user_id]
    versions.stored[PERSON] = "v2"
    response = await browser.get(done.continue_to)

    assert response.headers["location"].startswith(http.LOGIN)


@pytest.mark.parametrize("what", ["person", "project"])
async def test_lost_project_access_is_in_force_at_once(
    authz: AuthzService, bus: MemoryBus, versions: MemoryVersions, what: str
) -> None:
    """Cached project access is used while neither the user nor the organization's objects change."""
    authz.peers.register("web", checks_roles=True)
    authz.peers.admissions[PLACE] = ProjectAccess(has_role=True)
    browser = authz.browser()
    await browser.sign_in()
    await browser.authorize(prompt="none")
    response, known = await questions_of(browser, bus)
    await bus.call(REDEEM_CODE, RedeemCode(code=response["code"], client_id="web", redirect_uri=CALLBACK))
    at_redemption = bus.called[-1:]
    authz.peers.admissions[PLACE] = ProjectAccess()
    if what == "person":
        authz.peers.people[ADA.user_id] = replace(ADA, version="v2")
        versions.stored[PERSON] = "v2"
    else:
        await change(authz, versions, keys.of_kind("project"), keys.anything())
    refused, questions = await questions_of(browser, bus)

    assert (known, at_redemption) == ([], [REDEEM_CODE.subject])
    assert CHECK_PROJECT_ACCESS.subject in questions
    assert refused["error"] == "access_denied"


async def test_changed_organization_invalidates_its_users(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, versions: MemoryVersions
) -> None:
    """Users of an inactive organization are inactive, and other organizations stay cached."""
    await change(authz, versions, keys.organization("of no one here"), keys.anything())
    _, other = await questions_of(browser, bus)
    del authz.peers.people[ADA.user_id]
    await versions.begin("c2", [keys.organization(ADA.org_id), keys.anything()])
    await authz.memory.lease.poll()
    refused, own = await questions_of(browser, bus)

    assert GET_USER.subject not in other
    assert GET_USER.subject in own
    assert refused["error"] == "login_required"


async def test_deactivated_client_is_refused_after_the_poll(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, versions: MemoryVersions
) -> None:
    """Cached clients are dropped with the poll that sees the change, without an event."""
    del authz.peers.clients["web"]
    _, before = await questions_of(browser, bus)
    await change(authz, versions, keys.of_kind("app"), keys.anything())
    response = await browser.authorize(prompt="none")

    assert before == []
    assert GET_CLIENT.subject in bus.called
    assert response.status_code == 400
    assert "location" not in response.headers


async def test_expired_lease_requires_requests(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    clock.tick(1)
    _, questions = await questions_of(browser, bus)

    assert GET_USER.subject in questions
    assert GET_CLIENT.subject in questions
