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
from portico_oauth.scopes import OFFLINE_ACCESS

from portico_token.domain.clients import AuthenticatedClient
from portico_token.grants.permitted_scope import grant_of_sign_in, permitted_scope
from portico_token.grants.protocol import GrantResult, GrantType, ScopePolicy

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
    parameters: ClassVar[frozenset[str]] = frozenset({"device_code"})
    scope: ClassVar[ScopePolicy] = ScopePolicy.IGNORED

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, _scope: tuple[str, ...] | None
    ) -> GrantResult:
        device_code = parameters.get("device_code")
        if not device_code:
            raise NO_DEVICE_CODE.error(compared=Compared("grant", hint=Hint.MISSING))
        granted = (await self._redeem(RedeemDevice(client.client.client_id, device_code))).grant
        users_client, users = self._dependencies.users_client, self._dependencies.users
        permitted = await permitted_scope(users_client, users, granted.scope, client.client, granted.user_id)
        grant = grant_of_sign_in(granted, client.client, permitted, self._dependencies.clock.now())
        return GrantResult(grant, refreshable=OFFLINE_ACCESS in grant.scope, left_out=permitted.left_out)

    async def _redeem(self, redeem: RedeemDevice) -> DeviceRedeemed:
        try:
            return await self._dependencies.bus.call(REDEEM_DEVICE, redeem)
        except ServiceError as error:
            hint = _HINTS.get(error.private.get("outcome", ""), "")
            error.compared = Compared("grant", wanted=("a device code of this client, approved, once",), hint=hint)
            raise
