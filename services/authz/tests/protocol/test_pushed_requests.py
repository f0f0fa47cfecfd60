"""Pushed authorization requests (RFC 9126), as authz checks, stores and answers them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from portico_contracts import http
from portico_contracts.authz import PUSH_REQUEST, PushRequest
from portico_fakes.authz_service import (
    CALLBACK,
    PASSWORD,
    AuthzService,
    FakeBrowser,
    Landing,
    authorize_parameters,
    request_in,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryPushedRequests, memory_authz_stores
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError

REQUEST_URI = "urn:ietf:params:oauth:request_uri:"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus, pushed_authorization_requests=True)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def push(authz: AuthzService, *repeated: str, **changes: str | None) -> dict[str, str]:
    """Returns what the browser brings to the authorization endpoint."""
    sent = authorize_parameters(**changes)
    message = PushRequest(client_id=sent["client_id"], parameters=sent, client_address="", repeated=repeated)
    pushed = await authz.bus.call(PUSH_REQUEST, message)
    assert pushed.expires_in == 60
    return {"client_id": sent["client_id"], "request_uri": pushed.request_uri}


async def test_pushed_request_signs_the_user_in(authz: AuthzService, browser: FakeBrowser) -> None:
    pushed = await push(authz, state="pushed")
    id = request_in(await browser.get(http.AUTHORIZE, pushed))
    landing = Landing(await browser.get((await browser.log_in(id)).continue_to))

    assert len(pushed["request_uri"].removeprefix(REQUEST_URI)) == 2 + 43
    assert landing.response.headers["location"].startswith(CALLBACK)
    assert (landing.query["state"], "code" in landing.query) == ("pushed", True)


async def test_parameters_beside_the_request_uri_are_ignored(authz: AuthzService, browser: FakeBrowser) -> None:
    """A changed link has no effect (RFC 9101 section 6.3)."""
    await browser.sign_in()
    changed = {"redirect_uri": "https://evil.example.test", "state": "evil", "scope": "openid email", "request": "x"}
    landing = Landing(await browser.get(http.AUTHORIZE, {**(await push(authz)), **changed}))

    assert landing.response.headers["location"].startswith(CALLBACK)
    assert landing.query["state"] == "st-1"


async def test_request_of_another_client_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """Only the client that pushed the request can use it (spring-authorization-server #1971)."""
    pushed = await push(authz)
    foreign = await browser.get(http.AUTHORIZE, {**pushed, "client_id": "other"})
    unnamed = await browser.get(http.AUTHORIZE, {"request_uri": pushed["request_uri"]})

    assert (foreign.status_code, "AUTHZ-261" in foreign.text) == (400, True)
    assert "AUTHZ-261" in unnamed.text
    assert request_in(await browser.get(http.AUTHORIZE, pushed))


async def test_expired_request_is_refused_before_the_login(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Once the login pages are open, its expiry has no effect (Duende #1160)."""
    pushed = await push(authz)
    clock.tick(59)
    id = request_in(await browser.get(http.AUTHORIZE, pushed))
    clock.tick(2)
    late = await browser.get(http.AUTHORIZE, pushed)
    landing = Landing(await browser.get((await browser.log_in(id)).continue_to))

    assert (late.status_code, "invalid_request_uri" in late.text) == (400, True)
    assert "code" in landing.query


async def test_page_can_be_loaded_twice_but_answers_once(authz: AuthzService, browser: FakeBrowser) -> None:
    """A reloaded page continues; after the response the request_uri is invalid (FAPI 2.0 Security Profile)."""
    pushed = await push(authz)
    first, second = [request_in(await browser.get(http.AUTHORIZE, pushed)) for _ in range(2)]
    resume = (await browser.log_in(second)).continue_to
    landing = Landing(await browser.get(resume))
    repeated = Landing(await browser.get(resume))
    again = await browser.get(http.AUTHORIZE, pushed)
    other_tab = await browser.get(http.AUTHORIZE_RESUME, {"request": first})

    assert "code" in landing.query
    assert "code" in repeated.query, "a lost response is repeated"
    assert (again.status_code, "AUTHZ-261" in again.text) == (400, True)
    assert (other_tab.status_code, "AUTHZ-261" in other_tab.text) == (400, True)


async def test_last_page_has_no_code_of_its_own(authz: AuthzService, browser: FakeBrowser) -> None:
    """The response claims the request, which `resume` does (decision 0018)."""
    id = request_in(await browser.get(http.AUTHORIZE, await push(authz)))
    done = await browser.answer(id, await browser.name(id), password=PASSWORD, to_application=True)

    assert done.continue_to.startswith(http.AUTHORIZE_RESUME)


async def test_two_hundred_uses_get_one_code(authz: AuthzService, browser: FakeBrowser) -> None:
    await browser.sign_in()
    pushed = await push(authz)
    answers = await asyncio.gather(*(browser.get(http.AUTHORIZE, pushed) for _ in range(200)))

    assert sorted(answer.status_code for answer in answers) == [303] + [400] * 199


@pytest.mark.parametrize(
    ("error_id", "changes"),
    [
        ("AUTHZ-263", {"request_uri": REQUEST_URI + "00" + "A" * 43}),
        ("AUTHZ-263", {"request_uri": "https://app.example.test/r"}),
        ("AUTHZ-010", {"request": "eyJhbGciOiJub25lIn0.e30."}),
        ("AUTHZ-003", {"client_id": "nobody"}),
        ("AUTHZ-004", {"redirect_uri": None}),
        ("AUTHZ-005", {"redirect_uri": f"{CALLBACK}/"}),
        ("AUTHZ-007", {"response_type": "nope"}),
        ("AUTHZ-013", {"scope": "email"}),
        (
            "AUTHZ-037",
            {
                "scope": "openid " + "x" * 3_900,
                "claims": '{"userinfo":{"%s":null}}' % ("n" * 3_900),
                "state": "s" * 4_000,
            },
        ),
    ],
)
async def test_push_is_checked_like_an_authorization_request(
    authz: AuthzService, error_id: str, changes: dict[str, str | None]
) -> None:
    """Request objects by value and by reference are refused (RFC 9126 section 2.1)."""
    with pytest.raises(ServiceError, match=error_id):
        await push(authz, **changes)


async def test_repeated_parameter_cannot_be_pushed(authz: AuthzService) -> None:
    with pytest.raises(ServiceError, match="OAUTH-001"):
        await push(authz, "state")


@pytest.mark.parametrize("uri", ["https://app.example.test/r", REQUEST_URI.upper() + "00" + "A" * 43])
async def test_foreign_request_uri_stays_refused(browser: FakeBrowser, uri: str) -> None:
    landing = Landing(await browser.authorize(request_uri=uri))

    assert landing.query["error"] == "request_uri_not_supported"


@pytest.mark.parametrize("id", ["", "x", "00" + "A" * 43, "\u00fc" * 45, "a" * 5_000])
async def test_unknown_request_uri_is_a_page(browser: FakeBrowser, id: str) -> None:
    """Nothing is known about it, so no parameter of the link is a return address."""
    page = await browser.authorize(request_uri=REQUEST_URI + id)

    assert (page.status_code, "AUTHZ-261" in page.text) == (400, True)


async def test_repeated_request_uri_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    pushed = await push(authz)
    page = await browser.get(http.AUTHORIZE, [*pushed.items(), ("request_uri", pushed["request_uri"])])

    assert (page.status_code, "OAUTH-001" in page.text) == (400, True)


async def test_application_is_checked_again(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """An application may have changed since the push (P3)."""
    pushed = await push(authz)
    authz.peers.register("web", redirect_uris=("https://new.example.test/cb",))
    clock.tick(2)
    page = await browser.get(http.AUTHORIZE, pushed)

    assert (page.status_code, "AUTHZ-005" in page.text) == (400, True)


async def test_required_push(authz: AuthzService, browser: FakeBrowser) -> None:
    """A setting of the application (RFC 9126 section 6); the error is redirected to it."""
    authz.peers.register("web", require_pushed_authorization_requests=True)
    direct = Landing(await browser.authorize())
    posted = Landing(await browser.post(http.AUTHORIZE, authorize_parameters()))

    assert (direct.query["error"], direct.query["state"]) == ("invalid_request", "st-1")
    assert posted.query["error"] == "invalid_request"
    assert request_in(await browser.get(http.AUTHORIZE, await push(authz)))


async def test_request_uri_may_be_posted(authz: AuthzService, browser: FakeBrowser) -> None:
    pushed = await push(authz)
    posted = await browser.post(http.AUTHORIZE, pushed)
    id = request_in(await browser.get(posted.headers["location"]))
    landing = Landing(await browser.get((await browser.log_in(id)).continue_to))
    again = await browser.get(posted.headers["location"])

    assert "code" in landing.query
    assert "AUTHZ-261" in again.text


async def test_request_opened_in_another_browser_answers_once(authz: AuthzService) -> None:
    """A restart in another browser is a use of the same pushed request."""
    here, there = authz.browser(), authz.browser()
    id = request_in(await here.get(http.AUTHORIZE, await push(authz)))
    restarted = request_in(await there.get(http.AUTHORIZE_RESUME, {"request": id}))
    first = Landing(await here.get((await here.log_in(id)).continue_to))
    second = await there.get((await there.log_in(restarted)).continue_to)

    assert "code" in first.query
    assert "AUTHZ-261" in second.text


async def test_off_by_default(clock: FrozenClock, bus: MemoryBus) -> None:
    """Only an application that requires pushed requests can push them then."""
    authz = AuthzService(clock, bus)
    with pytest.raises(ServiceError, match="AUTHZ-260"):
        await push(authz)
    authz.peers.register("strict", require_pushed_authorization_requests=True)
    document = (await authz.browser().get(http.DISCOVERY)).json()

    assert await push(authz, client_id="strict")
    assert "pushed_authorization_request_endpoint" not in document


async def test_advertised_when_on(browser: FakeBrowser) -> None:
    document = (await browser.get(http.DISCOVERY)).json()

    assert document["pushed_authorization_request_endpoint"] == f"{document['issuer']}/oauth/v2/par"
    assert "require_pushed_authorization_requests" not in document


async def test_refused_push_has_diagnostics(authz: AuthzService) -> None:
    with pytest.raises(ServiceError):
        await push(authz, redirect_uri=f"{CALLBACK}/")
    await authz.assembly.traces.settle()
    [trace] = [trace for _, message in authz.bus.reported for trace in message.traces]

    assert (trace.endpoint, trace.error_id, trace.client_id) == ("pushed_authorization", "AUTHZ-005", "web")
    assert (trace.checks[-1].name, trace.checks[-1].hint) == ("redirect_uri", "trailing_slash")


async def test_failure_of_the_store(clock: FrozenClock, bus: MemoryBus) -> None:
    """Nothing is granted while the claim cannot be made, and a reload continues."""
    pushed_requests = MemoryPushedRequests(clock)
    stores = replace(memory_authz_stores(clock), pushed_requests=pushed_requests)
    authz = AuthzService(clock, bus, stores, pushed_authorization_requests=True)
    browser = authz.browser()
    pushed = await push(authz)
    done = await browser.log_in(request_in(await browser.get(http.AUTHORIZE, pushed)))
    pushed_requests.records.down = True
    unavailable = await browser.get(done.continue_to)
    pushed_requests.records.down = False
    landing = Landing(await browser.get(done.continue_to))

    assert unavailable.status_code == 503
    assert "code" in landing.query
