"""Providers that are remembered between sign-ins (decision 0163)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from portico_contracts.users import ExternalBegun, ExternalFinished, FinishExternal, ProviderRedirect
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache.lease import LEASE_SECONDS, Lease
from portico_runtime.versioned_cache.versions import Versions
from portico_users.identity_providers.commands.sign_ins import ExternalSignIns
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.federation.recent_providers import RecentProviders

from .external_code import CALLBACK, VERIFIER
from .test_changed_providers import Change
from .test_external_oidc import House

pytestmark = pytest.mark.servers


class Remembering:
    """A replica of users that holds a lease."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.lease = Lease(world.service.find(Versions), world.clock, world.clock.now)
        self.recent = RecentProviders(world.service.find(OfferedProviders), self.lease, world.clock)

    async def is_offered(self, house: House) -> bool:
        _, is_offered = await self.recent.find(house.idp_id, self.world.org_id)
        return is_offered

    async def finish(self, house: House, begun: ExternalBegun) -> ProviderRedirect:
        sign_ins = self.world.service.find(ExternalSignIns)
        remembering = replace(sign_ins, providers=replace(sign_ins.providers, recent=self.recent))
        parameters = house.provider.follow(begun.url)
        ask = FinishExternal(
            provider_id=house.idp_id,
            org_id=self.world.org_id,
            redirect_uri=CALLBACK,
            nonce="the-nonce",
            code_verifier=VERIFIER,
            parameters=parameters,
        )
        finished: ExternalFinished = await remembering.finish(ask)
        return finished.onward


async def test_provider_is_remembered_while_the_lease_proves_it_current(users_world: Any) -> None:
    """A change is in force with the next poll, within a second, and at once where no lease is held (decision 0039)."""
    house, replica = House(users_world), Remembering(users_world)
    await house.set_up()
    await replica.lease.poll()
    before = await replica.is_offered(house)
    await Change(users_world, house.idp_id, "inactive").make()
    remembered = await replica.is_offered(house)
    users_world.clock.tick(LEASE_SECONDS)
    without_lease = await replica.is_offered(house)
    await replica.lease.poll()
    polled = await replica.is_offered(house)

    assert (before, remembered, without_lease, polled) == (True, True, False, False)


async def test_provider_of_one_organization_is_not_remembered_for_another(users_world: Any) -> None:
    house, replica = House(users_world), Remembering(users_world)
    await house.set_up()
    await replica.lease.poll()
    await replica.is_offered(house)
    with pytest.raises(ServiceError) as refused:
        await replica.recent.find(house.idp_id, "another-organization")

    assert refused.value.id == "USER-960"


@pytest.mark.parametrize("how", ["removed", "inactive", "another issuer"])
async def test_remembered_provider_that_has_changed_signs_nobody_in(users_world: Any, how: str) -> None:
    """The provider is read again with the linked user, and its version compared (IP-05)."""
    house, replica = House(users_world), Remembering(users_world)
    house.provider.claims = {"given_name": "Ada", "family_name": "Byron", "email": users_world.mail("ada")}
    await house.set_up(autoRegister=True)
    await replica.lease.poll()
    first = await replica.finish(house, await house.begin())
    begun = await house.begin()
    await Change(users_world, house.idp_id, how).make()
    with pytest.raises(ServiceError) as refused:
        await replica.finish(house, begun)

    assert first is ProviderRedirect.SIGNED_IN
    assert refused.value.id == "USER-972"
