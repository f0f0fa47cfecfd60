"""Scopes by ZITADEL's names at the authorization endpoint (decision 0105)."""

from __future__ import annotations

import pytest
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_fakes.authz_service import CALLBACK, AuthzService, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.mark.parametrize("names", [True, False])
async def test_scope_has_an_effect_only_with_the_setting(clock: FrozenClock, bus: MemoryBus, names: bool) -> None:
    """Without it, it is dropped like every unknown word."""
    browser = AuthzService(clock, bus, zitadel_names=names).browser()
    await browser.sign_in()
    landing = Landing(await browser.authorize(scope="openid urn:zitadel:iam:org:project:roles"))

    asked = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await bus.call(REDEEM_CODE, asked)).grant

    assert grant
    assert grant.scope == ("openid", *(["urn:portico:project:roles"] if names else []))
