"""What a device and its user do to sign in (RFC 8628)."""

from __future__ import annotations

from typing import Any

from portico_contracts import http
from portico_contracts.authz import BEGIN_DEVICE, BeginDevice, DeviceBegun
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode, encode
from portico_contracts.users import LoginPolicy
from portico_oauth.grant_types import DEVICE_CODE

from portico_fakes.authz_service import LOGIN_KEY, AuthzService, FakeBrowser, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

ALLOWED = LoginPolicy(device_authorization=True)
FROM = "198.51.100.7"
HERE = "203.0.113.9"


def authz_for_devices(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    """One whose organizations allow devices, with the application `tv`."""
    service = AuthzService(clock, bus)
    service.peers.register("tv", grant_types=(DEVICE_CODE, "refresh_token"), redirect_uris=(), response_types=())
    service.peers.policies = dict.fromkeys(service.peers.policies, ALLOWED)
    return service


async def begin(bus: MemoryBus, scope: str = "openid offline_access", client_id: str = "tv") -> DeviceBegun:
    return await bus.call(BEGIN_DEVICE, BeginDevice(client_id=client_id, scope=scope, address=FROM))


async def enter(browser: FakeBrowser, code: str, address: str = HERE) -> DeviceOpened:
    message = OpenDevice(browser=browser.handle, user_code=code, address=address, agent="Firefox, Linux")
    headers = {"Authorization": f"Bearer {LOGIN_KEY}"}
    opened = decode(
        (await browser.http.post(http.DEVICE_API, content=encode(message), headers=headers)).content, DeviceOpened
    )
    browser.take_cookie(opened.set_cookie)
    return opened


async def asked(browser: FakeBrowser, code: str) -> tuple[str, Any]:
    """Enters the code and signs in, up to the approval page."""
    opened = await enter(browser, code)
    id = request_in(await browser.get(opened.continue_to))
    if (await browser.ask(id)).name is not StepName.CONSENT:
        done = await browser.log_in(id)
        assert request_in(await browser.get(done.continue_to)) == id
    return id, await browser.ask(id)


async def answered(browser: FakeBrowser, id: str, step: Any, **fields: Any) -> str:
    """Answers the page; returns where the browser ends."""
    done = await browser.answer(id, step, **(fields or {"scopes": tuple(one.scope for one in step.scopes)}))
    response = await browser.get(done.continue_to)
    return str(response.headers.get("location", response.status_code))


async def approve(browser: FakeBrowser, code: str) -> str:
    return await answered(browser, *await asked(browser, code))
