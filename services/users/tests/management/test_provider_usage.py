from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as
from portico_users.identity_providers.former_users import FormerUsers

from .granting import set_batches

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

    async def remove(self, idp_id: str) -> Any:
        return await call_as(self.managed, f"{IDPS}.RemoveOrgIDP", {}, path=f"/management/v1/idps/{idp_id}")

    async def linked(self, idp_id: str) -> int:
        return len(await self.managed.users.rows("users", **{"idpLinks.idpId": idp_id}))

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


async def test_link_to_a_removed_provider_is_no_way_in(managed: Any) -> None:
    """Without another one the user can be invited; with one other link, that link cannot be removed."""
    providers = Providers(managed)
    gone, other = await providers.add("gone"), await providers.add("other")
    await providers.link("ada", gone)
    await providers.link("cleo", gone, other)
    removed = await providers.remove(gone)
    user, path = "portico.user.v2.UserService", f"/v2/users/{{}}-{managed.tag}"
    invited = await call_as(
        managed, f"{user}.CreateInviteCode", {"returnCode": {}}, path=f"{path.format('ada')}/invite_code"
    )
    link = f"/links/{other}/cleo-{managed.tag}"
    unlinked = await call_as(managed, f"{user}.RemoveIDPLink", {}, path=path.format("cleo") + link)

    assert (removed.code, invited.code, unlinked.error_code) == (0, 0, "USER-982")
    assert (await providers.usage(other)).body == {"linkedUsers": "1", "onlyWayIn": "1"}


async def test_links_end_in_several_transactions(managed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All users of a provider lose the link, each with one event; the last ones in the background (decision 0156)."""
    set_batches(monkeypatch, 2)
    providers = Providers(managed)
    idp_id, names = await providers.add("one"), [f"user{number}" for number in range(7)]
    for name in names:
        await providers.link(name, idp_id)
    removed = await providers.remove(idp_id)
    await managed.users.service.find(FormerUsers).write_all()
    events = await managed.users.rows("events", object={"$in": [f"{name}-{managed.tag}" for name in names]}, sequence=2)

    assert (removed.code, await providers.linked(idp_id), len(events)) == (0, 0, 7)
