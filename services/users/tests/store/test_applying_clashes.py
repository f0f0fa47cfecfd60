"""Objects of one document that exclude each other or stored ones: the plan reports them, not only the write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

Organizations = list[dict[str, Any]]


def org(world: Any, name: str, **members: Any) -> dict[str, Any]:
    return {"id": f"{name}-{world.tag}", "name": f"{name} {world.tag}", **members}


def project(world: Any, **members: Any) -> dict[str, Any]:
    return {"name": "shop", "roles": [{"roleKey": "reader"}], **members}


def api(world: Any, name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "clientId": f"{name}-{world.tag}", **members}


def resource(world: Any) -> str:
    return f"https://orders-{world.tag}.example"


def domain(world: Any) -> dict[str, Any]:
    return {"name": f"mail-{world.tag}.example", "isVerified": True}


def apps_with_one_id(world: Any) -> Organizations:
    apps = [world.app(), world.app(name="other")]
    return [org(world, "a", projects=[project(world, oidcApps=apps)])]


def grant_with_a_client_id(world: Any) -> Organizations:
    grant = {"id": f"shop-{world.tag}", "organization": f"b-{world.tag}", "roleKeys": ["reader"]}
    return [org(world, "b"), org(world, "a", projects=[project(world, oidcApps=[world.app()], grants=[grant])])]


def api_with_its_resource_as_id(world: Any) -> Organizations:
    own = api(world, "orders", clientId=resource(world), resources=[resource(world)])
    return [org(world, "a", projects=[project(world, apiApps=[own])])]


def app_with_a_resource_as_id(world: Any) -> Organizations:
    apps = [api(world, "orders", resources=[resource(world)]), api(world, "bills", clientId=resource(world))]
    return [org(world, "a", projects=[project(world, apiApps=apps)])]


def apis_with_one_resource(world: Any) -> Organizations:
    return [
        org(world, name, projects=[project(world, apiApps=[api(world, f"api-{name}", resources=[resource(world)])])])
        for name in ("a", "b")
    ]


def apis_with_two_spellings_of_a_resource(world: Any) -> Organizations:
    first, second = apis_with_one_resource(world)
    second["projects"][0]["apiApps"][0]["resources"] = [resource(world).replace("https", "HTTPS") + "/"]
    return [first, second]


def organizations_with_one_domain(world: Any) -> Organizations:
    return [org(world, name, domains=[domain(world)]) for name in ("a", "b")]


def domain_that_is_primary_elsewhere(world: Any) -> Organizations:
    return [org(world, "a", domains=[domain(world)]), org(world, "b", primaryDomain=domain(world)["name"])]


def names_with_one_domain(world: Any) -> Organizations:
    """The default domain of both has the same label."""
    return [{"name": f"Acme {world.tag}"}, {"name": f"Acme-{world.tag}"}]


def users_with_one_identity(world: Any) -> Organizations:
    google = {"name": "google", "issuer": "https://op.example", "clientId": "c", "clientSecret": "s3cret"}
    links = [{"idp": "google", "userId": "1", "userName": "ada"}]
    other = world.human(username=f"bob-{world.tag}", email={"email": f"bob-{world.tag}@mail.example"}, idpLinks=links)
    return [org(world, "a", oidcIdps=[google], humans=[world.human(idpLinks=links), other])]


@pytest.mark.parametrize(
    ("make", "error_id", "path"),
    [
        (apps_with_one_id, "USER-010", "organizations[0].projects[0].oidcApps[1].clientId"),
        (grant_with_a_client_id, "USER-010", "organizations[1].projects[0].grants[0].id"),
        (api_with_its_resource_as_id, "USER-010", "organizations[0].projects[0].apiApps[0].resources[0]"),
        (app_with_a_resource_as_id, "USER-010", "organizations[0].projects[0].apiApps[1].clientId"),
        (apis_with_one_resource, "USER-853", "organizations[1].projects[0].apiApps[0].resources[0]"),
        (
            apis_with_two_spellings_of_a_resource,
            "USER-853",
            "organizations[1].projects[0].apiApps[0].resources[0]",
        ),
        (organizations_with_one_domain, "USER-716", "organizations[1].domains"),
        (domain_that_is_primary_elsewhere, "USER-716", "organizations[1].primaryDomain"),
        (names_with_one_domain, "USER-716", "organizations[1].primaryDomain"),
        (users_with_one_identity, "USER-610", "organizations[0].humans[1].idpLinks[0]"),
    ],
)
async def test_clash_of_new_objects_is_in_the_plan(
    users_world: Any, make: Callable[[Any], Organizations], error_id: str, path: str
) -> None:
    """The plan names the second object, and the run writes nothing of the first."""
    for check in (True, False):
        with pytest.raises(ServiceError) as refused:
            await users_world.apply(*make(users_world), check=check)
        assert (refused.value.id, refused.value.text.partition(": ")[0]) == (error_id, path)

    assert await users_world.rows("orgs", name={"$regex": users_world.tag}) == []


def with_stored_domain(world: Any) -> tuple[Organizations, Organizations]:
    return [org(world, "a", domains=[domain(world)])], [org(world, "b", domains=[domain(world)])]


def with_stored_resource(world: Any) -> tuple[Organizations, Organizations]:
    first, second = apis_with_one_resource(world)
    return [first], [second]


def with_stored_identity(world: Any) -> tuple[Organizations, Organizations]:
    [whole] = users_with_one_identity(world)
    ada, bob = whole["humans"]
    return [{**whole, "humans": [ada]}], [{**whole, "humans": [bob]}]


@pytest.mark.parametrize(
    ("make", "error_id", "path"),
    [
        (with_stored_domain, "USER-716", "organizations[1].domains"),
        (with_stored_resource, "USER-853", "organizations[1].projects[0].apiApps[0].resources[0]"),
        (with_stored_identity, "USER-610", "organizations[1].humans[0].idpLinks[0]"),
    ],
)
async def test_clash_with_a_stored_object_is_in_the_plan(
    users_world: Any, make: Callable[[Any], tuple[Organizations, Organizations]], error_id: str, path: str
) -> None:
    """The document does not list the object that has it, and the run writes nothing."""
    stored, wanted = make(users_world)
    await users_world.apply(*stored)
    for check in (True, False):
        with pytest.raises(ServiceError) as refused:
            await users_world.apply(org(users_world, "new"), *wanted, check=check)
        assert (refused.value.id, refused.value.text.partition(": ")[0]) == (error_id, path)

    assert await users_world.rows("orgs", _id=f"new-{users_world.tag}") == []


async def test_resource_may_get_another_spelling(users_world: Any) -> None:
    """The resource is found at its own application, which the document changes."""
    [first, _second] = apis_with_one_resource(users_world)
    [_first, other] = apis_with_two_spellings_of_a_resource(users_world)
    await users_world.apply(first)
    first["projects"][0]["apiApps"][0]["resources"] = other["projects"][0]["apiApps"][0]["resources"]
    applied = await users_world.apply(first)

    assert [change.kind for change in applied.changes if change.action != "unchanged"] == ["app"]


async def test_objects_keep_what_they_have(users_world: Any) -> None:
    """A second run of a document with domains, resources and identities finds them at their own objects."""
    [first] = users_with_one_identity(users_world)[:1]
    first["humans"] = first["humans"][:1]
    first["domains"] = [domain(users_world)]
    first["projects"] = [project(users_world, apiApps=[api(users_world, "orders", resources=[resource(users_world)])])]
    await users_world.apply(first)
    again = await users_world.apply(first)

    assert {change.action for change in again.changes} == {"unchanged"}
