"""Several organizations accept the metadata documents of one host (decision 0112)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import (
    DESCRIBE_SCOPES,
    GET_APIS,
    GET_CLIENT_BY_URL,
    GIVE_CONSENT,
    ClientFound,
    DescribeScopes,
    GetApis,
    GetClient,
    GiveConsent,
)
from portico_oauth.errors import ServiceError

from .metadata_host import Host

pytestmark = pytest.mark.servers


class Organizations:
    """`older` and `younger`, each with an API that has a resource and a scope."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.host = Host(world)
        self.host.serve(self.host.document())
        self.older, self.younger = f"older-{world.tag}", f"younger-{world.tag}"

    async def apply(self, name: str, *, accepts: bool = True) -> None:
        api = {"name": "api", "clientId": f"api-{name}", "resources": [self.resource(name)]}
        project = {"id": f"p-{name}", "name": "web", "apiApps": [{**api, "scopes": [{"scope": f"{name}.read"}]}]}
        policy = {"hosts": [self.host.name], "projectId": f"p-{name}"} if accepts else {}
        self.world.clock.tick(1)
        await self.world.apply({"id": name, "name": name, "projects": [project], "clientMetadataPolicy": policy})

    async def apply_both(self) -> None:
        await self.apply(self.older)
        await self.apply(self.younger)

    def resource(self, name: str) -> str:
        return f"https://{name}.example/mcp"

    async def found(self, **asked: Any) -> ClientFound:
        found: ClientFound = await self.world.call(GET_CLIENT_BY_URL, GetClient(client_id=self.host.client_id, **asked))
        return found

    async def org_of(self, **asked: Any) -> str:
        client = (await self.found(**asked)).client
        return client.org_id if client else ""

    async def allow(self, name: str) -> None:
        user = self.host.user
        if not await self.world.rows("accounts", _id=user):
            await self.world.apply(self.world.organization(projects=[], humans=[self.world.human(id=user)]))
        given = GiveConsent(user_id=user, client_id=self.host.client_id, scopes=("openid",), org_id=name)
        await self.world.call(GIVE_CONSENT, given)

    async def set_state(self, name: str, state: str) -> None:
        rows = self.world.parts.mongo.database["apps"]
        await rows.update_one({"orgId": name, "metadataDocument": True}, {"$set": {"state": state}})


@pytest.fixture
async def orgs(users_world: Any) -> Organizations:
    orgs = Organizations(users_world)
    await orgs.apply_both()
    return orgs


async def test_resource_decides_whose_policy_counts(orgs: Organizations) -> None:
    """Without a resource, the organization of the request decides; the older one has no priority."""
    older, younger = orgs.resource(orgs.older), orgs.resource(orgs.younger)
    found = [
        await orgs.org_of(resources=(older,)),
        await orgs.org_of(resources=(younger,)),
        await orgs.org_of(resources=("https://other.example", younger.replace("https://", "HTTPS://"))),
        await orgs.org_of(resources=(younger,), named_org_id=orgs.older),
        await orgs.org_of(named_org_id=orgs.younger),
        await orgs.org_of(org_id=orgs.older),
    ]
    client = (await orgs.found(resources=(younger,))).client

    assert found == [orgs.older, orgs.younger, orgs.younger, orgs.younger, orgs.younger, orgs.older]
    assert client
    assert client.project_id == f"p-{orgs.younger}"


async def test_request_that_names_none_of_several_is_refused(orgs: Organizations) -> None:
    """While only one organization has the host, its policy counts."""
    several = await orgs.found()
    other = await orgs.found(resources=("https://other.example",), named_org_id="unknown")
    await orgs.apply(orgs.younger, accepts=False)

    assert [(one.client, one.several) for one in (several, other)] == [(None, True)] * 2
    assert await orgs.org_of() == orgs.older
    assert await orgs.org_of(named_org_id=orgs.younger) == orgs.older


async def test_policy_of_the_instance_counts_where_none_is_named(orgs: Organizations) -> None:
    policy = {"hosts": [orgs.host.name], "projectId": f"p-{orgs.younger}"}
    await orgs.world.apply_document({"clientMetadataPolicy": policy})
    found = [await orgs.org_of(), await orgs.org_of(named_org_id=orgs.older)]
    await orgs.world.apply_document({"clientMetadataPolicy": {}})

    assert found == [orgs.younger, orgs.older]


async def test_policy_with_a_foreign_project_takes_nothing(orgs: Organizations) -> None:
    """Such a policy has no effect, also for the organization of that project."""
    rows = orgs.world.parts.mongo.database["orgs"]
    named = {"policies.clientMetadata.projectId": f"p-{orgs.older}"}
    await rows.update_one({"_id": orgs.younger}, {"$set": named})

    assert await orgs.org_of() == orgs.older
    assert await orgs.org_of(org_id=orgs.younger) == ""


async def test_turning_off_counts_for_one_organization(orgs: Organizations) -> None:
    """Each has the application in its own project; turned off in one, it stays known in the other, in either order."""
    for name in (orgs.younger, orgs.older):
        await orgs.allow(name)
        await orgs.allow(name)
    stored = await orgs.world.rows("apps", metadataDocument=True, orgId={"$in": [orgs.older, orgs.younger]})
    found = {}
    for off, on in ((orgs.older, orgs.younger), (orgs.younger, orgs.older)):
        await orgs.set_state(off, "inactive")
        found[off] = [await orgs.org_of(org_id=off), await orgs.org_of(org_id=on), await orgs.org_of(of_any=True)]
        with pytest.raises(ServiceError, match="not allowed"):
            await orgs.allow(off)
        await orgs.set_state(off, "active")
    await orgs.set_state(orgs.older, "inactive")
    await orgs.set_state(orgs.younger, "inactive")

    assert sorted((row["orgId"], row["projectId"]) for row in stored) == [
        (orgs.older, f"p-{orgs.older}"),
        (orgs.younger, f"p-{orgs.younger}"),
    ]
    assert found == {orgs.older: ["", orgs.younger, orgs.younger], orgs.younger: ["", orgs.older, orgs.older]}
    assert await orgs.org_of(of_any=True) == ""


async def test_turned_off_client_is_not_moved(orgs: Organizations) -> None:
    """The resource of an organization that turned the client off leads to no other organization."""
    await orgs.allow(orgs.older)
    await orgs.set_state(orgs.older, "inactive")
    found = await orgs.found(resources=(orgs.resource(orgs.older),))

    assert (found.client, found.several) == (None, False)


async def test_apis_and_texts_are_of_the_organization(orgs: Organizations) -> None:
    client_id = orgs.host.client_id
    apis, texts = [], []
    for name in (orgs.older, orgs.younger):
        await orgs.allow(name)
        apis += (await orgs.world.call(GET_APIS, GetApis(client_id=client_id, org_id=name))).apis
        scopes = (f"{orgs.older}.read", f"{orgs.younger}.read")
        described = DescribeScopes(client_id=client_id, scopes=scopes, org_id=name)
        texts += (await orgs.world.call(DESCRIBE_SCOPES, described)).scopes

    assert [api.client_id for api in apis] == [f"api-{orgs.older}", f"api-{orgs.younger}"]
    assert [one.scope for one in texts] == [f"{orgs.older}.read", f"{orgs.younger}.read"]
