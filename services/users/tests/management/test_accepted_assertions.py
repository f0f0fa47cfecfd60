"""Accepted identity assertions: what is stored, what token gets, and what is refused at save (decision 0157)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from portico_contracts.users import (
    AGENT_USED,
    EXPORT,
    FIND_ASSERTED,
    FIND_ASSERTION_TRUSTS,
    GET_ISSUER_KEYS,
    GET_USED_GRANT_TYPES,
    AgentUsed,
    Asserted,
    AssertedAccess,
    AssertionTrust,
    Export,
    FindAsserted,
    FindAssertionTrusts,
    GetIssuerKeys,
    GetUsedGrantTypes,
)
from portico_fakes.management_api import ApiResponse, call_as
from portico_harness.eventually import HANGS, eventually
from portico_harness.rows import row
from portico_users.identity_providers.store import MOST_OF_ISSUER

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

OF: Final = "portico.management.v1.IDPService"
ISSUER: Final = "https://acme.idp.example"
RESOURCE: Final = "https://files.example/mcp"


class World:
    """A provider of the organization, an application, and a linked user."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.idp_id = self.client_id = self.app_id = ""
        self.user_id = f"self-{managed.tag}"
        self.issuer = f"{ISSUER}/{managed.tag}"

    async def set_up(self) -> World:
        await self.managed.furnish("owner")
        self.idp_id = await self.provider(self.issuer)
        added = await on_apps(self.managed, "AddOIDCApp", "/oidc", name="Planner", **CODE)
        self.client_id, self.app_id = added.body["clientId"], added.body["appId"]
        await self.link("U1")
        return self

    async def link(self, subject: str) -> None:
        link = {"idpId": self.idp_id, "userId": subject, "userName": "ada"}
        path = f"/v2/users/{self.user_id}/links"
        await call_as(self.managed, "portico.user.v2.UserService.AddIDPLink", {"idpLink": link}, by="owner", path=path)

    async def provider(self, issuer: str, **members: Any) -> str:
        body = {"name": issuer, "issuer": issuer, "clientId": "portico", "clientSecret": "secret", **members}
        added = await call_as(self.managed, f"{OF}.AddGenericOIDCProvider", body, by="owner")
        return f"{added.body['id']}"

    def rule(self, **changes: Any) -> dict[str, Any]:
        return {"clientId": self.client_id, "resource": RESOURCE, "scopes": ["files.read"], **changes}

    async def accept(self, *rules: dict[str, Any], idp_id: str = "", **members: Any) -> ApiResponse:
        body = {"acceptedAssertions": {"rules": [*rules], **members}}
        path = f"/management/v1/idps/{idp_id or self.idp_id}/accepted_assertions"
        return await call_as(self.managed, f"{OF}.SetAcceptedAssertions", body, by="owner", path=path)

    async def shown(self) -> dict[str, Any]:
        path = f"/management/v1/idps/{self.idp_id}/accepted_assertions"
        found: dict[str, Any] = (
            await call_as(self.managed, f"{OF}.GetAcceptedAssertions", {}, by="owner", path=path)
        ).body["acceptedAssertions"]
        return found

    async def trusts(self) -> tuple[AssertionTrust, ...]:
        ask = FindAssertionTrusts(client_id=self.client_id, issuer=self.issuer)
        trusts: tuple[AssertionTrust, ...] = (await self.managed.users.call(FIND_ASSERTION_TRUSTS, ask)).trusts
        return trusts

    async def asserted(self, subject: str = "U1", issuer: str = "") -> Asserted:
        ask = FindAsserted(
            provider_id=self.idp_id, issuer=issuer or self.issuer, subject=subject, client_id=self.client_id
        )
        found: Asserted = await self.managed.users.call(FIND_ASSERTED, ask)
        return found

    async def change(self, service: str, method: str, path: str) -> None:
        answer = await call_as(self.managed, f"portico.{service}.{method}", {}, by="owner", path=path)
        assert answer.code == 0, answer


