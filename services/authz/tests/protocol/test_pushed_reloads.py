"""Pages of pushed authorization requests that are loaded again after a response without a sign-in (decision 0093)."""

from __future__ import annotations

import pytest
from portico_authz.domain.code import CodeRecord, IssueResult
from portico_authz.domain.session import Session
from portico_contracts import http
from portico_contracts.authz import (
    END_SESSIONS,
    PUSH_REQUEST,
    REDEEM_CODE,
    CodeGrant,
    EndSessions,
    PushRequest,
    RedeemCode,
)
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS
from portico_fakes.authz_service import (
    ADA,
    CALLBACK,
    AuthzService,
    FakeBrowser,
    Landing,
    authorize_parameters,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import UNAVAILABLE, ServiceError


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus, pushed_authorization_requests=True)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def push(authz: AuthzService, **changes: str | None) -> dict[str, str]:
    """Returns what the browser brings to the authorization endpoint."""
    sent = authorize_parameters(**changes)
    pushed = await authz.bus.call(
        PUSH_REQUEST, PushRequest(client_id=sent["client_id"], parameters=sent, client_address="")
    )
    return {"client_id": sent["client_id"], "request_uri": pushed.request_uri}


async def redeem(authz: AuthzService, code: str) -> CodeGrant | None:
    question = RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK)
    return (await authz.bus.call(REDEEM_CODE, question)).grant


@pytest.mark.parametrize("is_stored", [False, True])
async def test_reload_after_a_failed_answer_is_answered(
    authz: AuthzService, browser: FakeBrowser, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    """A code that could not be stored, or whose store did not reply, is replaced when the page is loaded again."""
    await browser.sign_in()
    pushed, lost = await push(authz), []
    issue = authz.stores.codes.issue

    async def fail(code: str, record: CodeRecord, session: Session, now: float) -> IssueResult:
        lost.append(code)
        if is_stored:
            await issue(code, record, session, now)
        raise UNAVAILABLE.error(retry_after=1, part="redis")

    with monkeypatch.context() as broken:
        broken.setattr(authz.stores.codes, "issue", fail)
        unavailable = await browser.get(http.AUTHORIZE, pushed)
    landing = Landing(await browser.get(http.AUTHORIZE, pushed))

    assert unavailable.status_code == 503
    with pytest.raises(ServiceError, match="AUTHZ-040"):
        await redeem(authz, lost[0])
    assert await redeem(authz, landing.query["code"])
    assert "AUTHZ-261" in (await browser.get(http.AUTHORIZE, pushed)).text


async def test_reload_after_a_failed_claim_is_answered(
    authz: AuthzService, browser: FakeBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim may have been made although the store did not reply."""
    await browser.sign_in()
    pushed = await push(authz)
    claim = authz.stores.pushed_requests.claim

    async def fail(id: str, claimant: str, seconds: int, earlier: str = "") -> bool:
        await claim(id, claimant, seconds, earlier)
        raise UNAVAILABLE.error(retry_after=1, part="redis")

    with monkeypatch.context() as broken:
        broken.setattr(authz.stores.pushed_requests, "claim", fail)
        assert (await browser.get(http.AUTHORIZE, pushed)).status_code == 503

    assert "code" in Landing(await browser.get(http.AUTHORIZE, pushed)).query


async def test_reloaded_page_invalidates_the_code_before(authz: AuthzService, browser: FakeBrowser) -> None:
    """Until its code is redeemed the browser may load the page again; no other browser gets a response."""
    other = authz.browser()
    await browser.sign_in()
    await other.sign_in("bob")
    pushed = await push(authz)
    first, second = [Landing(await browser.get(http.AUTHORIZE, pushed)).query["code"] for _ in range(2)]
    foreign = await other.get(http.AUTHORIZE, pushed)

    assert "AUTHZ-261" in foreign.text
    with pytest.raises(ServiceError, match="AUTHZ-040"):
        await redeem(authz, first)
    assert await redeem(authz, second)


async def test_answered_request_begins_no_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """Its end would be an error, because the application has its response."""
    await browser.sign_in()
    pushed = await push(authz)
    assert "code" in Landing(await browser.get(http.AUTHORIZE, pushed)).query
    await authz.bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    again = await browser.get(http.AUTHORIZE, pushed)

    assert (again.status_code, "AUTHZ-261" in again.text) == (400, True)


async def test_tokens_are_the_response_once(authz: AuthzService, browser: FakeBrowser) -> None:
    """Tokens cannot be withdrawn, so a failure is the response, and no page is loaded again."""
    authz.peers.register("spa", response_types=("id_token",), grant_types=("implicit",))
    await browser.sign_in("ada", client_id="spa", response_type="id_token", nonce="n-1")
    pushed = await push(authz, client_id="spa", response_type="id_token", nonce="n-1")
    authz.bus.silent.add(ISSUE_IMPLICIT_TOKENS.subject)
    landing = Landing(await browser.get(http.AUTHORIZE, pushed))
    authz.bus.silent.clear()
    again = await browser.get(http.AUTHORIZE, pushed)

    assert landing.fragment["error"] == "server_error"
    assert (again.status_code, "AUTHZ-261" in again.text) == (400, True)
