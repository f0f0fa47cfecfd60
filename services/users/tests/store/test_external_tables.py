"""Tables of identity providers: groups that give roles, claims that become metadata, methods that are trusted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_contracts.users import EXPORT, Export, Onward
from portico_oauth.errors import ServiceError
from portico_users.commands.identity_providers.idps import UpdateIdp
from portico_users.commands.people.usable_links import RemoveIdpLink
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.directory.people.human import Human

from .external_sign_in import ISSUER, KEYS, ExternalSignIn

pytestmark = pytest.mark.servers

PEOPLE: dict[str, Any] = {
    "claim": "realm.groups",
    "grants": [{"group": "staff", "project": "shop", "roleKeys": ["reader"]}],
}
BOTH = {
    "claim": "realm.groups",
    "grants": [*PEOPLE["grants"], {"group": "chiefs", "project": "shop", "roleKeys": ["reader", "writer"]}],
}


class Tables(ExternalSignIn):
    """A JWT provider with tables, in an organization with a project."""

    async def declare(self, *, auto_update: bool = False, humans: Any = (), **tables: Any) -> None:
        """Writes the document."""
        self.document = {
            "id": self.idp_id,
            "name": "portal",
            "jwtEndpoint": "https://portal.example/login",
            "issuer": ISSUER,
            "keysEndpoint": KEYS,
            "autoRegister": True,
            "providerOptions": {"isAutoUpdate": auto_update},
            **tables,
        }
        shop = {"id": self.shop, "name": "shop", "roles": [{"roleKey": "reader"}, {"roleKey": "writer"}]}
        policy = {"idps": [self.idp_id]}
        await self.world.home(humans=humans, projects=[shop], jwtIdps=[self.document], loginPolicy=policy)
        self.show_keys()

    @property
    def shop(self) -> str:
        """The id of the project."""
        return f"shop-{self.world.tag}"

    async def come(self, *groups: Any, **claims: Any) -> dict[str, Any]:
        """Signs in with some groups; the user as it is stored then."""
        listed: dict[str, Any] = {"realm": {"groups": list(groups)}} if groups else {}
        done = await self.finish(self.jwt(jti=self.world.names(), **listed, **claims))
        assert done.onward is Onward.SIGNED_IN
        (row,) = await self.people()
        return row

    def roles(self, row: dict[str, Any]) -> list[str]:
        """The roles of a user in the project."""
        return [key for grant in row["grants"] if grant["projectId"] == self.shop for key in grant["roleKeys"]]


@pytest.fixture
def portal(users_world: Any) -> Tables:
    """The provider; `declare` writes it."""
    numbers = iter(range(1_000))
    users_world.names = lambda: str(next(numbers))
    return Tables(users_world)


async def test_groups_give_roles_until_they_are_left(portal: Tables) -> None:
    """A user has the roles of the groups of the last sign-in, given by the provider's organization alone (IP-06)."""
    await portal.declare(groups=BOTH)
    found = [portal.roles(await portal.come(*groups)) for groups in (("staff", "x"), ("chiefs",), ("staff",), ())]
    (row,) = await portal.people()

    assert found == [["reader"], ["reader", "writer"], ["reader"], []]
    assert row["grants"] == []


async def test_roles_of_an_administrator_stay(portal: Tables) -> None:
    """What was granted by hand is not of the group, although the group gives the same."""
    await portal.declare(groups=BOTH)
    row = await portal.come()
    granted = [{"project": "shop", "roleKeys": ["reader"]}]
    person = portal.world.human(
        id=row["_id"], username=row["userName"], email={"email": row["email"], "isVerified": True}, grants=granted
    )
    await portal.declare(groups=BOTH, humans=[person])
    both = portal.roles(await portal.come("chiefs"))
    left = portal.roles(await portal.come("other"))

    assert (both, left) == (["reader", "writer"], ["reader"])


async def test_roles_go_with_the_link(portal: Tables) -> None:
    """What the groups of an identity gave is taken when it is unlinked; what was granted by hand stays (MG-16)."""
    await portal.declare(groups=BOTH)
    row = await portal.come("chiefs")
    people = MongoAccounts(portal.world.parts.mongo.database)
    human = await people.find(row["_id"])
    assert isinstance(human, Human)
    with_password = msgspec.structs.replace(human, has_password=True)
    rows = portal.world.parts.mongo.database["users"]
    await rows.update_one({"_id": human.id}, {"$set": {"hasPassword": True}})
    unlinked = await portal.world.service.find(RemoveIdpLink)(with_password, portal.idp_id, "ada-there", actor="system")

    assert portal.roles(row) == ["reader", "writer"]
    assert (unlinked.grants, unlinked.idp_links) == ((), ())


async def test_an_update_of_the_issuer_takes_the_trust(portal: Tables) -> None:
    """By the management API too, which has no tables (MG-18)."""
    await portal.declare(groups=PEOPLE, amr={"mfa": ["mfa"]}, metadata={"a": "b"})
    before = await portal.world.service.find(MongoIdps).find(portal.idp_id)
    config = msgspec.structs.replace(before.config, issuer="https://new.example")
    after = msgspec.structs.replace(before, config=config)
    changed = await portal.world.service.find(UpdateIdp)(before, after, actor="system")

    assert (changed.tables.groups, changed.tables.amr, changed.tables.groups_claim) == ((), (), "")
    assert [line.key for line in changed.tables.metadata] == ["b"]


