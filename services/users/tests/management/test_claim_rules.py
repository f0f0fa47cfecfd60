"""Claim rules of projects and applications: what is stored, and what token gets (decision 0141)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_contracts.users import EXPORT, ClaimPlace, ClaimSource, Export
from portico_fakes.management_api import ApiResponse, call_as

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

GROUPS: Final = {"claim": "team", "source": "CLAIM_SOURCE_GROUPS", "key": "team-", "in": ["CLAIM_PLACE_ID_TOKEN"]}
FIXED: Final = {"claim": "tier", "source": "CLAIM_SOURCE_FIXED", "value": "1", "in": ["CLAIM_PLACE_USERINFO"]}


async def on_project(managed: Any, rules: list[dict[str, Any]]) -> ApiResponse:
    path = f"/management/v1/projects/p-owner-{managed.tag}/claim_rules"
    return await call_as(
        managed,
        "portico.management.v1.ProjectService.SetProjectClaimRules",
        {"claimRules": rules},
        path=path,
        by="owner",
    )


async def add_app(managed: Any, **members: Any) -> dict[str, Any]:
    return (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, **members)).body


async def test_rules_reach_token(managed: Any) -> None:
    """Those of the application replace those of the project for the same claim; other settings keep them."""
    await managed.furnish("owner")
    app = await add_app(managed)
    path = f"/{app['appId']}"
    own = FIXED | {"value": "[2]", "format": "CLAIM_FORMAT_JSON"}
    saved = [await on_project(managed, [GROUPS, FIXED])]
    saved.append(await on_apps(managed, "SetAppClaimRules", f"{path}/claim_rules", claimRules=[own]))
    saved.append(await on_apps(managed, "UpdateOIDCAppConfig", f"{path}/oidc_config", **CODE, devMode=True))
    shown = (await on_apps(managed, "GetAppByID", path)).body["app"]["oidcConfig"]["claimRules"]
    client = await managed.users.client(app["clientId"])
    found = {rule.claim: (rule.source, rule.value, rule.places, rule.of_project) for rule in client.claim_rules}

    assert ([one.code for one in saved], shown) == ([0] * 3, [own])
    assert found == {
        "team": (ClaimSource.GROUPS, "", (ClaimPlace.ID_TOKEN,), True),
        "tier": (ClaimSource.FIXED, "[2]", (ClaimPlace.USERINFO,), False),
    }


async def test_other_rules_are_refused_with_their_field(managed: Any) -> None:
    """Names that mean something else in any case, unknown keys, values that do not fit, and more than 50 rules."""
    await managed.furnish("owner")
    path = f"/{(await add_app(managed, rolesClaim='level'))['appId']}/claim_rules"
    taken = ("sub", "Sub", "cnf", "act", "email", "roles", "GROUPS", "urn:Portico:x", "level", "1st", "a b")
    wrong: list[tuple[dict[str, Any], str]] = [(FIXED | {"claim": claim}, "claim") for claim in taken]
    wrong += [
        (FIXED | {"claim": "preferred_username"}, "claim"),
        (FIXED | {"source": "CLAIM_SOURCE_UNSPECIFIED"}, "source"),
        (FIXED | {"key": "x"}, "key"),
        (GROUPS | {"source": "CLAIM_SOURCE_ATTRIBUTE", "key": "password"}, "key"),
        (GROUPS | {"source": "CLAIM_SOURCE_ORGANIZATION", "key": "owner"}, "key"),
        (FIXED | {"value": ""}, "value"),
        (FIXED | {"value": "9007199254740992", "format": "CLAIM_FORMAT_JSON"}, "value"),
        (FIXED | {"value": "{", "format": "CLAIM_FORMAT_JSON"}, "value"),
        (GROUPS | {"format": "CLAIM_FORMAT_JSON"}, "format"),
        (GROUPS | {"groups": ["a", "a"]}, "groups"),
        (FIXED | {"scope": "two words"}, "scope"),
        (FIXED | {"in": []}, "in"),
        (FIXED | {"in": ["CLAIM_PLACE_USERINFO"] * 2}, "in"),
    ]  # fmt: skip
    for rule, field in wrong:
        refused = await on_apps(managed, "SetAppClaimRules", path, claimRules=[rule])
        assert (refused.code, refused.fields) == (3, [f"claimRules[0].{field}"]), (rule, refused.body)
    twice = await on_apps(managed, "SetAppClaimRules", path, claimRules=[FIXED, FIXED])
    many = await on_apps(managed, "SetAppClaimRules", path, claimRules=[FIXED | {"claim": f"c{n}"} for n in range(51)])

    assert [(one.code, one.fields) for one in (twice, many)] == [(3, ["claimRules[1].claim"]), (3, ["claimRules"])]


async def test_name_of_a_rule_is_no_roles_claim(managed: Any) -> None:
    """The two settings cannot have one claim, whichever is saved later."""
    await managed.furnish("owner")
    path = f"/{(await add_app(managed))['appId']}"
    await on_apps(managed, "SetAppClaimRules", f"{path}/claim_rules", claimRules=[FIXED])
    refused = await on_apps(managed, "UpdateOIDCAppConfig", f"{path}/oidc_config", **CODE, rolesClaim="tier")

    assert (refused.code, refused.fields) == (3, ["claimRules[0].claim"])


async def test_roles_of_a_foreign_project_have_no_effect(managed: Any) -> None:
    """Another organization gave them for its own applications."""
    await managed.furnish("owner")
    app = await add_app(managed)
    roles = {"source": "CLAIM_SOURCE_ROLES", "in": ["CLAIM_PLACE_USERINFO"]}
    rules = [
        {"claim": claim, "key": key.format(tag=managed.tag), **roles}
        for claim, key in (("own", ""), ("theirs", "src-owner-{tag}"), ("none", "unknown"))
    ]
    saved = await on_apps(managed, "SetAppClaimRules", f"/{app['appId']}/claim_rules", claimRules=rules)
    client = await managed.users.client(app["clientId"])

    assert saved.code == 0
    assert [rule.claim for rule in client.claim_rules] == ["own"]


async def test_declared_rules_reach_token(users_world: Any) -> None:
    """Rules of a document are in force and exported as declared; a document without them removes them."""
    rule = {"claim": "team", "source": "metadata", "key": "team", "format": "list", "in": ["id_token", "userinfo"]}
    found, exported = [], []
    for rules in ([rule], []):
        document = users_world.only_apps(oidc=[users_world.app(claimRules=rules)])
        await users_world.apply({**document, "id": users_world.org_id})
        client = await users_world.client(f"shop-{users_world.tag}")
        found.append([(one.claim, one.key, one.places) for one in client.claim_rules])
        part = await users_world.call(EXPORT, Export(org_id=users_world.org_id))
        [app] = part.document.organizations[0].projects[0].oidc_apps
        exported.append([(one.claim, one.format, one.places) for one in app.claim_rules or ()])

    places = (ClaimPlace.ID_TOKEN, ClaimPlace.USERINFO)
    assert exported == [[("team", "list", places)], []]
    assert found == [[("team", "team", places)], []]


async def preview(managed: Any, app: dict[str, Any], user_id: str, *, by: str = "owner", **members: Any) -> ApiResponse:
    path = f"/{app['appId']}/tokens/_preview"
    return await on_apps(
        managed, "PreviewTokens", path, project=f"p-owner-{managed.tag}", by=by, userId=user_id, **members
    )


async def test_preview_compares_stored_and_other_rules(managed: Any) -> None:
    """Those that are not saved are validated like those that are, and nothing is stored."""
    await managed.furnish("owner")
    app, user_id = await add_app(managed), await readable_user(managed)
    path = f"/{app['appId']}"
    await on_apps(managed, "SetAppClaimRules", f"{path}/claim_rules", claimRules=[FIXED])
    foreign = {"claim": "r", "source": "CLAIM_SOURCE_ROLES", "key": "unknown", "in": ["CLAIM_PLACE_USERINFO"]}
    change = {"claimRules": [FIXED | {"value": "2"}, foreign]}
    found = (await preview(managed, app, user_id, scope="openid", change=change)).body
    refused = await preview(managed, app, user_id, change={"claimRules": [FIXED | {"claim": "sub"}]})
    stored = (await on_apps(managed, "GetAppByID", path)).body["app"]["oidcConfig"]["claimRules"]

    assert [found[name]["userinfo"]["tier"] for name in ("current", "changed")] == ["1", "2"]
    assert found["changed"]["claimRules"][1:] == [{"claim": "r", "reason": "CLAIM_REASON_ANOTHER_PROJECT"}]
    assert (refused.code, refused.fields, stored) == (3, ["change.claimRules[0].claim"], [FIXED])


async def test_preview_with_other_roles(managed: Any) -> None:
    """Token gets the roles as those of the owner of the project, and the stored claim rules; unknown ones are refused."""
    await managed.furnish("owner")
    app, user_id = await add_app(managed), await readable_user(managed)
    project = f"p-owner-{managed.tag}"
    role = {"roleKey": "buyer", "displayName": "Buyer"}
    added = f"/management/v1/projects/{project}/roles"
    await call_as(managed, "portico.management.v1.ProjectService.AddProjectRole", role, path=added, by="owner")
    await on_apps(managed, "SetAppClaimRules", f"/{app['appId']}/claim_rules", claimRules=[FIXED])
    found = await preview(managed, app, user_id, roles=[{"roleKeys": ["buyer"]}])
    foreign = {"id": f"other-{managed.tag}", "name": f"Other {managed.tag}"}
    await managed.users.apply(foreign | {"projects": [{"id": f"p-foreign-{managed.tag}", "name": "theirs"}]})
    refused = [
        await preview(managed, app, user_id, roles=[one])
        for one in ({"roleKeys": ["bayer"]}, {"projectId": f"p-foreign-{managed.tag}"}, {"projectId": "unknown"})
    ]
    [current, changed] = managed.api.previews

    assert "changed" in found.body, found.body
    assert (current.roles, list(changed.roles), list(changed.roles[project])) == (None, [project], ["buyer"])
    assert changed.claim_rules == current.claim_rules != ()
    assert [(one.code, one.fields) for one in refused] == [
        (3, ["roles[0].roleKeys[0]"]),
        (5, ["roles[0].projectId"]),
        (5, ["roles[0].projectId"]),
    ]


async def test_preview_needs_permission_for_user_and_application(managed: Any) -> None:
    """Who may read only the application, or only the user, sees no claims; an unknown user looks the same."""
    await managed.furnish("owner")
    app, user_id = await add_app(managed), await readable_user(managed)
    grant = {"userId": f"robot-{managed.tag}", "roles": ["PROJECT_OWNER_VIEWER"]}
    member = f"/management/v1/projects/p-owner-{managed.tag}/members"
    added = await call_as(
        managed, "portico.management.v1.MemberService.AddProjectMember", grant, path=member, by="owner"
    )
    of_app = await preview(managed, app, user_id, by="robot")
    unknown = await preview(managed, app, "unknown")
    foreign = await preview(managed, app, user_id, by="foreign")

    assert added.code == 0, added.body
    assert (of_app.code, of_app.error_code) == (unknown.code, unknown.error_code) == (5, "USER-315")
    assert (foreign.code, managed.api.previews) == (5, [])


async def readable_user(managed: Any) -> str:
    added = await managed.add(managed.new_human())
    assert added.code == 0, added.body
    return str(added.body["userId"])
