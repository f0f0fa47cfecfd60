from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import msgspec
import pytest
from portico_contracts.users import EXPORT, Export, ProviderRedirect
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.usable_links import RemoveIdpLink
from portico_users.groups.edit_groups import PutIntoGroups
from portico_users.identity_providers.commands.external_accounts import LinkedAccounts, link_of
from portico_users.identity_providers.commands.group_roles import GroupRoles
from portico_users.identity_providers.edit_providers import UpdateIdp
from portico_users.identity_providers.store import MongoIdps

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
    async def declare(self, *, auto_update: bool = False, humans: Any = (), **tables: Any) -> None:
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
        groups = [
            {"name": "Employees", "grants": [{"project": "shop", "roleKeys": ["reader"]}]},
            {"name": "Authors", "memberOf": ["Employees"]},
        ]
        await self.world.home(
            humans=humans, groups=groups, projects=[shop], jwtIdps=[self.document], loginPolicy=policy
        )
        self.show_keys()

    @property
    def shop(self) -> str:
        return f"shop-{self.world.tag}"

    async def come(self, *groups: Any, **claims: Any) -> dict[str, Any]:
        listed: dict[str, Any] = {"realm": {"groups": list(groups)}} if groups else {}
        done = await self.finish(self.jwt(jti=self.world.names(), **listed, **claims))
        assert done.onward is ProviderRedirect.SIGNED_IN
        (row,) = await self.people()
        return row

    def roles(self, row: dict[str, Any]) -> list[str]:
        return [key for grant in row["grants"] if grant["projectId"] == self.shop for key in grant["roleKeys"]]


MAPPED = {
    "claim": "realm.groups",
    "groups": [{"group": "staff", "to": "Employees"}, {"group": "writers", "to": "authors"}],
}


def groups_of(row: dict[str, Any]) -> dict[str, bool]:
    """Names of groups, and whether a provider gives them."""
    return {one["name"]: bool(one.get("links")) for one in row["groups"]}


@pytest.fixture
def portal(users_world: Any) -> Tables:
    numbers = iter(range(1_000))
    users_world.names = lambda: str(next(numbers))
    return Tables(users_world)


async def test_groups_grant_roles(portal: Tables) -> None:
    """A user has the roles of the groups at the last sign-in, granted only by the provider's organization (IP-06)."""
    await portal.declare(groups=BOTH)
    found = [portal.roles(await portal.come(*groups)) for groups in (("staff", "x"), ("chiefs",), ("staff",), ())]
    (row,) = await portal.people()

    assert found == [["reader"], ["reader", "writer"], ["reader"], []]
    assert row["grants"] == []


async def test_manually_granted_roles_remain(portal: Tables) -> None:
    """A role granted manually is independent of groups, even if a group grants the same role."""
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


async def test_unlinking_removes_group_roles(portal: Tables) -> None:
    """Unlinking an identity removes its groups and their roles; manually granted roles remain (MG-16)."""
    await portal.declare(groups={**BOTH, "groups": [{"group": "chiefs", "to": "Employees"}]})
    row = await portal.come("chiefs")
    people = MongoAccounts(portal.world.parts.mongo.database)
    human = await people.find(row["_id"])
    assert isinstance(human, EndUser)
    with_password = msgspec.structs.replace(human, has_password=True)
    rows = portal.world.parts.mongo.database["users"]
    await rows.update_one({"_id": human.id}, {"$set": {"hasPassword": True}})
    unlinked = await portal.world.service.find(RemoveIdpLink)(with_password, portal.idp_id, "ada-there", actor="system")

    assert (portal.roles(row), groups_of(row)) == (["reader", "writer"], {"Employees": True})
    assert (unlinked.grants, unlinked.idp_links, unlinked.groups) == ((), (), ())