async def test_roles_that_the_project_has_no_more_are_not_given(portal: Tables) -> None:
    """The table is read against the project as it is at the sign-in."""
    await portal.declare(groups=BOTH)
    rows = portal.world.parts.mongo.database["projects"]
    await rows.update_one({"_id": portal.shop}, {"$pull": {"roles": {"key": "writer"}}})

    assert portal.roles(await portal.come("chiefs")) == ["reader"]


async def test_a_project_of_others_gives_no_roles(portal: Tables) -> None:
    """Neither by the document, nor where the stored table names one (IP-06, MG-01)."""
    await portal.declare(groups=PEOPLE)
    rows = portal.world.parts.mongo.database["projects"]
    await rows.update_one({"_id": portal.shop}, {"$set": {"orgId": "another"}})
    row = await portal.come("staff")
    await rows.update_one({"_id": portal.shop}, {"$set": {"orgId": portal.world.org_id}})

    assert row["grants"] == []


@pytest.mark.parametrize(
    ("tables", "error", "place"),
    [
        (
            {"groups": {**PEOPLE, "grants": [{"group": "staff", "project": "none", "roleKeys": ["reader"]}]}},
            "USER-041",
            "groups.grants[0].project",
        ),
        (
            {"groups": {**PEOPLE, "grants": [{"group": "staff", "project": "shop", "roleKeys": ["owner"]}]}},
            "USER-042",
            "groups.grants[0]",
        ),
        ({"groups": {**PEOPLE, "grants": PEOPLE["grants"] * 2}}, "USER-628", "groups.grants[0]"),
        ({"groups": {**PEOPLE, "claim": "a..b"}}, "USER-628", "groups.claim"),
        ({"metadata": {"a..b": "key"}}, "USER-628", "metadata.a..b"),
        ({"metadata": {"a": "key", "b": "key"}}, "USER-628", "metadata.a"),
        ({"amr": {"mfa": ["sms"]}}, "USER-628", "amr.mfa"),
        ({"amr": {"mfa": []}}, "USER-628", "amr.mfa"),
    ],
)
async def test_what_may_not_be_in_a_table(portal: Tables, tables: dict[str, Any], error: str, place: str) -> None:
    """With the place in the document."""
    with pytest.raises(ServiceError) as refused:
        await portal.declare(**tables)

    assert refused.value.id == error
    assert refused.value.text.startswith(f"organizations[0].jwtIdps[0].{place}")


async def test_the_instance_gives_no_roles_by_groups(portal: Tables) -> None:
    """Its provider has no organization that could."""
    await portal.declare()
    of_instance = {**portal.document, "id": "", "name": f"i-{portal.world.tag}", "groups": PEOPLE}
    del of_instance["id"]
    with pytest.raises(ServiceError) as refused:
        await portal.world.apply_document({"jwtIdps": [of_instance]})

    assert refused.value.id == "USER-629"


async def test_claims_become_metadata(portal: Tables) -> None:
    """At creation, and afterwards where accounts follow the provider; text as it is, the rest as JSON."""
    await portal.declare(auto_update=True, metadata={"realm.cost": "cost", "https://portal.example/tags": "tags"})
    claims = {"realm": {"cost": 7}, "https://portal.example/tags": "a b"}
    first = await portal.come(**claims)
    second = await portal.come(**{**claims, "realm": {"cost": [1, "x"]}})

    assert {one["key"]: one["value"] for one in first["metadata"]} == {"cost": "Nw", "tags": "YSBi"}
    assert {one["key"]: one["value"] for one in second["metadata"]} == {"cost": "WzEsIngiXQ", "tags": "YSBi"}


async def test_methods_count_only_where_a_table_trusts_them(portal: Tables) -> None:
    """An unmarked provider gives no `amr`, and a marked one only what its table names (IP-06)."""
    await portal.declare()
    unmarked = await portal.finish(portal.jwt(amr=["mfa", "pwd"], jti="1"))
    await portal.declare(amr={"mfa": ["otp", "mfa"], "pwd": ["pwd"]})
    marked = await portal.finish(portal.jwt(amr=["mfa", "sms", 7], jti="2"))
    odd = await portal.finish(portal.jwt(amr={"mfa": True}, jti="3"))

    assert unmarked.identity.amr == ()
    assert marked.identity.amr == ("otp", "mfa")
    assert odd.identity.amr == ()


async def test_another_issuer_is_trusted_with_no_roles_and_methods(portal: Tables) -> None:
    """Until the document states it again (MG-18)."""
    await portal.declare(groups=PEOPLE, amr={"mfa": ["mfa"]}, metadata={"a": "b"})
    await portal.declare(issuer="https://new.example")
    (changed,) = await portal.world.rows("idps", orgId=portal.world.org_id)
    await portal.declare(issuer="https://new.example", groups=PEOPLE)
    (stated,) = await portal.world.rows("idps", orgId=portal.world.org_id)

    assert set(changed["tables"]) == {"metadata"}
    assert set(stated["tables"]) == {"metadata", "groups", "groupsClaim"}


async def test_tables_are_exported_and_applied_again(portal: Tables) -> None:
    """The document that is exported changes nothing."""
    await portal.declare(groups=BOTH, amr={"mfa": ["mfa"]}, metadata={"realm.cost": "cost"})
    exported = (await portal.world.call(EXPORT, Export(org_id=portal.world.org_id))).document
    (idp,) = exported.organizations[0].jwt_idps
    again = await portal.world.apply_document(msgspec.to_builtins(exported))

    assert idp.groups.claim == "realm.groups"
    assert {grant.group for grant in idp.groups.grants} == {"staff", "chiefs"}
    assert (idp.amr, idp.metadata) == ({"mfa": ("mfa",)}, {"realm.cost": "cost"})
    assert {change.action for change in again.changes} == {"unchanged"}
