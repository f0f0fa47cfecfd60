from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeRedeemed, RedeemCode
from portico_contracts.events import PROJECT_GRANT_CHANGED, Changed
from portico_contracts.users import ProjectAccess
from portico_fakes.authz_service import ADA, CALLBACK, WEB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError

PLACE = (ADA.user_id, WEB.project_id)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


CASES = [
    (True, False, ProjectAccess(has_project=True), "AUTHZ-250"),
    (False, True, ProjectAccess(has_role=True), "AUTHZ-251"),
    (True, True, ProjectAccess(), "AUTHZ-251"),
    (True, True, ProjectAccess(has_role=True, has_project=True), ""),
    (True, False, ProjectAccess(has_role=True), ""),
    (False, True, ProjectAccess(has_project=True), ""),
    (False, False, ProjectAccess(), ""),
]


@pytest.mark.parametrize(("roles", "project", "admission", "error_code"), CASES)
async def test_project_admits_users_by_its_checks(
    authz: AuthzService, browser: FakeBrowser, roles: bool, project: bool, admission: ProjectAccess, error_code: str
) -> None:
    """A denied end user gets a page after a sign-in and with a session, and the application gets no response."""
    authz.peers.register("web", checks_roles=roles, checks_project=project)
    authz.peers.admissions[PLACE] = admission
    signed_in = (await browser.sign_in()).response
    again = await browser.authorize()

    for response in (signed_in, again):
        if error_code:
            assert response.status_code == 403
            assert 'id="error-page"' in response.text
            assert error_code in response.text
            assert "location" not in response.headers
        else:
            assert "code" in Landing(response).query


async def test_prompt_none_redirects_the_denial(authz: AuthzService, browser: FakeBrowser) -> None:
    """With prompt=none the denial is an error response (OIDC Core §3.1.2.1)."""
    authz.peers.register("web", checks_roles=True)
    authz.peers.admissions[PLACE] = ProjectAccess(has_role=True)
    await browser.sign_in()
    del authz.peers.admissions[PLACE]
    await authz.bus.publish(PROJECT_GRANT_CHANGED, _changed(), event_id="e1")
    answer = Landing(await browser.authorize(prompt="none"))

    assert answer.query["error"] == "access_denied"


async def test_access_granted_later_continues_the_request(authz: AuthzService, browser: FakeBrowser) -> None:
    """The request is not consumed, and an event drops the cached denial at once."""
    authz.peers.register("web", checks_project=True)
    done = await browser.log_in(await browser.begin())
    assert (await browser.get(done.continue_to)).status_code == 403

    authz.peers.admissions[PLACE] = ProjectAccess(has_project=True)
    await authz.bus.publish(PROJECT_GRANT_CHANGED, _changed(), event_id="e1")
    assert "code" in Landing(await browser.get(done.continue_to)).query


@pytest.mark.parametrize(
    ("checks", "enough"),
    [
        ({"checks_roles": True}, ProjectAccess(has_role=True)),
        ({"checks_project": True}, ProjectAccess(has_project=True)),
    ],
    ids=["role", "project"],
)
async def test_code_is_refused_after_access_was_lost(
    authz: AuthzService, browser: FakeBrowser, checks: dict[str, Any], enough: ProjectAccess, clock: FrozenClock
) -> None:
    """The checks are repeated when a code is redeemed, as at a refresh, and the code is used up."""
    authz.peers.register("web", **checks)
    authz.peers.admissions[PLACE] = enough
    kept, lost = [Landing((await browser.authorize()) if n else (await browser.sign_in()).response) for n in range(2)]
    assert (await redeem(authz, kept)).grant is not None
    del authz.peers.admissions[PLACE]
    clock.tick(2)
    with pytest.raises(ServiceError, match="AUTHZ-044") as refused:
        await redeem(authz, lost)
    authz.peers.admissions[PLACE] = enough

    assert refused.value.kind is Kind.INVALID_GRANT
    assert (await redeem(authz, lost)).grant is None


async def redeem(authz: AuthzService, landing: Landing) -> CodeRedeemed:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    return await authz.bus.call(REDEEM_CODE, question)


async def test_implicit_responses_are_checked_too(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page is shown before the request is consumed."""
    authz.peers.register("web", checks_project=True, response_types=("id_token",), grant_types=("implicit",))
    expected = {"response_type": "id_token", "nonce": "n", "code_challenge": None, "code_challenge_method": None}
    done = await browser.log_in(await browser.begin(**expected))
    refused = await browser.get(done.continue_to)
    assert (refused.status_code, "AUTHZ-251" in refused.text) == (403, True)

    authz.peers.admissions[PLACE] = ProjectAccess(has_project=True)
    await authz.bus.publish(PROJECT_GRANT_CHANGED, _changed(), event_id="e1")
    assert "id_token" in Landing(await browser.get(done.continue_to)).fragment


def _changed() -> Changed:
    return Changed(event_id="e1", aggregate_id="g", org_id="o", sequence=1, at=0.0, actor="a")
