"""Trusted devices (decision 0100): browsers in which no second factor of a user is requested for some days."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.authz import (
    EndTrustedDevice,
    ListTrustedDevices,
    TrustedDeviceEnded,
    TrustedDeviceState,
    TrustedDeviceStates,
)
from portico_contracts.users import LoginPolicy, User
from portico_oauth.errors import Kind, ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.progress import Progress
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_authz.domain.trusted_device import ReplacedHandle, TrustedDevice, device_id_of
from portico_authz.event_publisher import SignInOrigin

log = structlog.get_logger("portico.login")

_UNKNOWN: Final = SignInOrigin("", "", "")


async def is_trusted(deps: Dependencies, browser: Browser, user: User, policy: LoginPolicy) -> bool:
    """Costs nothing in a browser that the user does not trust. Without the store the factor is requested."""
    if not policy.trusted_device_days or user.user_id not in browser.trusted_until:
        return False
    try:
        device = await deps.stores.trusted_devices.find(user.user_id, device_id_of(browser))
    except ServiceError as error:
        if error.kind is not Kind.UNAVAILABLE:
            raise
        log.warning("trusted device not read", user_id=user.user_id, cause=error.private)
        return False
    return device is not None and device.is_valid(user, policy, deps.clock.now())


async def begin_trust(
    deps: Dependencies, browser: Browser, user: User, progress: Progress, origin: SignInOrigin
) -> Browser:
    """Stores the trust that the user chose with a verified second factor; returns the browser with it."""
    policy = await deps.users_client.login_policy(user.org_id)
    if progress.trust is None or not policy.trusted_device_days:
        return browser
    now = deps.clock.now()
    trusted = TrustedDevice(
        id=device_id_of(browser),
        factor=progress.trust.step,
        epoch=progress.trust.epoch,
        since=now,
        days=policy.trusted_device_days,
        device=origin.device,
        country=origin.country,
    )
    until = trusted.until(policy)
    await deps.stores.trusted_devices.save(user.user_id, trusted, int(until - now))
    deps.publisher.trust_changed(user.user_id, origin, ended=False)
    return browser.with_trust(user.user_id, until, now)


async def remember_handle(deps: Dependencies, handle: str, browser: Browser) -> None:
    """Remembers a handle that is about to be replaced, while users trust the browser."""
    if not browser.trusted_until:
        return
    now = deps.clock.now()
    replaced = ReplacedHandle(device_id_of(browser), tuple(browser.trusted_until), now)
    await deps.stores.trusted_devices.remember_handle(handle, replaced, browser.seconds_to_keep(now, 1))


async def find_browser(deps: Dependencies, handle: str) -> Browser | None:
    """Finds the browser in which a sign-in begins."""
    browser = await deps.stores.browsers.find(handle)
    if browser is None and handle:
        await _end_replayed(deps, handle)
    return browser


async def _end_replayed(deps: Dependencies, handle: str) -> None:
    """Ends the trust in a browser whose replaced handle is used again, because there is a copy of its cookie.

    For some seconds the handle is expected: a response was lost, or requests overtook each other.
    """
    replaced = await deps.stores.trusted_devices.find_handle(handle)
    if replaced is None or deps.clock.now() <= replaced.at + RETRY_WINDOW_SECONDS:
        return
    for user_id in replaced.user_ids:
        if await _end(deps, user_id, replaced.device_id):
            log.warning("trusted device ended", user_id=user_id, cause="an earlier cookie was used again")


async def list_devices(deps: Dependencies, query: ListTrustedDevices) -> TrustedDeviceStates:
    user = await deps.users_client.find_user(query.user_id)
    if user is None:
        return TrustedDeviceStates(devices=())
    policy, now = await deps.users_client.login_policy(user.org_id), deps.clock.now()
    stored = await deps.stores.trusted_devices.list(user.user_id)
    valid = sorted((one for one in stored if one.is_valid(user, policy, now)), key=lambda one: -one.since)
    return TrustedDeviceStates(
        devices=tuple(
            TrustedDeviceState(
                device_id=one.id,
                since=one.since,
                until=one.until(policy),
                device=one.device,
                country=one.country,
            )
            for one in valid
        )
    )


async def end_device(deps: Dependencies, query: EndTrustedDevice) -> TrustedDeviceEnded:
    return TrustedDeviceEnded(ended=await _end(deps, query.user_id, query.device_id))


async def end_all(deps: Dependencies, user_id: str) -> None:
    if await deps.stores.trusted_devices.end(user_id):
        deps.publisher.trust_changed(user_id, _UNKNOWN, ended=True)


async def _end(deps: Dependencies, user_id: str, device_id: str) -> bool:
    found = await deps.stores.trusted_devices.find(user_id, device_id)
    if found is None or not await deps.stores.trusted_devices.end(user_id, (device_id,)):
        return False
    deps.publisher.trust_changed(user_id, SignInOrigin("", found.device, found.country), ended=True)
    return True
