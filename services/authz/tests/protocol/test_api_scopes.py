"""Scopes of APIs at the authorization endpoint (decision 0092)."""

from __future__ import annotations

from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.users import Api
from portico_fakes.authz_service import CALLBACK, AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


async def test_scopes_of_the_clients_apis_are_granted(clock: FrozenClock, bus: MemoryBus) -> None:
    """Other words are dropped, as all unknown ones; the code remembers what was requested."""
    authz = AuthzService(clock, bus)
    authz.peers.apis["web"] = (Api(client_id="orders", scopes=("orders.read", "orders.write")),)
    landing = await authz.browser().sign_in(scope="openid orders.read invoices.read")
    redeemed = await bus.call(
        REDEEM_CODE, RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    )

    assert redeemed.grant is not None
    assert redeemed.grant.scope == ("openid", "orders.read")
    assert redeemed.grant.dropped_scope == ("invoices.read",)
