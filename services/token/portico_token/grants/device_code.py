"""urn:ietf:params:oauth:grant-type:device_code (RFC 8628 sections 3.4 and 3.5).

authz counts the polls, checks user and session again, and claims the grant atomically. A code that was redeemed
is refused, but its grant is not revoked: only the device had the code, and after a lost response it asks again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from portico_contracts.authz import REDEEM_DEVICE, DeviceRedeemed, RedeemDevice
from portico_contracts.diagnostics import Hint
from portico_oauth import grant_types
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.parameters import RESOURCE

from portico_token.domain.clients import AuthenticatedClient
from portico_token.grants.protocol import GrantType, ScopePolicy
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import NewGrant
from portico_token.grants.sign_in import result_of_sign_in

NO_DEVICE_CODE = ErrorCode(
    "TOKEN-265",
    Kind.INVALID_REQUEST,
    "The device_code is missing.",
    "Send the device_code of the device authorization response.",
)

_HINTS: Final = {"expired": Hint.EXPIRED, "spent": Hint.USED_BEFORE, "unknown": Hint.UNKNOWN}


class DeviceCode(GrantType):
    """Issues tokens to a device whose user has approved."""

    grant_type: ClassVar[str] = grant_types.DEVICE_CODE
    parameters: ClassVar[frozenset[str]] = frozenset({"device_code", RESOURCE})
    scope: ClassVar[ScopePolicy] = ScopePolicy.IGNORED

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, _scope: tuple[str, ...] | None
    ) -> NewGrant:
        device_code = parameters.get("device_code")
        if not device_code:
            raise NO_DEVICE_CODE.error(compared=Compared("grant", hint=Hint.MISSING))
        resources = requested_resources(parameters)
        now = self._dependencies.clock.now()
        granted = (await self._redeem(RedeemDevice(client.client.client_id, device_code))).grant
        return await result_of_sign_in(self._dependencies, granted, client.client, resources, now=now)

    async def _redeem(self, redeem: RedeemDevice) -> DeviceRedeemed:
        try:
            return await self._dependencies.bus.call(REDEEM_DEVICE, redeem)
        except ServiceError as error:
            hint = _HINTS.get(error.private.get("outcome", ""), "")
            error.compared = Compared("grant", wanted=("a device code of this client, approved, once",), hint=hint)
            raise