@pytest.fixture
async def world(managed: Any) -> World:
    return await World(managed).set_up()


async def test_rules_of_other_organizations_displace_none(world: World) -> None:
    """Any organization may name the client and the issuer in rules of its providers: they are not looked at."""
    await world.accept(world.rule())
    idps = world.managed.users.parts.mongo.database["idps"]
    stored = await idps.find_one({"_id": world.idp_id})
    names = [f"!{number}-{world.managed.tag}" for number in range(MOST_OF_ISSUER)]  # before every id that is generated
    await idps.insert_many(stored | {"_id": name, "nameKey": name, "orgId": "another"} for name in names)

    assert [one.provider_id for one in await world.trusts()] == [world.idp_id]


async def test_rules_reach_token(world: World) -> None:
    """The provider with the rules of the client, and the user of a link; a second call replaces them all."""
    assert (await world.trusts(), (await world.asserted()).user_id) == ((), "")
    saved = await world.accept(world.rule(), world.rule(clientId="another"), tenantClaim="tenant", tenant="acme")
    access = (AssertedAccess(resource=RESOURCE, scopes=("files.read",)),)

    [trust] = await world.trusts()

    assert saved.code == 0
    assert (trust.provider_id, trust.access, trust.tenant_claim, trust.tenant) == (
        world.idp_id, access, "tenant", "acme",
    )  # fmt: skip
    assert await world.asserted() == Asserted(user_id=world.user_id, access=access)
    assert (await world.shown())["rules"][0] == world.rule()
    assert (await world.accept()).code == 0
    assert (await world.trusts(), await world.asserted()) == ((), Asserted())


async def test_only_a_link_names_a_user(world: World) -> None:
    """Another subject, another issuer and the address of a user name none."""
    await world.accept(world.rule())

    for subject, issuer in (("U2", ""), ("u1", ""), ("U1", f"{world.issuer}/"), ("ada@mail.example", "")):
        with row(subject, issuer):
            assert await world.asserted(subject, issuer) == Asserted()


async def test_what_ends_is_not_asserted_any_longer(world: World) -> None:
    """A provider or application that is deactivated, and a link that is removed, end the access at once."""
    await world.accept(world.rule())
    idp, app = f"/management/v1/idps/{world.idp_id}", f"/management/v1/projects/p-owner-{world.managed.tag}/apps"
    for name, off, on in (
        ("provider", ("management.v1.IDPService", "DeactivateOrgIDP", f"{idp}/_deactivate"),
         ("management.v1.IDPService", "ReactivateOrgIDP", f"{idp}/_reactivate")),
        ("application", ("management.v1.AppService", "DeactivateApp", f"{app}/{world.app_id}/_deactivate"),
         ("management.v1.AppService", "ReactivateApp", f"{app}/{world.app_id}/_reactivate")),
    ):  # fmt: skip
        with row(name):
            await world.change(*off)
            assert (await world.trusts(), await world.asserted()) == ((), Asserted())
            await world.change(*on)
            assert (await world.asserted()).user_id == world.user_id
    await world.link("U9")  # another way in, without which a link cannot be removed
    await world.change("user.v2.UserService", "RemoveIDPLink", f"/v2/users/{world.user_id}/links/{world.idp_id}/U1")

    assert (await world.asserted(), len(await world.trusts())) == (Asserted(), 1)


