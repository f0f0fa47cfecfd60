"""token's queries about service users, audiences and origins, on a real database."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts.users import (
    CHECK_ORIGIN,
    GET_APIS,
    GET_AUDIENCES,
    AccessTokenType,
    CheckOrigin,
    GetApis,
    GetAudiences,
)

pytestmark = pytest.mark.servers


async def knows(world: Any, origin: str) -> bool:
    return (await world.call(CHECK_ORIGIN, CheckOrigin(origin=origin))).known  # type: ignore[no-any-return]


async def deactivate(world: Any, collection: str, **question: Any) -> None:
    done = await world.parts.mongo.database[collection].update_one(question, {"$set": {"state": "inactive"}})
    assert done.modified_count == 1


async def test_service_user_is_found_by_id_and_user_name(users_world: Any) -> None:
    """A client id is a user id, or a user name in any spelling."""
    tag = users_world.tag
    jwt = {"accessTokenType": "OIDC_TOKEN_TYPE_JWT", "accessTokenAlg": "ES256"}
    robot = users_world.robot(username=f"Röbot-{tag}", **jwt)
    await users_world.apply(users_world.organization(humans=[], serviceUsers=[robot]))
    found = [await users_world.service_user(typed) for typed in (f"robot-{tag}", f"Röbot-{tag}", f"RO\u0308BOT-{tag}")]

    assert found[0] is not None
    assert found[0] == found[1] == found[2]
    assert (found[0].access_token_type, found[0].access_token_alg) == (AccessTokenType.JWT, "ES256")
    assert found[0].user.login_name == f"Röbot-{tag}@acme-{tag}.localhost"
    assert not found[0].user.human


async def test_id_takes_precedence_over_a_user_name(users_world: Any) -> None:
    """A user name that equals another service user's id never matches, even if that user is inactive."""
    tag = users_world.tag
    taker = users_world.robot(id=f"taker-{tag}", username=f"id-{tag}")
    robots = [users_world.robot(id=f"id-{tag}"), taker]
    await users_world.apply(users_world.organization(humans=[], serviceUsers=robots))
    active = await users_world.service_user(f"id-{tag}")
    await deactivate(users_world, "users", _id=f"id-{tag}")

    assert active is not None
    assert active.user.user_id == f"id-{tag}"
    assert await users_world.service_user(f"id-{tag}") is None
    assert await users_world.service_user(f"taker-{tag}") is not None


@pytest.mark.parametrize("collection", ["users", "orgs"])
async def test_inactive_service_user_is_not_found(users_world: Any, collection: str) -> None:
    """A service user is not found unless it and its organization are active (TK-11)."""
    tag = users_world.tag
    applied = await users_world.apply(users_world.organization(humans=[], serviceUsers=[users_world.robot()]))
    id = {"users": f"robot-{tag}", "orgs": applied.changes[0].id}[collection]
    await deactivate(users_world, collection, _id=id)

    assert await users_world.service_user(f"robot-{tag}") is None


async def test_end_user_is_not_found_as_a_client(users_world: Any) -> None:
    """Neither id nor user name of an end user is a client id."""
    applied = await users_world.apply()

    assert await users_world.service_user(applied.changes[3].id) is None
    assert await users_world.service_user(users_world.user_name) is None


@pytest.mark.parametrize("client_id", ["", "nobody", "x" * 100_000, '{"$ne": null}'])
async def test_unknown_service_user_is_not_found(users_world: Any, client_id: str) -> None:
    """Text of callers is compared, never evaluated as a query (MG-10)."""
    assert await users_world.service_user(client_id) is None


