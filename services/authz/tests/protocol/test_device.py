"""Signing in on a device with the code that it shows (RFC 8628)."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from portico_authz.domain.device import DeviceRequest
from portico_contracts import events, http
from portico_contracts.authz import BEGIN_DEVICE, REDEEM_DEVICE, BeginDevice, CodeGrant, DeviceBegun, RedeemDevice
from portico_contracts.login import Problem
from portico_contracts.login_device import DeviceOpened
from portico_contracts.step_names import StepName
from portico_contracts.users import Api, Consent, LoginPolicy, ProjectAccess
from portico_fakes.authz_service import ADA, BOB, AuthzService, FakeBrowser, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.device_sign_in import FROM, answered, approve, asked, authz_for_devices, begin, enter
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError
from portico_oauth.grant_types import DEVICE_CODE


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return authz_for_devices(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def redeem(bus: MemoryBus, begun: DeviceBegun, client_id: str = "tv") -> CodeGrant:
    return (await bus.call(REDEEM_DEVICE, RedeemDevice(client_id=client_id, device_code=begun.device_code))).grant


async def refusal(bus: MemoryBus, begun: DeviceBegun, client_id: str = "tv") -> Kind:
    with pytest.raises(ServiceError) as refused:
        await redeem(bus, begun, client_id)
    return refused.value.kind


async def test_device_names_resources(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The page and the grant have them, and an unknown one is refused when the device asks (RFC 8707, decision 0097)."""
    authz.peers.apis["tv"] = (Api("orders", ("https://orders.example",), ("read",)),)
    device = await bus.call(BEGIN_DEVICE, BeginDevice("tv", "openid read", FROM, "https://orders.example/"))
    id, step = await asked(browser, device.user_code)
    await answered(browser, id, step)
    grant = await redeem(bus, device)
    with pytest.raises(ServiceError) as refused:
        await bus.call(BEGIN_DEVICE, BeginDevice("tv", "openid read", FROM, "https://other.example"))

    assert [one.scope for one in step.scopes] == ["openid", "read", "https://orders.example"]
    assert (grant.scope, grant.resources) == (("openid", "read"), ("https://orders.example",))
    assert refused.value.kind is Kind.INVALID_TARGET


