"""Scopes and resources of API applications (decision 0092)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import (
    EXPORT,
    GET_APIS,
    GET_CLIENT,
    GET_USED_GRANT_TYPES,
    Api,
    Export,
    GetApis,
    GetClient,
    GetUsedGrantTypes,
    RoleScope,
)
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import REFRESH_TOKEN, TOKEN_EXCHANGE

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


async def add_api(managed: Any, name: str = "orders", **members: Any) -> dict[str, Any]:
    added = await on_apps(managed, "AddAPIApp", "/api", name=name, **members)
    assert added.code == 0, added.body
    return added.body


async def test_scopes_reach_authz_and_token(managed: Any) -> None:
    """Scopes are set at creation and replaced by SetAPIScopes; UpdateAPIAppConfig keeps them."""
    await managed.furnish("owner")
    uri = f"https://{managed.tag}.example/orders"
    read = {"scope": "orders.read", "title": "Read your orders", "grantedByDefault": True}
    api = await add_api(managed, resources=[uri], scopes=[read, {"scope": "orders.write"}])
    client = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE)).body["clientId"]
    path = f"/{api['appId']}"
    before = (await managed.users.call(GET_APIS, GetApis(client_id=client))).apis
    required = "CLIENT_ASSERTION_JTI_REQUIRED"
    updated = await on_apps(managed, "UpdateAPIAppConfig", f"{path}/api_config", clientAssertionJti=required)
    shown = (await on_apps(managed, "GetAppByID", path)).body["app"]["apiConfig"]
    replaced = await on_apps(managed, "SetAPIScopes", f"{path}/api_scopes", scopes=[{"scope": "orders.list"}])
    after = (await managed.users.call(GET_APIS, GetApis(client_id=client))).apis

    id = api["clientId"]
    assert before == (Api(id, (uri,), ("orders.read", "orders.write"), ("orders.read",)),)
    assert (shown["resources"], shown["scopes"][0]) == ([uri], read)
    assert (updated.code, replaced.code) == (0, 0)
    assert after == (Api(id, (), ("orders.list",), ()),)


async def test_roles_of_a_scope_reach_token(managed: Any) -> None:
    """Only roles of the project can be named; one that is removed stays, so that the scope is not for all users."""
    await managed.furnish("owner")
    project = f"p-owner-{managed.tag}"
    role = {"roleKey": "buyer", "displayName": "Buyer"}
    roles = f"/management/v1/projects/{project}/roles"
    of_projects = "portico.management.v1.ProjectService"
    await call_as(managed, f"{of_projects}.AddProjectRole", role, path=roles, by="owner")
    path = f"/{(await add_api(managed))['appId']}"
    wanted = [{"scope": "orders.write", "roles": ["buyer"]}, {"scope": "orders.read"}]
    saved = await on_apps(managed, "SetAPIScopes", f"{path}/api_scopes", scopes=wanted)
    unknown = await on_apps(
        managed, "SetAPIScopes", f"{path}/api_scopes", scopes=[{"scope": "orders.write", "roles": ["buyer", "bayer"]}]
    )
    at_creation = await on_apps(managed, "AddAPIApp", "/api", name="x", scopes=[{"scope": "x", "roles": ["bayer"]}])
    await call_as(managed, f"{of_projects}.RemoveProjectRole", {}, path=f"{roles}/buyer", by="owner")
    kept = await on_apps(managed, "SetAPIScopes", f"{path}/api_scopes", scopes=wanted[:1])
    client = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE)).body["clientId"]
    [api] = (await managed.users.call(GET_APIS, GetApis(client_id=client))).apis

    assert (saved.code, kept.code) == (0, 0), (saved.body, kept.body)
    for refused, place in ((unknown, "scopes[0].roles[1]"), (at_creation, "scopes[0].roles[0]")):
        assert (refused.code, refused.error_code, refused.fields) == (3, "USER-042", [place])
    assert (api.role_scopes, api.project_id) == ((RoleScope("orders.write", ("buyer",)),), project)


async def test_declared_roles_of_a_scope(users_world: Any) -> None:
    """A document may add the role with the scope, is exported as declared, and names the place of an unknown role."""
    api = {"name": "orders", "clientId": f"orders-{users_world.tag}", "scopes": [{"scope": "w", "roles": ["buyer"]}]}
    project = {"id": f"p-{users_world.tag}", "name": "shop", "apiApps": [api], "roles": [{"roleKey": "buyer"}]}
    document = users_world.organization(id=users_world.org_id, projects=[project], humans=[])
    await users_world.apply(document)
    part = await users_world.call(EXPORT, Export(org_id=users_world.org_id))
    [exported] = part.document.organizations[0].projects[0].api_apps
    wrong = api | {"scopes": [{"scope": "w", "roles": ["bayer"]}]}
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(document | {"projects": [project | {"apiApps": [wrong]}]})

    assert exported.scopes[0].roles == ("buyer",)
    assert refused.value.id == "USER-042"
    assert "apiApps[0].scopes[0].roles[0]" in refused.value.text


async def test_words_with_another_meaning_are_no_scopes(managed: Any) -> None:
    """Scopes of OpenID Connect and Portico, malformed words and repeated ones are refused (RFC 6749 section 3.3)."""
    await managed.furnish("owner")
    path = f"/{(await add_api(managed))['appId']}/api_scopes"
    wrong = (
        "openid",
        "email",
        "offline_access",
        "urn:portico:x",
        "urn:portico:org:id:1",
        "URN:Portico:x",
        "urn:zitadel:iam:org:project:roles",
        "Urn:ZITADEL:x",
        "a b",
        'a"b',
        "a\\b",
        "\u00e4",
    )
    fields = {
        word: (await on_apps(managed, "SetAPIScopes", path, scopes=[{"scope": word}])).fields
        for word in (*wrong, "x" * 201)
    }
    twice = await on_apps(managed, "SetAPIScopes", path, scopes=[{"scope": "a"}, {"scope": "a"}])

    assert fields == {word: ["scopes[0].scope"] for word in fields}
    assert twice.fields == ["scopes[1].scope"]


async def test_resource_is_an_absolute_uri(managed: Any) -> None:
    """Relative URIs, fragments, user information, schemes of scripts, and names of Portico's and ZITADEL's scopes are refused (RFC 8707 section 2, decision 0111)."""
    await managed.furnish("owner")
    path = f"/{(await add_api(managed))['appId']}/api_scopes"
    wrong = (
        "orders",
        "/orders",
        "https://a.example#x",
        "https://a.example/ b",
        "urn:portico:project:id:1:aud",
        "URN:Portico:project:id:1:aud",
        "urn:zitadel:iam:user:metadata",
        "\u00e4:b",
        "https://user@a.example",
        "https://user:secret@a.example/v1",
        "api://user@a.example",
        "https:a.example",
        "https:///v1",
        "https://a%2eexample",
        "https://a.example:x",
        "javascript:1",
        "JavaScript://a.example/%0a1",
        "data:text/html,1",
        "vbscript:1",
        "file:///etc",
        "blob:https://a.example/1",
    )
    fields = {uri: (await on_apps(managed, "SetAPIScopes", path, resources=[uri])).fields for uri in wrong}
    accepted = [f"urn:example:{managed.tag}", f"https://{managed.tag}.example:8443/v1?x=[1]"]

    assert fields == {uri: ["resources[0]"] for uri in fields}
    assert (await on_apps(managed, "SetAPIScopes", path, resources=accepted)).code == 0


async def test_resource_belongs_to_one_api_and_is_no_id(managed: Any) -> None:
    """A resource is unique in the instance, however a URL parser writes it, and never the client id of an application,
    which would get its tokens.
    """
    await managed.furnish("owner")
    uri, id = f"https://{managed.tag}.example", f"urn:id:{managed.tag}"
    first, second = await add_api(managed, resources=[uri]), await add_api(managed, name="b")
    path = f"/{second['appId']}/api_scopes"
    taken = [
        await on_apps(managed, "SetAPIScopes", path, resources=[one])
        for one in (uri, f"{uri}/", uri.replace("https", "HTTPS"), f"{uri}:443", f"{uri}:0443/", f"{uri}:/")
    ]
    twice = await on_apps(managed, "SetAPIScopes", path, resources=["https://b.example", "https://B.example/"])
    org = managed.users.organization(
        id=managed.org_id, name=managed.org_id, primaryDomain=managed.domain(managed.org_id), humans=[],
        projects=[{"name": "x", "apiApps": [{"name": "x", "clientId": id}]}],
    )  # fmt: skip
    await managed.users.apply(org)
    is_id = await on_apps(managed, "SetAPIScopes", path, resources=[id])
    org["projects"][0]["apiApps"][0] = {"name": "y", "clientId": uri}
    with pytest.raises(Exception, match="USER-010"):
        await managed.users.apply(org)
    await on_apps(managed, "RemoveApp", f"/{first['appId']}")
    moved = await on_apps(managed, "SetAPIScopes", path, resources=[uri])

    assert [one.error_code for one in (*taken, is_id)] == ["USER-853"] * 6 + ["USER-010"]
    assert twice.fields == ["resources[1]"]
    assert moved.code == 0, moved.body


async def test_resource_at_a_domain_of_another_organization_is_refused(managed: Any) -> None:
    """At creation and later; nothing changes (decision 0111)."""
    await managed.furnish("owner")
    theirs = f"https://api.{managed.domain(managed.other_org_id)}/v1"
    new = await on_apps(managed, "AddAPIApp", "/api", name="foreign", resources=[theirs])
    path = f"/{(await add_api(managed, resources=[f'urn:mine:{managed.tag}']))['appId']}"
    set_later = await on_apps(managed, "SetAPIScopes", f"{path}/api_scopes", resources=[theirs])
    kept = (await on_apps(managed, "GetAppByID", path)).body["app"]["apiConfig"]["resources"]

    assert [(one.code, one.error_code, one.fields) for one in (new, set_later)] == [
        (6, "USER-790", ["resources[0]"])
    ] * 2
    assert kept == [f"urn:mine:{managed.tag}"]


async def test_api_may_exchange_tokens(managed: Any) -> None:
    """Token exchange is off at first; while an application has it, discovery advertises the grant (decision 0096)."""
    await managed.furnish("owner")
    ask = GetUsedGrantTypes(grant_types=(TOKEN_EXCHANGE, REFRESH_TOKEN))
    api = await add_api(managed, scopes=[{"scope": "orders.read"}])
    stock = await add_api(managed, "stock", scopes=[{"scope": "stock.read"}])

    async def state() -> tuple[Any, ...]:
        shown = (await on_apps(managed, "GetAppByID", f"/{api['appId']}")).body["app"]["apiConfig"]
        client = (await managed.users.call(GET_CLIENT, GetClient(client_id=api["clientId"]))).client
        used = (await managed.users.call(GET_USED_GRANT_TYPES, ask)).grant_types
        return shown.get("tokenExchange", False), client.grant_types, used

    before = await state()
    await on_apps(managed, "UpdateAPIAppConfig", f"/{api['appId']}/api_config", tokenExchange=True)
    after = await state()
    apis = (await managed.users.call(GET_APIS, GetApis(client_id=api["clientId"]))).apis

    assert before == (False, (), ())
    assert after == (True, (TOKEN_EXCHANGE,), (TOKEN_EXCHANGE,))
    assert stock["clientId"] in {one.client_id for one in apis}


async def test_application_of_another_project_is_allowed_and_listed(managed: Any) -> None:
    """AddAppAPI allows one API and keeps all other settings; ListOrgApps finds the applications that may use it."""
    await managed.furnish("owner")
    api = (await add_api(managed, scopes=[{"scope": "orders.read"}]))["clientId"]
    project = (await call_as(managed, "portico.management.v1.ProjectService.AddProject", {"name": "other"})).body["id"]
    app = (await on_apps(managed, "AddOIDCApp", "/oidc", project=project, name="shop", **CODE)).body

    async def change(method: str, path: str, **body: Any) -> Any:
        return await on_apps(managed, method, f"/{app['appId']}{path}", project=project, **body)

    async def known() -> tuple[bool, list[str]]:
        found = await managed.users.call(GET_APIS, GetApis(client_id=app["clientId"]))
        query = {"queries": [{"apiQuery": {"clientId": api}}]}
        listed = (await call_as(managed, "portico.management.v1.AppService.ListOrgApps", query)).body.get("result", [])
        return bool(found.apis), [f"{one['projectName']}/{one['app']['name']}" for one in listed]

    before = await known()
    added = [await change("AddAppAPI", "/apis", clientId=api) for _repeated in range(2)]
    allowed = await known()
    kept = (await change("GetAppByID", "")).body["app"]["oidcConfig"]
    await change("RemoveAppAPI", f"/apis/{api}")

    assert [one.error_code for one in added] == ["", "USER-702"]
    assert before == (False, [])
    assert allowed == (True, ["other/shop"])
    assert (kept["apis"], kept["redirectUris"]) == ([api], CODE["redirectUris"])
    assert await known() == before


async def test_apis_of_an_application_are_listed(managed: Any) -> None:
    """By name, with their scopes and where they are: what authz lets the application request, and no secret."""
    await managed.furnish("owner")
    read = {"scope": "orders.read", "title": "Read your orders"}
    own = await add_api(managed, resources=[f"https://{managed.tag}.example"], scopes=[read])
    project = (await call_as(managed, "portico.management.v1.ProjectService.AddProject", {"name": "other"})).body["id"]
    other = (
        await on_apps(managed, "AddAPIApp", "/api", project=project, name="Stock", scopes=[{"scope": "stock"}])
    ).body
    await on_apps(managed, "AddAPIApp", "/api", project=project, name="hidden", scopes=[{"scope": "hidden"}])
    app = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", apis=[other["clientId"]], **CODE)).body
    listed = (await on_apps(managed, "ListAppAPIs", f"/{app['appId']}/apis")).body
    of_api = (await on_apps(managed, "ListAppAPIs", f"/{own['appId']}/apis")).body
    found = await managed.users.call(GET_APIS, GetApis(client_id=app["clientId"]))

    assert listed["result"] == [
        {
            "clientId": own["clientId"], "appId": own["appId"], "name": "orders",
            "projectId": f"p-owner-{managed.tag}", "projectName": listed["result"][0]["projectName"],
            "orgId": managed.org_id, "orgName": managed.org_id,
            "resources": [f"https://{managed.tag}.example"], "scopes": [read],
        },
        listed["result"][1],
    ]  # fmt: skip
    assert (listed["result"][1]["projectName"], listed["result"][1]["scopes"]) == ("other", [{"scope": "stock"}])
    assert {one["clientId"] for one in listed["result"]} == {one.client_id for one in found.apis}
    assert (listed["details"]["totalResult"], of_api.get("result", [])) == ("2", [])


async def test_application_uses_at_most_100_apis_of_other_projects(managed: Any) -> None:
    await managed.furnish("owner")
    apis = [f"api-{number}" for number in range(100)]
    app = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", apis=apis, **CODE)).body["appId"]
    further = await on_apps(managed, "AddAppAPI", f"/{app}/apis", clientId="api-100")

    assert further.error_code == "USER-855"