async def test_audience_of_projects(users_world: Any) -> None:
    """Each active project has its client ids, sorted, then its id; other projects are omitted."""
    tag = users_world.tag
    shop, admin = users_world.app(), users_world.app(name="admin", clientId=f"admin-{tag}")
    projects = [
        {"id": f"a-{tag}", "name": "a", "oidcApps": [shop], "apiApps": [{"name": "orders", "clientId": f"api-{tag}"}]},
        {"id": f"b-{tag}", "name": "b", "oidcApps": [admin]},
        {"id": f"c-{tag}", "name": "c"},
        {"id": f"d-{tag}", "name": "d", "oidcApps": [users_world.app(name="x", clientId=f"x-{tag}")]},
    ]
    applied = await users_world.apply(users_world.organization(projects=projects, humans=[]))
    await deactivate(users_world, "projects", _id=f"d-{tag}")
    asked = GetAudiences(
        project_ids=(*(f"{letter}-{tag}" for letter in "abcda"), "unknown"), org_id=applied.changes[0].id
    )
    answer = await users_world.call(GET_AUDIENCES, asked)
    nothing = await users_world.call(GET_AUDIENCES, GetAudiences(project_ids=(), org_id=asked.org_id))

    assert answer.audiences == {
        f"a-{tag}": (f"api-{tag}", f"shop-{tag}", f"a-{tag}"),
        f"b-{tag}": (f"admin-{tag}", f"b-{tag}"),
        f"c-{tag}": (f"c-{tag}",),
    }
    assert nothing.audiences == {}


async def test_project_of_an_inactive_organization_has_no_audience(users_world: Any) -> None:
    """Projects of an inactive organization count as unknown (TK-11)."""
    applied = await users_world.apply()
    project_ids = (applied.changes[1].id,)
    asked = GetAudiences(project_ids=project_ids, org_id=applied.changes[0].id)
    before = await users_world.call(GET_AUDIENCES, asked)
    await deactivate(users_world, "orgs", _id=applied.changes[0].id)

    assert set(before.audiences) == set(project_ids)
    assert (await users_world.call(GET_AUDIENCES, asked)).audiences == {}


async def test_project_of_others_requires_a_grant_or_a_role(users_world: Any) -> None:
    """Clients may request projects granted to their organization, service users also those with a role (decision
    0085).
    """
    tag = users_world.tag
    role = {"roleKey": "reader", "displayName": "Reader"}
    theirs: list[dict[str, Any]] = [
        {"id": f"{name}-{tag}", "name": name, "roles": [role]} for name in ("none", "granted", "ended", "role")
    ]
    for project, state in ((theirs[1], "active"), (theirs[2], "inactive")):
        project["grants"] = [{"organization": f"acme-{tag}", "roleKeys": ["reader"], "state": state}]
    given = {"project": f"role-{tag}", "roleKeys": ["reader"], "organization": f"other-{tag}"}
    robot = users_world.robot(grants=[given])
    own = users_world.organization(id=f"acme-{tag}", projects=[], humans=[], serviceUsers=[robot])
    await users_world.apply(own, {"id": f"other-{tag}", "name": f"Other {tag}", "projects": theirs})
    asked = GetAudiences(
        project_ids=tuple(str(one["id"]) for one in theirs), org_id=f"acme-{tag}", user_id=f"robot-{tag}"
    )
    of_user = (await users_world.call(GET_AUDIENCES, asked)).audiences
    of_app = (await users_world.call(GET_AUDIENCES, replace(asked, user_id=""))).audiences

    assert sorted(of_user) == [f"granted-{tag}", f"role-{tag}"]
    assert sorted(of_app) == [f"granted-{tag}"]


async def test_token_of_the_last_release_gets_every_project(users_world: Any) -> None:
    """Such a request names no organization, because an upgrade replaces users first."""
    project_ids = ((await users_world.apply()).changes[1].id,)
    answer = await users_world.call(GET_AUDIENCES, GetAudiences(project_ids=project_ids))

    assert set(answer.audiences) == set(project_ids)


async def test_apis_of_a_client(users_world: Any) -> None:
    """The APIs are those of its project, granted ones, and those that its settings name; service users also have those
    of their roles.
    """
    tag = users_world.tag
    role = {"roleKey": "reader", "displayName": "Reader"}

    def project(name: str, **members: Any) -> dict[str, Any]:
        api = {"name": name, "clientId": f"{name}-api-{tag}", "scopes": [{"scope": f"{name}.read"}]}
        return {"id": f"{name}-{tag}", "name": name, "roles": [role], "apiApps": [api], **members}

    grants = [{"organization": f"acme-{tag}", "roleKeys": ["reader"]}]
    plain = {"name": "plain", "clientId": f"plain-{tag}"}
    shop = users_world.app(apis=[f"named-api-{tag}", f"foreign-api-{tag}", f"plain-{tag}", "unknown"])
    own = project("own", oidcApps=[shop])
    own["apiApps"].append(plain)
    mine = [own, project("named"), project("unnamed"), project("stopped")]
    theirs = [project("granted", grants=grants), project("role"), project("foreign")]
    given = {"project": f"role-{tag}", "roleKeys": ["reader"], "organization": f"other-{tag}"}
    robot = users_world.robot(grants=[given])
    acme = users_world.organization(id=f"acme-{tag}", projects=mine, humans=[], serviceUsers=[robot])
    await users_world.apply(acme, {"id": f"other-{tag}", "name": f"Other {tag}", "projects": theirs})
    await deactivate(users_world, "projects", _id=f"stopped-{tag}")

    async def names(client_id: str) -> set[str]:
        found = (await users_world.call(GET_APIS, GetApis(client_id=client_id))).apis
        assert all(api.scopes == (f"{api.client_id.partition('-')[0]}.read",) for api in found)
        return {api.client_id.partition("-")[0] for api in found}

    assert await names(f"shop-{tag}") == {"own", "named", "granted"}
    assert await names(f"robot-{tag}") == {"own", "named", "unnamed", "granted", "role"}
    assert await names(f"plain-{tag}") == await names("unknown") == set()


