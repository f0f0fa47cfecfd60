"""A group gives its members a role, and applications the names of its members' groups."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.agent import Agent
from portico_scenarios.relying_party import Client, begin, redeem, userinfo
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

OF = "portico.management.v1"
ROLES = "urn:portico:project:roles"


def _done(answered: ApiResponse) -> dict[str, Any]:
    assert answered.code == 0, answered.body
    return answered.body


async def _sign_in(world: World, owner: Administrator) -> tuple[Agent, str]:
    added = _done(
        await owner.json(
            "portico.user.v2.UserService.AddHumanUser", owner.human("member", organisation={"orgId": owner.org_id})
        )
    )
    agent, person = world.agent(), owner.person("member")
    await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, person.login_name, person.password)
    return agent, added["userId"]


async def _application(owner: Administrator) -> tuple[str, Client]:
    project_id = _done(await owner.json(f"{OF}.ProjectService.AddProject", {"name": "shop"}))["id"]
    path = f"/management/v1/projects/{project_id}"
    _done(await owner.json(f"{OF}.ProjectService.AddProjectRole", {"roleKey": "writer"}, path=f"{path}/roles"))
    return project_id, await owner.add_app(project_id, groupsClaim="groups")


async def test_member_has_role_and_claim_until_removed(world: World) -> None:
    """Tokens issued before the removal show it too: introspection and userinfo read what is true now."""
    owner = await administrator_of(world, "ORG_OWNER")
    project_id, client = await _application(owner)
    agent, user_id = await _sign_in(world, owner)
    async with agent:
        code = code_in(await agent.open((begun := begin(world.metadata, client, scope=f"openid {ROLES}")).url))
        token = (await redeem(world.http, world.metadata, client, code, code_verifier=begun.verifier)).json()

        async def seen() -> tuple[set[str], list[str]]:
            claims = (await userinfo(world.http, world.metadata, token["access_token"])).json()
            return set(claims.get(ROLES, {})), claims["groups"]

        found = [await seen()]
        for name in ("staff", "company"):
            _done(await owner.json(f"{OF}.GroupService.AddGroup", {"name": name, "groupId": f"{name}-{owner.tag}"}))
        path = f"/management/v1/groups/company-{owner.tag}"
        body: dict[str, Any] = {"roleKeys": ["writer"]}
        _done(await owner.json(f"{OF}.GroupService.SetGroupRoles", body, path=f"{path}/roles/{project_id}"))
        body = {"memberGroupId": f"staff-{owner.tag}"}
        _done(await owner.json(f"{OF}.GroupService.AddGroupToGroup", body, path=f"{path}/groups"))
        members = f"/management/v1/groups/staff-{owner.tag}/members"
        _done(await owner.json(f"{OF}.GroupService.AddGroupMember", {"userId": user_id}, path=members))
        found.append(await seen())
        _done(await owner.json(f"{OF}.GroupService.RemoveGroupMember", {}, path=f"{members}/{user_id}"))
        found.append(await seen())

    assert found == [(set(), []), ({"writer"}, ["company", "staff"]), (set(), [])]
