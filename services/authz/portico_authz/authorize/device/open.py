"""Opens the sign-in of a device by the code that the user entered."""

from __future__ import annotations

import asyncio
from typing import Final

from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login import Problem
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint

from portico_authz.authorize import Endpoint, run_checks
from portico_authz.authorize.device.begin import device_context
from portico_authz.authorize.pipeline import begin_for_device
from portico_authz.checked_request import CheckedRequest, UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.device import read_user_code
from portico_authz.session.trusted_devices import find_browser

TRIES_SECONDS: Final = 600
MOST_OF_ADDRESS: Final = 20
MOST_IN_ALL: Final = 1_000
"""Wrong codes within the time. With 1,000 devices waiting, one guess in 25 million is right."""

_ALL: Final = "device codes"
_SLOW_DOWN: Final = DeviceOpened(problem=Problem.SLOW_DOWN, retry_after=TRIES_SECONDS)


async def open_device(deps: Dependencies, _id: str, query: OpenDevice) -> DeviceOpened:
    """An unknown, expired, used or withdrawn code, and one of an application that may no longer use it, are the same."""
    owner = f"device codes of {fingerprint(query.address)}"
    # Counted before the code is looked up, so that parallel tries do not pass the limit; in this order, so that one
    # address cannot use up the tries of all.
    if await deps.stores.tries.count(owner, TRIES_SECONDS) > MOST_OF_ADDRESS:
        return _SLOW_DOWN
    if await deps.stores.tries.count(_ALL, TRIES_SECONDS) > MOST_IN_ALL:
        await deps.stores.tries.give_back(owner)
        return _SLOW_DOWN
    ctx = await _find(deps, query)
    if ctx is None:
        return DeviceOpened(problem=Problem.WRONG_CODE)
    await asyncio.gather(deps.stores.tries.give_back(owner), deps.stores.tries.give_back(_ALL))
    browser = await find_browser(deps, query.browser)
    begun = await begin_for_device(deps, ctx, browser)
    return DeviceOpened(continue_to=f"{AUTHORIZE_RESUME}?request={begun.request.id}", set_cookie=begun.cookie)


async def _find(deps: Dependencies, query: OpenDevice) -> CheckedRequest | None:
    user_code = read_user_code(query.user_code)
    device = await deps.stores.devices.find_waiting(user_code, deps.clock.now()) if user_code else None
    if device is None:
        return None
    country = deps.countries.find(query.address) if deps.countries else ""
    agent = UserAgent(
        query.browser,
        device=query.agent,
        client_address=fingerprint(query.address),
        country=country,
        address=query.address,
    )
    try:
        return await run_checks(device_context(deps, device, agent), Endpoint.DEVICE)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return None