async def test_identity_that_was_unlinked_meanwhile_gives_nothing(portal: Tables) -> None:
    """A sign-in that read the link before it was removed gives no roles: nothing would end them (MG-16)."""
    await portal.declare(groups=BOTH)
    row, service = await portal.come(), portal.world.service
    done = await portal.finish(portal.jwt(jti=portal.world.names()))
    identity = msgspec.structs.replace(done.identity, groups=("chiefs",))
    idp = await service.find(MongoIdps).find(portal.idp_id)
    account = await service.find(LinkedAccounts).find(idp, "", identity)
    with_password = msgspec.structs.replace(await service.find(MongoAccounts).find(row["_id"]), has_password=True)
    await service.find(RemoveIdpLink)(with_password, portal.idp_id, "ada-there", actor="system")
    with pytest.raises(ServiceError, match="USER-012"):
        await service.find(GroupRoles).follow(idp, account, identity, link_of(identity).key)

    assert [one["grants"] for one in await portal.people()] == [[]]


async def test_changed_issuer_resets_tables(portal: Tables) -> None:
    """An update of the issuer resets the tables, including one by the management API, which has no tables (MG-18)."""
    await portal.declare(groups=PEOPLE, amr={"mfa": ["mfa"]}, metadata={"a": "b"})
    before = await portal.world.service.find(MongoIdps).find(portal.idp_id)
    config = msgspec.structs.replace(before.config, issuer="https://new.example")
    after = msgspec.structs.replace(before, config=config)
    changed = await portal.world.service.find(UpdateIdp)(before, after, actor="system")

    assert (changed.tables.groups, changed.tables.amr, changed.tables.groups_claim) == ((), (), "")
    assert [line.key for line in changed.tables.metadata] == ["b"]


async def test_removed_project_roles_are_not_granted(portal: Tables) -> None:
    """The table is evaluated against the project's roles at the sign-in."""
    await portal.declare(groups=BOTH)
    rows = portal.world.parts.mongo.database["projects"]
    await rows.update_one({"_id": portal.shop}, {"$pull": {"roles": {"key": "writer"}}})

    assert portal.roles(await portal.come("chiefs")) == ["reader"]


async def test_foreign_project_grants_no_roles(portal: Tables) -> None:
    """Roles of another organization's project are refused in documents and ignored in stored tables (IP-06, MG-01)."""
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
async def test_invalid_tables_are_refused(portal: Tables, tables: dict[str, Any], error: str, place: str) -> None:
    """Each error names the path in the document."""
    with pytest.raises(ServiceError) as refused:
        await portal.declare(**tables)

    assert refused.value.id == error
    assert refused.value.text.startswith(f"organizations[0].jwtIdps[0].{place}")


async def test_instance_provider_grants_no_roles(portal: Tables) -> None:
    """A provider of the instance has no organization that could grant roles."""
    await portal.declare()
    of_instance = {**portal.document, "id": "", "name": f"i-{portal.world.tag}", "groups": PEOPLE}
    del of_instance["id"]
    with pytest.raises(ServiceError) as refused:
        await portal.world.apply_document({"jwtIdps": [of_instance]})

    assert refused.value.id == "USER-629"


async def test_claims_become_metadata(portal: Tables) -> None:
    """Claims are stored at creation, and at later sign-ins with automatic updates; strings unchanged, other
    values as JSON.
    """
    await portal.declare(auto_update=True, metadata={"realm.cost": "cost", "https://portal.example/tags": "tags"})
    claims = {"realm": {"cost": 7}, "https://portal.example/tags": "a b"}
    first = await portal.come(**claims)
    second = await portal.come(**{**claims, "realm": {"cost": [1, "x"]}})

    assert {one["key"]: one["value"] for one in first["metadata"]} == {"cost": "Nw", "tags": "YSBi"}
    assert {one["key"]: one["value"] for one in second["metadata"]} == {"cost": "WzEsIngiXQ", "tags": "YSBi"}


async def test_amr_counts_only_where_trusted(portal: Tables) -> None:
    """An untrusted provider contributes no `amr`, and a trusted one only the values in its table (IP-06)."""
    await portal.declare()
    unmarked = await portal.finish(portal.jwt(amr=["mfa", "pwd"], jti="1"))
    await portal.declare(amr={"mfa": ["otp", "mfa"], "pwd": ["pwd"]})
    marked = await portal.finish(portal.jwt(amr=["mfa", "sms", 7], jti="2"))
    odd = await portal.finish(portal.jwt(amr={"mfa": True}, jti="3"))

    assert unmarked.identity.amr == ()
    assert marked.identity.amr == ("otp", "mfa")
    assert odd.identity.amr == ()


