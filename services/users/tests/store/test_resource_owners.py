"""Which organization may register a resource (decision 0111)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import Applied
from portico_oauth.errors import ServiceError
from portico_users.settings import Settings

pytestmark = pytest.mark.servers


def org(world: Any, name: str, *resources: str, domains: tuple[str, ...] = (), **members: Any) -> dict[str, Any]:
    api = world.api_app(clientId=f"{name}-api-{world.tag}", resources=list(resources))
    return {
        "id": f"{name}-{world.tag}",
        "name": f"{name} {world.tag}",
        "primaryDomain": f"{name}-primary-{world.tag}.example",
        "domains": [{"name": one, "isVerified": True} for one in domains],
        "projects": [{"id": f"{name}-p-{world.tag}", "name": "apis", "apiApps": [api]}],
        **members,
    }


async def outcome(world: Any, *organizations: dict[str, Any], prune: bool = False) -> str:
    """The error of the resource of the last organization."""
    path = f"organizations[{len(organizations) - 1}].projects[0].apiApps[0].resources[0]: "
    try:
        await world.apply_document({"organizations": list(organizations)}, prune=prune)
    except ServiceError as error:
        return error.id if error.text.startswith(path) else error.text
    return "registered"


def domain(world: Any) -> str:
    return f"a-{world.tag}.example"


async def test_resource_at_a_verified_domain_is_for_its_organization(users_world: Any) -> None:
    """The rule holds for hosts below the domain, and for any scheme or port; the closest verified domain decides."""
    name = domain(users_world)
    below, beside = f"https://b.{name}", f"https://x{name}"
    await users_world.apply(org(users_world, "a", domains=(name,)))
    refused = (
        f"https://{name}", f"https://api.{name}/v1", f"HTTPS://API.{name.upper()}:8443", f"http://{name}.", f"api://{name}/x",
    )  # fmt: skip
    assert {one: await outcome(users_world, org(users_world, "b", one)) for one in refused} == dict.fromkeys(
        refused, "USER-790"
    )
    assert await outcome(users_world, org(users_world, "b", beside)) == "registered"
    assert await outcome(users_world, org(users_world, "a", f"https://api.{name}/v1")) == "registered"
    await users_world.apply(org(users_world, "b", beside, domains=(f"b.{name}",)))
    assert await outcome(users_world, org(users_world, "b", below)) == "registered"
    assert await outcome(users_world, org(users_world, "a", f"{below}/v2")) == "USER-790"


async def test_domain_of_the_same_document_counts(users_world: Any) -> None:
    name = domain(users_world)
    first = org(users_world, "a", f"https://{name}", domains=(name,))

    assert await outcome(users_world, first, org(users_world, "b", f"https://api.{name}")) == "USER-790"
    assert await outcome(users_world, first) == "registered"


async def test_removed_resource_stays_reserved_for_its_organization(users_world: Any) -> None:
    """A removed resource is reserved in every spelling, after its application was removed, and in the document that
    removes it.
    """
    uri = f"https://api-{users_world.tag}.example"
    await users_world.apply(org(users_world, "a", uri))
    moved = await outcome(users_world, org(users_world, "a"), org(users_world, "b", uri))
    await users_world.apply(org(users_world, "a"))
    removed = await outcome(users_world, org(users_world, "b", f"{uri}:443/"))
    empty = org(users_world, "a", projects=[{"id": f"a-p-{users_world.tag}", "name": "apis", "apiApps": []}])
    await users_world.apply_document({"organizations": [org(users_world, "a", uri)]})
    await users_world.apply_document({"organizations": [empty]}, prune=True)
    gone = await outcome(users_world, org(users_world, "b", uri))
    other = users_world.api_app(name="again", clientId=f"again-{users_world.tag}", resources=[uri])
    project = {"id": f"a-p-{users_world.tag}", "name": "apis", "apiApps": [other]}

    assert (moved, removed, gone) == ("USER-853", "USER-790", "USER-790")
    assert await outcome(users_world, org(users_world, "a", projects=[project])) == "registered"


async def test_removed_domain_stays_reserved_until_another_organization_verifies_it(users_world: Any) -> None:
    name = domain(users_world)
    first = org(users_world, "a", domains=(name,))
    await users_world.apply_document({"organizations": [first]})
    await users_world.apply_document({"organizations": [{**first, "domains": []}]}, prune=True)
    before = await outcome(users_world, org(users_world, "b", f"https://{name}"))
    own = await outcome(users_world, org(users_world, "a", f"https://{name}"))
    after = await outcome(users_world, org(users_world, "b", f"https://api.{name}", domains=(name,)))

    assert (before, own, after) == ("USER-790", "registered", "registered")


async def test_resource_from_before_its_domain_was_verified_elsewhere_stays(users_world: Any) -> None:
    """Only what a change adds is checked, so that an application can still be changed."""
    name = domain(users_world)
    registered = org(users_world, "b", f"https://{name}")
    await users_world.apply(registered)
    await users_world.apply(org(users_world, "a", domains=(name,)))
    registered["projects"][0]["apiApps"][0]["scopes"] = [{"scope": "read"}]
    applied: Applied = await users_world.apply(registered)

    assert [one.action for one in applied.changes if one.kind == "app"] == ["updated"]


async def test_addresses_of_portico_are_no_resources(users_world: Any) -> None:
    """At any path, as http or https, and with the default port."""
    issuer = users_world.service.find(Settings).issuer
    own = (issuer, f"{issuer}/oauth/v2", issuer.upper())

    assert {one: await outcome(users_world, org(users_world, "b", one)) for one in own} == dict.fromkeys(
        own, "USER-850"
    )
