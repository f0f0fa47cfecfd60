"""A project granted to another organization, whose owner assigns a role to a user."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse
from portico_harness.eventually import eventually
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


async def _make(owner: Administrator, guest: Administrator) -> tuple[str, str]:
    """Creates a project with two roles, one of which is granted to the other organization; returns the ids."""
    added = _done(await owner.json(f"{OF}.ProjectService.AddProject", {"name": "shop"}))
    path = f"/management/v1/projects/{added['id']}"
    for key in ("reader", "admin"):
        _done(await owner.json(f"{OF}.ProjectService.AddProjectRole", {"roleKey": key}, path=f"{path}/roles"))
    body = {"grantedOrgId": guest.org_id, "roleKeys": ["reader"]}
    granted = _done(await owner.json(f"{OF}.ProjectGrantService.AddProjectGrant", body, path=f"{path}/grants"))
    return added["id"], granted["grantId"]


async def _sign_in(world: World, admin: Administrator) -> Agent:
    _done(
        await admin.json(
            "portico.user.v2.UserService.AddHumanUser", admin.human("guest", organisation={"orgId": admin.org_id})
        )
    )
    agent = world.agent()
    person = admin.person("guest")
    await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, person.login_name, person.password)
    return agent


async def test_project_grant_role_is_in_tokens_until_deactivated(world: World) -> None:
    """A role by a project grant is in the tokens of the granted organization's users until the grant is deactivated."""
    owner, guest = await administrator_of(world, "ORG_OWNER"), await administrator_of(world, "ORG_OWNER")
    project_id, grant_id = await _make(owner, guest)
    claim = f"urn:portico:project:{project_id}:roles"
    scope = f"openid {ROLES} urn:portico:project:id:{project_id}:aud"
    path = f"/management/v1/users/guest-{guest.tag}/grants"
    own = _done(await guest.json(f"{OF}.ProjectService.AddProject", {"name": "own"}))
    client = await guest.add_app(own["id"])
    async with await _sign_in(world, guest) as agent:

        async def told(client: Client = client) -> Any:
            begun = begin(world.metadata, client, scope=scope)
            code = code_in(await agent.open(begun.url))
            tokens = (await redeem(world.http, world.metadata, client, code, code_verifier=begun.verifier)).json()
            return (await userinfo(world.http, world.metadata, tokens["access_token"])).json().get(claim)

        assert await told() is None
        body = {"projectId": project_id, "projectGrantId": grant_id, "roleKeys": ["admin"]}
        refused = await guest.json(f"{OF}.UserGrantService.AddUserGrant", body, path=path)
        assert (refused.error_code, refused.fields) == ("USER-873", ["roleKeys[0]"])
        body["roleKeys"] = ["reader"]
        _done(await guest.json(f"{OF}.UserGrantService.AddUserGrant", body, path=path))
        roles = await eventually(told, lambda answered: answered is not None)
        assert set(roles) == {"reader"}
        assert set(roles["reader"]) == {guest.org_id}
        assert await told(world.clients["basic"]) is None

        one = f"/management/v1/projects/{project_id}/grants/{grant_id}/_deactivate"
        _done(await owner.json(f"{OF}.ProjectGrantService.DeactivateProjectGrant", {}, path=one))
        assert await eventually(told, lambda answered: answered is None) is None


async def test_project_check_refuses_users_without_grant(world: World) -> None:
    """With hasProjectCheck users get an error page until the project is granted."""
    owner, guest = await administrator_of(world, "ORG_OWNER"), await administrator_of(world, "ORG_OWNER")
    body = {"name": "shop", "hasProjectCheck": True}
    project_id = _done(await owner.json(f"{OF}.ProjectService.AddProject", body))["id"]
    path = f"/management/v1/projects/{project_id}"
    client = await owner.add_app(project_id)
    url = begin(world.metadata, client).url
    async with await _sign_in(world, guest) as agent:
        refused = await agent.open(url)
        assert (refused.status, refused.shows("error-page")) == (403, True)
        assert "AUTHZ-251" in refused.response.text

        granted = {"grantedOrgId": guest.org_id}
        _done(await owner.json(f"{OF}.ProjectGrantService.AddProjectGrant", granted, path=f"{path}/grants"))
        page = await eventually(lambda: agent.open(url), lambda page: page.returned is not None)
        assert page.location.startswith(client.redirect_uri)
        assert "code" in (page.returned or {})