async def test_changed_issuer_resets_roles_and_methods(portal: Tables) -> None:
    """Roles and methods are not trusted until the document states them again (MG-18)."""
    await portal.declare(groups=PEOPLE, amr={"mfa": ["mfa"]}, metadata={"a": "b"})
    await portal.declare(issuer="https://new.example")
    (changed,) = await portal.world.rows("idps", orgId=portal.world.org_id)
    await portal.declare(issuer="https://new.example", groups=PEOPLE)
    (stated,) = await portal.world.rows("idps", orgId=portal.world.org_id)

    assert set(changed["tables"]) == {"metadata"}
    assert set(stated["tables"]) == {"metadata", "groups", "groupsClaim"}


async def test_exported_tables_apply_unchanged(portal: Tables) -> None:
    await portal.declare(groups=BOTH, amr={"mfa": ["mfa"]}, metadata={"realm.cost": "cost"})
    exported = (await portal.world.call(EXPORT, Export(org_id=portal.world.org_id))).document
    (idp,) = exported.organizations[0].jwt_idps
    again = await portal.world.apply_document(msgspec.to_builtins(exported))

    assert idp.groups.claim == "realm.groups"
    assert {grant.group for grant in idp.groups.grants} == {"staff", "chiefs"}
    assert (idp.amr, idp.metadata) == ({"mfa": ("mfa",)}, {"realm.cost": "cost"})
    assert {change.action for change in again.changes} == {"unchanged"}


async def test_groups_put_users_into_groups(portal: Tables) -> None:
    """A user is in the groups of the last sign-in, marked as given by the provider."""
    await portal.declare(groups=MAPPED)
    found = [await portal.come(*groups) for groups in (("staff", "x"), ("writers",), ("staff", "writers"), ())]

    assert [groups_of(row) for row in found] == [
        {"Employees": True}, {"Authors": True}, {"Authors": True, "Employees": True}, {},
    ]  # fmt: skip


async def test_membership_by_hand_stays(portal: Tables) -> None:
    """A provider ends only what it gave."""
    await portal.declare(groups=MAPPED)
    row = await portal.come("staff")
    person = portal.world.human(
        id=row["_id"], username=row["userName"], email={"email": row["email"]}, groups=["Employees"]
    )
    await portal.declare(groups=MAPPED, humans=[person])
    both = await portal.come("staff")
    left = await portal.come()

    assert [one["groups"][0].get("added", False) for one in (row, both, left)] == [False, True, True]
    assert [groups_of(one) for one in (both, left)] == [{"Employees": True}, {"Employees": False}]


async def test_repeated_request_gives_the_groups(portal: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The account or the link was written, but its groups were not: the repetition gives them before the sign-in."""
    eve = portal.world.human(id=f"eve-{portal.world.tag}", username=f"eve-{portal.world.tag}")
    await portal.declare(groups=MAPPED, humans=[eve])
    listed: dict[str, Any] = {"realm": {"groups": ["staff"]}, "given_name": None}
    new, known = [
        (await portal.finish(portal.jwt(sub=sub, jti=sub, email=portal.world.mail(sub), **listed))).identity
        for sub in ("new", "known")
    ]
    plan, failed = PutIntoGroups.plan, set[str]()

    async def fail_once(self: Any, user: Any, *values: Any) -> Any:
        if user.id not in failed:
            failed.add(user.id)
            raise UNAVAILABLE.error(retry_after=1)
        return await plan(self, user, *values)

    monkeypatch.setattr(PutIntoGroups, "plan", fail_once)
    for repeated in (False, True):
        with nullcontext() if repeated else pytest.raises(ServiceError, match="PORT-004"):
            await portal.create(new, first_name="Ada")
        with nullcontext() if repeated else pytest.raises(ServiceError, match="PORT-004"):
            await portal.link(known, eve["id"])

    assert [groups_of(row) for row in await portal.people()] == [{"Employees": True}] * 2