async def test_the_ledger_shows_and_ends_the_access(world: World) -> None:
    """It names user, application, API and provider; what is ended stays ended until that rule is set again."""
    await world.accept(world.rule())
    managed, users = world.managed, world.managed.users
    used = AgentUsed(
        user_id=world.user_id,
        client_id=world.client_id,
        audience=(RESOURCE,),
        scope=("files.read",),
        at=users.clock.now(),
        provider=world.idp_id,
    )
    await users.bus.send(AGENT_USED, used)
    await eventually(lambda: users.rows("agentUses", userId=world.user_id, clientId=world.client_id), bool, HANGS)
    of = "portico.management.v1.AgentService"
    path = f"/management/v1/users/{world.user_id}/agents"
    [found] = (await call_as(managed, f"{of}.ListUserAgents", {}, by="self", path=f"{path}/_search")).body["result"]
    users.clock.tick(1)
    named = {"clientId": world.client_id}
    ended = await call_as(managed, f"{of}.EndUserAgents", named, by="self", path=f"{path}/_end")
    left = (await call_as(managed, f"{of}.ListUserAgents", {}, by="self", path=f"{path}/_search")).body
    after = await world.asserted()
    users.clock.tick(1)
    renamed = {"name": f"Acme {managed.tag}", "issuer": world.issuer, "clientId": "portico", "clientSecret": "secret"}
    at = f"/management/v1/idps/generic_oidc/{world.idp_id}"
    changed = await call_as(managed, f"{OF}.UpdateGenericOIDCProvider", renamed, by="owner", path=at)
    still_ended = await world.asserted()
    await world.accept(world.rule(), world.rule(resource="https://files.example/other"))
    of_new_rule = (await world.asserted()).access
    await world.accept(world.rule(resource="https://files.example/other"))
    await world.accept(world.rule())

    assert (found["rule"], found["idpId"]) == ("AGENT_RULE_ASSERTION", world.idp_id)
    assert (found["clientId"], found["name"]) == (world.client_id, "Planner")
    assert found["uses"][0]["scopes"] == ["files.read"]
    assert (ended.body["ended"], left.get("result", []), after) == ("1", [], Asserted())
    assert (changed.code, still_ended) == (0, Asserted())
    assert [one.resource for one in of_new_rule] == ["https://files.example/other"]
    assert [one.resource for one in (await world.asserted()).access] == [RESOURCE]


async def test_a_removed_provider_is_not_asserted_any_longer(world: World) -> None:
    """Nothing of it is trusted, and metadata stops to show assertions."""
    await world.accept(world.rule())
    used = GetUsedGrantTypes(grant_types=())
    before = (await world.managed.users.call(GET_USED_GRANT_TYPES, used)).assertions
    await world.change("management.v1.IDPService", "RemoveOrgIDP", f"/management/v1/idps/{world.idp_id}")

    assert before
    assert (await world.trusts(), await world.asserted()) == ((), Asserted())


async def test_another_issuer_removes_the_rules(world: World) -> None:
    """An administrator trusted that issuer, and no other (MG-18)."""
    await world.accept(world.rule())
    body = {"name": "Acme", "issuer": "https://other.idp.example", "clientId": "portico", "clientSecret": "secret"}
    path = f"/management/v1/idps/generic_oidc/{world.idp_id}"
    changed = await call_as(world.managed, f"{OF}.UpdateGenericOIDCProvider", body, by="owner", path=path)

    assert changed.code == 0
    assert (await world.shown()).get("rules", []) == []


async def test_keys_are_fetched_for_trusted_issuers_only(world: World) -> None:
    """Token requests keys by client, issuer and provider: none of them may be another one."""
    await world.accept(world.rule())
    ask = GetIssuerKeys(client_id=world.client_id, issuer=world.issuer, kid="k", provider_id=world.idp_id)
    for name, changes in (
        ("client", {"client_id": "another"}),
        ("issuer", {"issuer": "https://other.example"}),
        ("provider", {"provider_id": "another"}),
        ("workload", {"provider_id": ""}),
    ):
        with row(name):
            found = await world.managed.users.call(GET_ISSUER_KEYS, msgspec.structs.replace(ask, **changes))
            assert not found.is_known


