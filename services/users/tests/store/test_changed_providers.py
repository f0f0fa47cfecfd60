"""A provider that changes while it responds to a sign-in (decision 0048, IP-06)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from portico_contracts.users import ProviderRedirect, VerifyLdap
from portico_fakes.faulty_oauth2 import API
from portico_fakes.faulty_provider import CLIENT_SECRET, ISSUER
from portico_harness.ldap_server import RunningLdapServer
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_users.identity_providers.commands.sign_ins import LdapPasswords, LdapSignIns
from portico_users.identity_providers.edit_providers import RemoveIdp, UpdateIdp
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import MongoIdps
from portico_users.settings import Settings
from portico_users.values.records import State

from .external_sign_in import KEYS, ExternalSignIn
from .ldap_sign_in import PASSWORD, LdapSignIn
from .test_external_oauth2 import Hub
from .test_external_oidc import House

pytestmark = pytest.mark.servers


@pytest.fixture
def cheap_hashing(cheap_hashing: Settings, ldap_server: RunningLdapServer) -> Settings:
    return cheap_hashing.model_copy(update={"outbound_allow": ldap_server.allowed})


class Change:
    """Changes the provider once, when it is asked at an address."""

    def __init__(self, world: Any, idp_id: str, how: str = "removed") -> None:
        self.world = world
        self.idp_id = idp_id
        self.how = how

    async def make(self) -> None:
        service = self.world.service
        before = await service.find(MongoIdps).find(self.idp_id)
        if self.how == "removed":
            await service.find(RemoveIdp)(before, actor="system")
        elif self.how == "inactive":
            after = msgspec.structs.replace(before, state=State.INACTIVE)
            await service.find(UpdateIdp)(before, after, actor="system")
        else:
            config = msgspec.structs.replace(before.config, issuer="https://new.example")
            after = msgspec.structs.replace(before, config=config)
            await service.find(UpdateIdp)(before, after, CLIENT_SECRET, actor="system")

    def during(self, url: str) -> None:
        answers: dict[str, Callable[..., Awaitable[OutboundResponse]]] = self.world.providers.answers
        given = answers[url]

        async def answer(fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
            await self.make()
            return await given(fields, headers)

        answers[url] = answer


async def _error(call: Awaitable[Any]) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.id


@pytest.mark.parametrize("how", ["removed", "inactive", "another issuer"])
async def test_provider_that_changes_during_a_sign_in_signs_nobody_in(users_world: Any, how: str) -> None:
    """The linked user of a provider that was withdrawn while it responded is refused."""
    house = House(users_world)
    house.provider.claims = {"given_name": "Ada", "family_name": "Byron", "email": users_world.mail("ada")}
    await house.set_up(autoRegister=True)
    first = await house.sign_in()
    Change(users_world, house.idp_id, how).during(f"{ISSUER}/token")

    assert first.onward is ProviderRedirect.SIGNED_IN
    assert await _error(house.sign_in()) == "USER-972"
    assert await house.refusals() == ["USER-972"]


async def test_oauth2_provider_that_changes_during_a_sign_in_signs_nobody_in(users_world: Any) -> None:
    """OAuth 2 providers are checked again like OpenID providers."""
    hub = Hub(users_world)
    await hub.set_up()
    Change(users_world, hub.idp_id).during(f"{API}/user")

    assert await _error(hub.sign_in()) == "USER-972"


async def test_jwt_provider_that_changes_during_a_sign_in_signs_nobody_in(users_world: Any) -> None:
    """Users waits for the keys of a JWT provider, if those it has are older than an hour."""
    external = ExternalSignIn(users_world)
    await external.set_up(auto=True)
    first = await external.finish(external.jwt())
    users_world.clock.tick(3_601)
    Change(users_world, external.idp_id).during(KEYS)

    assert first.onward is ProviderRedirect.SIGNED_IN
    assert await _error(external.finish(external.jwt())) == "USER-972"


async def test_unlinked_identity_of_a_changed_provider_is_refused(users_world: Any) -> None:
    """No account is offered for linking or creation."""
    house = House(users_world)
    await house.set_up()
    Change(users_world, house.idp_id).during(f"{ISSUER}/token")

    assert await _error(house.sign_in()) == "USER-972"


class _Removing:
    """Removes the provider after the server accepted the password."""

    def __init__(self, ldap: LdapSignIn) -> None:
        self.passwords = ldap.world.service.find(LdapPasswords)
        self.change = Change(ldap.world, ldap.idp_id)

    async def verify(self, idp: Idp, ask: VerifyLdap) -> Any:
        identity = await self.passwords.verify(idp, ask)
        await self.change.make()
        return identity


async def test_ldap_provider_that_changes_during_a_sign_in_signs_nobody_in(
    users_world: Any, ldap_server: RunningLdapServer
) -> None:
    """The provider is read again after the server's response."""
    ldap = LdapSignIn(users_world, ldap_server)
    await ldap.set_up(autoRegister=True)
    ldap.add()
    first = await ldap.verify()
    sign_ins = replace(users_world.service.find(LdapSignIns), passwords=_Removing(ldap))
    ask = VerifyLdap(provider_id=ldap.idp_id, org_id=users_world.org_id, login_name=ldap.uid, password=PASSWORD)

    assert first
    assert first.onward is ProviderRedirect.SIGNED_IN
    assert await _error(sign_ins.verify(ask)) == "USER-972"