async def test_device_gets_what_its_user_approved(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The page names application, scopes, code, place and time; the grant is given once, and nothing is remembered."""
    begun = await begin(bus)
    pending = await refusal(bus, begun)
    id, step = await asked(browser, f"{begun.user_code[:4]}-{begun.user_code[4:]}".lower())
    landed = await answered(browser, id, step)
    grant = await redeem(bus, begun)

    assert (pending, await refusal(bus, begun)) == (Kind.AUTHORIZATION_PENDING, Kind.INVALID_GRANT)
    assert (step.client_name, step.org_name) == ("Demo shop", "Acme")
    assert [one.scope for one in step.scopes] == ["openid", "offline_access"]
    assert step.device is not None
    assert (step.device.user_code, step.device.address, step.device.asked_at) == (begun.user_code, FROM, clock.now())
    assert landed == f"{http.DEVICE_PAGE}?answer=approved"
    assert (grant.user_id, grant.client_id, grant.scope) == (ADA.user_id, "tv", ("openid", "offline_access"))
    assert authz.peers.consents == {}


async def test_link_of_another_browser_leads_to_the_page_of_codes(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """The user of an attacker's device would not see that it is not the own one (RFC 8628 section 5.4)."""
    begun = await begin(bus)
    id = request_in(await browser.get((await enter(browser, begun.user_code)).continue_to))
    victim, signed_in = authz.browser(), authz.browser()
    await signed_in.log_in(await signed_in.begin())
    for other in (victim, signed_in):
        link = await other.get(f"{http.AUTHORIZE_RESUME}?request={id}")
        step = await other.ask(id)
        reopened = await other.get(step.continue_to)

        assert (link.status_code, link.headers["location"]) == (303, http.DEVICE_PAGE)
        assert reopened.headers["location"] == http.DEVICE_PAGE
    assert await refusal(bus, begun) is Kind.AUTHORIZATION_PENDING
    assert (await browser.ask(id)).name is StepName.LOGIN_NAME


async def test_session_alone_never_approves(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The link with the code only fills it in, and a signed-in user is asked, whatever was allowed before."""
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), consent=Consent.ONCE)
    await browser.sign_in(client_id="other")
    authz.peers.consents[ADA.user_id, "tv"] = ("openid",)
    begun = await begin(bus, "openid")
    opened = await enter(browser, begun.user_code)
    id = request_in(await browser.get(opened.continue_to))

    assert (await browser.ask(id)).name is StepName.CONSENT
    assert await refusal(bus, begun) is Kind.AUTHORIZATION_PENDING


async def test_consent_is_remembered_where_the_application_requests_it(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), consent=Consent.ONCE)
    await approve(browser, (await begin(bus, "openid email")).user_code)

    assert authz.peers.consents == {(ADA.user_id, "tv"): ("openid", "email")}


async def test_only_shown_scopes_are_approved(browser: FakeBrowser, bus: MemoryBus) -> None:
    begun = await begin(bus)
    id, step = await asked(browser, begun.user_code)
    again = await browser.answer(id, step, scopes=("openid",))

    assert again.name is StepName.CONSENT
    assert await refusal(bus, begun) is Kind.AUTHORIZATION_PENDING


async def test_one_of_200_redeemers_gets_the_grant(browser: FakeBrowser, bus: MemoryBus) -> None:
    """All of them pass the checks before the claim, which one wins; the others do not revoke its grant."""
    begun = await begin(bus)
    await approve(browser, begun.user_code)
    redeemed = await asyncio.gather(*(redeem(bus, begun) for _ in range(200)), return_exceptions=True)
    refused = [one.kind for one in redeemed if isinstance(one, ServiceError)]

    assert refused == [Kind.INVALID_GRANT] * 199


async def test_denied_device_gets_access_denied(browser: FakeBrowser, bus: MemoryBus) -> None:
    begun = await begin(bus)
    id, step = await asked(browser, begun.user_code)

    assert await answered(browser, id, step, cancel=True) == f"{http.DEVICE_PAGE}?answer=denied"
    assert await refusal(bus, begun) is Kind.DEVICE_DENIED


async def test_one_answer_counts(authz: AuthzService, bus: MemoryBus) -> None:
    """Of two browsers with the same code, the first decides; the other learns that the code is used."""
    begun = await begin(bus)
    mine, theirs = authz.browser(), authz.browser()
    first, second = await asked(mine, begun.user_code), await asked(theirs, begun.user_code)

    assert await answered(mine, *first) == f"{http.DEVICE_PAGE}?answer=approved"
    assert await answered(theirs, *second) == "400"
    assert (await redeem(bus, begun)).user_id == ADA.user_id


async def test_cancelling_beside_an_approval_is_not_a_denial(authz: AuthzService, bus: MemoryBus) -> None:
    """The page shows that the code is used: a user who cancels it here has not denied the device."""
    begun = await begin(bus)
    mine, theirs = authz.browser(), authz.browser()
    first, second = await asked(mine, begun.user_code), await asked(theirs, begun.user_code)
    await answered(mine, *first)

    assert await answered(theirs, *second, cancel=True) == "400"
    assert (await redeem(bus, begun)).user_id == ADA.user_id


@pytest.mark.parametrize(("fields", "result"), [({}, "approved"), ({"cancel": True}, "denied")])
async def test_answer_with_a_lost_reply_is_repeated(
    authz: AuthzService,
    browser: FakeBrowser,
    bus: MemoryBus,
    monkeypatch: pytest.MonkeyPatch,
    fields: dict[str, bool],
    result: str,
) -> None:
    """The store answered the device although its reply was lost: the reloaded page shows that, as one event."""
    id, step = await asked(browser, (await begin(bus)).user_code)
    answer = authz.stores.devices.answer

    async def lose(device: DeviceRequest, request_id: str, grant: CodeGrant | None, now: float) -> bool:
        await answer(device, request_id, grant, now)
        raise UNAVAILABLE.error(retry_after=1, part="redis")

    with monkeypatch.context() as broken:
        broken.setattr(authz.stores.devices, "answer", lose)
        lost = await answered(browser, id, step, **fields)
    reloaded = await browser.get(http.AUTHORIZE_RESUME, {"request": id})
    await authz.publisher.settle()
    subjects = (events.DEVICE_APPROVED.subject, events.DEVICE_DENIED.subject)

    assert lost == "503"
    assert reloaded.headers["location"] == f"{http.DEVICE_PAGE}?answer={result}"
    assert len([subject for subject, _ in bus.published if subject in subjects]) == 1


@pytest.mark.usefixtures("authz")
async def test_fast_polls_lengthen_the_interval(bus: MemoryBus, clock: FrozenClock) -> None:
    """Each slow_down adds 5 seconds (RFC 8628 section 3.5)."""
    begun = await begin(bus)
    kinds = []
    for seconds in (0, 5, 1, 10, 1, 10, 15):
        clock.tick(seconds)
        kinds.append(await refusal(bus, begun))
    pending, too_fast = Kind.AUTHORIZATION_PENDING, Kind.POLLED_TOO_FAST

    assert kinds == [pending, pending, too_fast, pending, too_fast, too_fast, too_fast]


async def test_code_expires_after_ten_minutes(browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock) -> None:
    begun = await begin(bus)
    id, step = await asked(browser, begun.user_code)
    clock.tick(begun.expires_in)

    assert begun.expires_in == 600
    assert await answered(browser, id, step) == "400"
    assert await refusal(bus, begun) is Kind.EXPIRED_TOKEN


async def test_unknown_and_foreign_codes_look_alike(
    browser: FakeBrowser, authz: AuthzService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """At the token endpoint and on the page, whatever is wrong with a code."""
    begun, withdrawn = await begin(bus), await begin(bus)
    authz.peers.register("other-tv", grant_types=(DEVICE_CODE,))
    unknown = msgspec.structs.replace(begun, device_code=begun.device_code[:-3] + "abc")
    used = await begin(bus)
    await approve(browser, used.user_code)
    assert await refusal(bus, begun, "other-tv") is await refusal(bus, unknown) is Kind.INVALID_GRANT
    authz.peers.register("tv", grant_types=())
    clock.tick(1)
    entered = [await enter(browser, code) for code in (withdrawn.user_code, used.user_code, "BCDF-GHJK", "no code", "")]

    assert entered == [DeviceOpened(problem=Problem.WRONG_CODE)] * 5


@pytest.mark.parametrize("lost", ["user", "role", "policy", "grant type", "session"])
async def test_admission_is_checked_again_at_redemption(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, lost: str, clock: FrozenClock
) -> None:
    """A user who was locked or lost access after the approval gets nothing (CVE-2026-88770, CVE-2026-9798)."""
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), checks_roles=True)
    begun = await begin(bus, "openid")
    authz.peers.admissions[ADA.user_id, "project-1"] = ProjectAccess(has_role=True)
    await approve(browser, begun.user_code)
    match lost:
        case "user":
            del authz.peers.people[ADA.user_id]
        case "role":
            authz.peers.admissions[ADA.user_id, "project-1"] = ProjectAccess(has_role=False)
        case "policy":
            authz.peers.policies[ADA.org_id] = LoginPolicy()
        case "grant type":
            authz.peers.register("tv", grant_types=(), checks_roles=True)
        case _:
            [sid] = await authz.stores.sessions.list_sids(ADA.user_id)
            await authz.stores.sessions.end(sid, 600)
    clock.tick(2)

    assert await refusal(bus, begun) is Kind.DEVICE_DENIED
    assert await refusal(bus, begun) is Kind.INVALID_GRANT


async def test_store_that_is_away_leaves_the_approval(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """A poll that could not be checked is answered with 503, and the next one gets the grant."""
    begun = await begin(bus)
    await approve(browser, begun.user_code)
    clock.tick(2)
    bus.down = True
    away = await refusal(bus, begun)
    bus.down = False

    assert away is Kind.UNAVAILABLE
    assert (await redeem(bus, begun)).user_id == ADA.user_id


@pytest.mark.parametrize("place", ["organization", "application"])
async def test_off_unless_organization_and_application_allow_it(
    authz: AuthzService, bus: MemoryBus, place: str
) -> None:
    if place == "application":
        authz.peers.register("tv", grant_types=("authorization_code",))
    else:
        authz.peers.policies["org-1"] = LoginPolicy()
    with pytest.raises(ServiceError) as refused:
        await begin(bus)

    assert refused.value.kind is Kind.UNAUTHORIZED_CLIENT


async def test_organization_of_the_user_may_forbid_it(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """Its users see no page to approve."""
    authz.peers.policies[BOB.org_id] = LoginPolicy()
    opened = await enter(browser, (await begin(bus)).user_code)
    id = request_in(await browser.get(opened.continue_to))
    done = await browser.log_in(id, "bob")

    assert (await browser.get(done.continue_to)).status_code == 403


@pytest.mark.usefixtures("authz")
@pytest.mark.parametrize("scope", ["", 'openid "'])
async def test_scope_is_checked_as_in_an_authorization_request(bus: MemoryBus, scope: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await begin(bus, scope)

    assert refused.value.kind is Kind.INVALID_SCOPE


async def test_answers_are_in_the_log(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    await approve(browser, (await begin(bus)).user_code)
    await answered(browser, *await asked(browser, (await begin(bus)).user_code), cancel=True)
    await authz.publisher.settle()
    subjects = (events.DEVICE_APPROVED.subject, events.DEVICE_DENIED.subject)
    bodies = [body for subject, body in bus.published if subject in subjects]

    assert [(body.user_id, body.client_id, body.device) for body in bodies] == [
        (ADA.user_id, "tv", "Firefox, Linux"),
        ("", "tv", "Firefox, Linux"),
    ]


async def test_discovery_names_it_while_the_instance_allows_it(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    on = (await browser.get(http.DISCOVERY)).json()
    authz.peers.policies[""] = LoginPolicy()
    change = events.Changed(event_id="e", aggregate_id="i", org_id="", sequence=1, at=0, actor="system")
    await bus.publish(events.INSTANCE_CHANGED, change, event_id="e")
    off = (await browser.get(http.DISCOVERY)).json()

    assert on["device_authorization_endpoint"].endswith(http.DEVICE_AUTHORIZATION)
    assert DEVICE_CODE in on["grant_types_supported"]
    assert "device_authorization_endpoint" not in off
    assert DEVICE_CODE not in off["grant_types_supported"]
