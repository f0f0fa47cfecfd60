from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

IDPS = "portico.management.v1.IDPService"
CONFIG = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}


class Providers:
    def __init__(self, managed: Any) -> None:
        self.managed = managed

    async def add(self, name: str) -> str:
        added = await call_as(self.managed, f"{IDPS}.AddOrgJWTIDP", {"name": f"{name} {self.managed.tag}", **CONFIG})
        return str(added.body["idpId"])

    async def link(self, user: str, *idp_ids: str, **members: Any) -> None:
        links = [{"idpId": idp_id, "userId": f"{user}-{self.managed.tag}", "userName": user} for idp_id in idp_ids]
        added = await self.managed.add(self.managed.new_human(user, idpLinks=links, **members))
        assert added.code == 0, added.body

    async def usage(self, idp_id: str, *, by: str = "owner") -> Any:
        path = f"/management/v1/idps/templates/{idp_id}/usage"
        return await call_as(self.managed, f"{IDPS}.GetProviderUsage", {}, by=by, path=path)


async def test_users_without_another_login_method_are_counted(managed: Any) -> None:
    """A password or a link to another provider is another login method; provider ids are compared in full."""
    providers = Providers(managed)
    one, other = await providers.add("one"), await providers.add("other")
    await providers.link("ada", one)
    await providers.link("ben", one, password={"password": "an owl on the old tower"})
    await providers.link("cleo", one, other)
    await providers.link("dan", other)

    assert (await providers.usage(one)).body == {"linkedUsers": "3", "onlyWayIn": "1"}
    assert (await providers.usage(other)).body == {"linkedUsers": "2", "onlyWayIn": "1"}
    assert (await providers.usage(one[:-1])).code == 5


async def test_unused_provider_has_no_users(managed: Any) -> None:
    providers = Providers(managed)

    assert (await providers.usage(await providers.add("new"))).body == {}
