"""A browser of `AuthzService` in which users prove a second factor and trust the browser (decision 0100)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import LIST_TRUSTED_DEVICES, ListTrustedDevices, TrustedDeviceState
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor

from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_trusted_devices import MemoryTrustedDevices

DAY: Final = 86_400
DAYS: Final = 30


def trusting_authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    """Ada has an authenticator app, whose codes can be used again, and may trust browsers for `DAYS`."""
    authz = AuthzService(clock, bus)
    authz.peers.factors.reusable = True
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    set_days(authz, DAYS)
    return authz


def set_days(authz: AuthzService, days: int) -> None:
    for org_id, policy in authz.peers.policies.items():
        authz.peers.policies[org_id] = replace(policy, trusted_device_days=days)


def devices_of(authz: AuthzService) -> MemoryTrustedDevices:
    assert isinstance(authz.stores.trusted_devices, MemoryTrustedDevices)
    return authz.stores.trusted_devices


async def prove(browser: FakeBrowser, id: str, shown: Any, *, trust: bool = True) -> Any:
    """Answers the step of a second factor as its owner."""
    if shown.name is StepName.SECURITY_KEY:
        return await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]), trust=trust)
    code = "AAAA-BBBB" if shown.name is StepName.RECOVERY_CODE else "111111"
    return await browser.answer(id, shown, code=code, trust=trust)


async def trust_device(browser: FakeBrowser, login_name: str = "ada") -> None:
    id = await browser.begin()
    done = await prove(browser, id, await browser.log_in(id, login_name))
    await browser.get(done.continue_to)


async def step_after_password(browser: FakeBrowser, login_name: str = "ada", **parameters: str) -> StepName:
    """The step after the password in a new sign-in, without a session."""
    id = await browser.begin(**parameters)
    return StepName((await browser.log_in(id, login_name)).name)


async def sign_out(browser: FakeBrowser) -> None:
    shown = await browser.get(http.END_SESSION)
    id = shown.headers["location"].partition("request=")[2]
    assert (await browser.confirm_logout(id, (await browser.get_logout(id)).csrf)).status_code == 200


async def listed(authz: AuthzService, user_id: str = ADA.user_id) -> tuple[TrustedDeviceState, ...]:
    return (await authz.bus.call(LIST_TRUSTED_DEVICES, ListTrustedDevices(user_id=user_id))).devices
