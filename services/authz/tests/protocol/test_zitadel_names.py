"""Scopes by ZITADEL's names at the authorization endpoint (decision 0105)."""

from __future__ import annotations

import pytest
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_fakes.authz_service import CALLBACK, AuthzService, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

ROLES = "urn:zitadel:iam:org:project:roles"


@pytest.mark.parametrize(
    ("scope", "granted"),
    [
        (ROLES, (ROLES,)),
        ("urn:zitadel:iam:org:project:role:admin", (ROLES,)),
        ("urn:zitadel:iam:user:metadata urn:portico:user:metadata",
         ("urn:zitadel:iam:user:metadata", "urn:portico:user:metadata")),
        ("urn:zitadel:iam:org:project:id:zitadel:aud", ("urn:portico:project:id:portico:aud",)),
        ("urn:zitadel:iam:org:id:org-1", ("urn:zitadel:iam:org:id:org-1",)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("names", [True, False])
async def test_scope_has_an_effect_only_with_the_setting(
    clock: FrozenClock, bus: MemoryBus, names: bool, scope: str, granted: tuple[str, ...]
) -> None:
    """Without it, it is dropped like every unknown word; with it, the grant keeps the name that was requested."""
    browser = AuthzService(clock, bus, zitadel_names=names).browser()
    await browser.sign_in()
    landing = Landing(await browser.authorize(scope=f"openid {scope}"))

    asked = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await bus.call(REDEEM_CODE, asked)).grant

    assert grant
    assert grant.scope == ("openid", *(word for word in granted if names or word.startswith("urn:portico:user")))