async def test_refused_rules(world: World) -> None:
    """Each is refused at its field, and nothing is stored."""
    jwt = {"name": "jwt", "jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}
    of_jwt = (await call_as(world.managed, f"{OF}.AddOrgJWTIDP", jwt, by="owner")).body["idpId"]
    google = {"name": "Google", "clientId": "portico", "clientSecret": "secret"}
    of_google = (await call_as(world.managed, f"{OF}.AddGoogleProvider", google, by="owner")).body["id"]
    microsoft = {"name": "Microsoft", "clientId": "portico", "clientSecret": "secret"}
    of_microsoft = (await call_as(world.managed, f"{OF}.AddAzureADProvider", microsoft, by="owner")).body["id"]
    rule = world.rule()
    for name, answer, error_code, place in (
        ("twice", await world.accept(rule, rule), "USER-698", "rules[1]"),
        ("no resource", await world.accept(world.rule(resource="files")), "USER-698", "rules[0]"),
        ("fragment", await world.accept(world.rule(resource=f"{RESOURCE}#a")), "USER-698", "rules[0]"),
        ("scope of OpenID Connect", await world.accept(world.rule(scopes=["openid"])), "USER-698", "rules[0]"),
        ("scope twice", await world.accept(world.rule(scopes=["a", "a"])), "USER-698", "rules[0]"),
        ("document", await world.accept(world.rule(clientId="https://a.example/c")), "USER-698", "rules[0]"),
        ("claim alone", await world.accept(rule, tenantClaim="tenant"), "USER-699", "tenant"),
        ("tenant alone", await world.accept(rule, tenant="acme"), "USER-699", "tenant"),
        ("tenant without rules", await world.accept(tenant="acme", tenantClaim="tenant"), "USER-699", "tenant"),
        ("JWT provider", await world.accept(rule, idp_id=of_jwt), "USER-696", "rules"),
        ("Microsoft", await world.accept(rule, idp_id=of_microsoft), "USER-696", "rules"),
        ("Google", await world.accept(rule, idp_id=of_google), "USER-699", "tenant"),
        ("Google by another claim", await world.accept(rule, idp_id=of_google, tenantClaim="sub", tenant="x"), "USER-699", "tenant"),
    ):  # fmt: skip
        with row(name):
            assert (answer.error_code, answer.fields) == (error_code, [f"acceptedAssertions.{place}"])
    pinned = await world.accept(rule, idp_id=of_google, tenantClaim="hd", tenant="acme.example")

    assert (pinned.code, await world.trusts()) == (0, ())


async def test_documents_have_the_rules(world: World) -> None:
    """An export shows them, so that they can be applied elsewhere."""
    await world.accept(world.rule())
    exported = await world.managed.users.call(EXPORT, Export(org_id=world.managed.org_id))
    [provider] = [
        idp for org in exported.document.organizations or () for idp in org.oidc_idps or () if idp.id == world.idp_id
    ]

    assert provider.accepted_assertions is not None
    [rule] = provider.accepted_assertions.rules
    assert (rule.client_id, rule.resource, rule.scopes) == (world.client_id, RESOURCE, ("files.read",))


@pytest.mark.parametrize(
    ("collection", "value", "trusted"),
    [
        ("apps", {"orgId": "elsewhere"}, 0),
        ("users", {"orgId": "elsewhere"}, 1),
        ("users", {"idpLinks.0.issuer": "https://former.example"}, 1),
    ],
)
async def test_an_organization_speaks_for_its_own(
    world: World, collection: str, value: dict[str, str], trusted: int
) -> None:
    """Its rules are for clients and users of its own, and for links of this issuer."""
    await world.accept(world.rule())
    before = (await world.asserted()).user_id
    id = {"apps": world.app_id, "users": world.user_id}[collection]
    if "orgId" in value:
        value = {
            "orgId": (await world.managed.users.rows("orgs", _id={"$ne": world.managed.org_id}, state="active"))[0][
                "_id"
            ]
        }
    await world.managed.users.parts.mongo.database[collection].update_one({"_id": id}, {"$set": value})

    assert before == world.user_id
    assert (await world.asserted(), len(await world.trusts())) == (Asserted(), trusted)
