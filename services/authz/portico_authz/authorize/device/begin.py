from __future__ import annotations

from portico_contracts.authz import BeginDevice, DeviceBegun
from portico_oauth.errors import UNAVAILABLE
from portico_oauth.opaque import fingerprint
from portico_oauth.parameters import RESOURCE, Parameters

from portico_authz.authorize import Endpoint, readable, run_checks
from portico_authz.checked_request import UNKNOWN_AGENT, CheckedRequest, SentRequest, UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.device import (
    EXPIRES_IN,
    INTERVAL,
    DeviceRequest,
    new_device_code,
    new_user_code,
    secret_of,
)

_ATTEMPTS = 5
"""How often a code is generated that another device does not have; with 100,000 devices the first is free almost always."""


async def begin_device(deps: Dependencies, query: BeginDevice) -> DeviceBegun:
    """Raises the errors of the checks of client, grant type and scope."""
    now = deps.clock.now()
    country = deps.countries.find(query.address) if deps.countries else ""
    for _ in range(_ATTEMPTS):
        user_code = new_user_code(deps.random)
        device_code = new_device_code(user_code, deps.random)
        device = DeviceRequest(
            user_code=user_code,
            secret=secret_of(device_code),
            client_id=query.client_id,
            scope=query.scope,
            asked_at=now,
            expires_at=now + EXPIRES_IN,
            address=query.address,
            country=country,
            resource=query.resource,
        )
        await run_checks(device_context(deps, device), Endpoint.DEVICE)
        owner = fingerprint(query.address) if query.address else ""
        if await deps.stores.devices.create(device, EXPIRES_IN, owner):
            return DeviceBegun(device_code, user_code, EXPIRES_IN, INTERVAL)
    raise UNAVAILABLE.error(cause="no user code is free")


def device_context(deps: Dependencies, device: DeviceRequest, user_agent: UserAgent = UNKNOWN_AGENT) -> SentRequest:
    """The context of the checks, as of an authorization request without a redirect URI."""
    fields = [("client_id", device.client_id), ("scope", device.scope), (RESOURCE, device.resource)]
    return CheckedRequest(deps.sources, readable(Parameters(fields)), user_agent, device=device)