async def test_origins_of_active_apps_are_known(users_world: Any) -> None:
    """Origins of redirect URIs and additional origins match as serialized by browsers, and no similar ones."""
    tag = users_world.tag
    app = users_world.app(
        redirectUris=[f"https://Shop-{tag}.example:443/cb", f"com.example.{tag}:/cb"],
        additionalOrigins=[f"https://cdn-{tag}.example:8443"],
    )
    await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))
    known = [f"https://shop-{tag}.example", f"https://cdn-{tag}.example:8443"]
    unknown = [
        f"http://shop-{tag}.example",
        f"https://shop-{tag}.example:444",
        f"https://shop-{tag}.example.evil.example",
        f"https://Shop-{tag}.example:443",
        f"https://cdn-{tag}.example",
        "null",
        "",
        "x" * 1_000_000,
        '{"$ne": null}',
    ]

    assert [await knows(users_world, origin) for origin in known] == [True, True]
    assert [await knows(users_world, origin) for origin in unknown] == [False] * len(unknown)


@pytest.mark.parametrize("collection", ["apps", "projects", "orgs"])
async def test_origin_of_an_inactive_app_is_unknown(users_world: Any, collection: str) -> None:
    """A preflight succeeds only while application, project and organization are active."""
    tag = users_world.tag
    app = users_world.app(redirectUris=[f"https://shop-{tag}.example/cb"])
    applied = await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))
    before = await knows(users_world, f"https://shop-{tag}.example")
    number = {"orgs": 0, "projects": 1, "apps": 2}[collection]
    await deactivate(users_world, collection, _id=applied.changes[number].id)

    assert before
    assert not await knows(users_world, f"https://shop-{tag}.example")


async def test_removed_origin_is_unknown(users_world: Any) -> None:
    """Removing a redirect URI removes its origin."""
    tag = users_world.tag
    for path in (f"https://old-{tag}.example/cb", f"https://new-{tag}.example/cb"):
        app = users_world.app(redirectUris=[path])
        await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))

    assert not await knows(users_world, f"https://old-{tag}.example")
    assert await knows(users_world, f"https://new-{tag}.example")


async def test_organizations_are_listed_in_the_order_of_an_index(users_world: Any) -> None:
    """Only a page is read instead of sorting all organizations (RX-08)."""
    await users_world.apply()
    find = {"find": "orgs", "filter": {"state": {"$ne": "deleted"}}, "sort": {"nameKey": 1, "_id": 1}}
    plan = await users_world.parts.mongo.database.command({"explain": find, "verbosity": "queryPlanner"})

    assert "'SORT'" not in repr(plan["queryPlanner"]["winningPlan"])


async def test_queries_use_indexes(users_world: Any) -> None:
    """An unknown origin, client id or user costs an index lookup instead of a scan (RX-08)."""
    await users_world.apply()
    database = users_world.parts.mongo.database
    questions = {
        "apps": {"originKeys": "https://nobody.example", "state": "active"},
        "users": {"nameKey": "nobody", "type": "machine"},
    }
    for collection, question in questions.items():
        plan = await database.command(
            {"explain": {"find": collection, "filter": question}, "verbosity": "executionStats"}
        )

        assert plan["executionStats"]["totalDocsExamined"] == 0
        assert "COLLSCAN" not in repr(plan["queryPlanner"]["winningPlan"])
