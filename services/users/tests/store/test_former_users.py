"""What a provider ends for more users than fit its transaction is in force at once, and written later (decision 0156)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.users import GET_GROUPS, GET_ROLES, GetGroups, GetRoles, ProviderRedirect
from portico_users.identity_providers import endings
from portico_users.identity_providers.endings import ENDINGS
from portico_users.identity_providers.former_users import FormerUsers
from portico_users.journal import cascades

from .test_ended_mappings import CHIEFS, FULL, Ending

pytestmark = pytest.mark.servers

NAMES = ("ada", "bob", "eve")
BOTH_LINES: dict[str, Any] = {**FULL, "groups": [*FULL["groups"], {"group": "bosses", "to": "Employees"}]}


class Many(Ending):
    """Three users with everything by the provider; a transaction writes one of them."""

    async def set_up(self, **_options: Any) -> None:
        await self.declare(groups=BOTH_LINES)
        for name in NAMES:
            await self.arrive(name, "staff", "writers", "chiefs")
        self.ids = [row["_id"] for row in await self.people()]
        assert len(self.ids) == len(NAMES)

    async def arrive(self, name: str, *groups: str) -> None:
        jwt = self.jwt(
            jti=self.world.names(),
            sub=name,
            preferred_username=f"{name}-{self.world.tag}",
            email=self.world.mail(name),
            realm={"groups": list(groups)},
        )
        assert (await self.finish(jwt)).onward is ProviderRedirect.SIGNED_IN

    async def all_have(self) -> list[tuple[tuple[str, ...], set[str]]]:
        found = []
        for id in self.ids:
            names = (await self.world.call(GET_GROUPS, GetGroups(user_id=id))).names
            roles = await self.world.call(GET_ROLES, GetRoles(user_id=id, project_ids=(self.shop,)))
            found.append((names, set(roles.roles.get(self.shop, {}))))
        return found

    async def stored(self) -> int:
        """How many records have something by the provider."""
        return sum(
            bool(row["groups"]) or any(link["granted"] for link in row["idpLinks"]) for row in await self.people()
        )

    async def write(self) -> None:
        await self.world.service.find(FormerUsers).write_all()

    async def end_all(self) -> None:
        await self.other_claim()


@pytest.fixture
async def many(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> Many:
    numbers = iter(range(1_000))
    users_world.names = lambda: str(next(numbers))
    monkeypatch.setattr(cascades, "IN_ONE", 1)
    monkeypatch.setattr(endings, "AT_ONCE", 1)
    found = Many(users_world)
    await found.set_up()
    return found


@pytest.mark.parametrize(("end", "kept"), [(Many.end_all, 2), (Many.other_issuer, 2), (Many.remove, 2)])
async def test_rights_end_for_all_when_the_call_returns(
    many: Many, end: Callable[[Many], Awaitable[None]], kept: int
) -> None:
    """The other users are not written yet; caches of other services have ended, for their versions are as before."""
    waited = many.world.parts.versions.outlasted
    await end(many)

    assert (await many.all_have(), await many.stored()) == ([((), set())] * 3, kept)
    assert many.world.parts.versions.outlasted - waited == 1


async def test_users_are_written_in_the_background(many: Many) -> None:
    """With an event of each user; what ended stays noted for requests that read a user before that."""
    await many.end_all()
    await many.write()
    noted = await many.world.rows(ENDINGS, idpId=many.idp_id)
    many.world.clock.tick(61)
    await many.write()

    assert (await many.stored(), len(noted)) == (0, 1)
    assert await many.world.rows(ENDINGS, idpId=many.idp_id) == []
    for row in await many.people():
        (event,) = await many.world.rows("events", object=row["_id"], sequence=row["sequence"])
        assert {"groups", "idpLinks"} <= set(event["fields"])


async def test_links_of_a_removed_provider_end_in_the_background(many: Many) -> None:
    """A removed provider leaves neither links nor rights, also after an interruption: another replica goes on."""
    await many.remove()
    before = [len(row["idpLinks"]) for row in await many.people()]
    await many.write()

    assert (sorted(before), [row["idpLinks"] for row in await many.people()]) == ([0, 1, 1], [[], [], []])


async def test_few_users_are_written_with_the_change(many: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    """So lists are right at once, nothing is noted, and the call does not wait."""
    monkeypatch.setattr(cascades, "IN_ONE", 1_000)
    waited = many.world.parts.versions.outlasted
    await many.end_all()

    assert (await many.stored(), await many.world.rows(ENDINGS, idpId=many.idp_id)) == (0, [])
    assert many.world.parts.versions.outlasted == waited


async def test_sign_in_before_a_user_is_written_gives_what_the_provider_gives(many: Many) -> None:
    """Who has a group by another line keeps it when the others are written; who has not loses it at sign-in too."""
    await many.remap(groups=BOTH_LINES["groups"][1:], grants=[CHIEFS])
    for name in NAMES:
        await many.arrive(name, *(("bosses", "chiefs") if name == "bob" else ("staff", "chiefs")))
    at_sign_in = await many.all_have()
    await many.write()
    by_name = dict(zip([row["userName"][:3] for row in await many.people()], await many.all_have(), strict=True))

    boss = (("Employees",), {"reader", "writer"})
    assert by_name == {"ada": ((), {"writer"}), "bob": boss, "eve": ((), {"writer"})}
    assert sorted(at_sign_in) == sorted(by_name.values())


async def test_new_user_has_what_the_provider_gives_now(many: Many) -> None:
    """An ended mapping that is noted is about links from before, not about a user who comes later."""
    await many.remap(groups=BOTH_LINES["groups"][1:], grants=[CHIEFS])
    await many.arrive("new", "bosses")
    (new,) = [row["_id"] for row in await many.people() if row["_id"] not in many.ids]
    many.ids = [new]

    assert await many.all_have() == [(("Employees",), {"reader"})]


async def test_second_link_to_the_provider_is_not_searched_for_ever(many: Many) -> None:
    """A user keeps what a newer link gives, and is found once, although an older link is there too."""
    await many.remap(groups=BOTH_LINES["groups"][1:], grants=[CHIEFS])
    await many.arrive("bob", "bosses")
    rows = many.world.parts.mongo.database["users"]
    (bob,) = [row for row in await many.people() if row["userName"].startswith("bob")]
    older = {**bob["idpLinks"][0], "userId": "bob-before", "givenBy": 0, "granted": []}
    keys = [*bob["linkKeys"], f"{many.idp_id}\nbob-before"]
    await rows.update_one({"_id": bob["_id"]}, {"$push": {"idpLinks": older}, "$set": {"linkKeys": keys}})
    await many.write()
    many.ids = [bob["_id"]]

    assert (await many.all_have())[0][0] == ("Employees",)
    assert all(row.get("written") for row in await many.world.rows(ENDINGS, idpId=many.idp_id))
