"""An application of any organization, and an instance owner who follows a link to it (decision 0085)."""

from __future__ import annotations

import pytest
from portico_scenarios.administrator import administrator_of
from portico_scenarios.relying_party import begin, redeem
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

OF = "portico.management.v1"
SCOPE = "openid offline_access urn:portico:project:id:portico:aud"


async def test_third_party_application_gets_no_management_scope(world: World) -> None:
    """Without a page the token is issued without the management API's scope, and that API refuses it."""
    root, owner = await administrator_of(world, "IAM_OWNER"), await administrator_of(world, "ORG_OWNER")
    await root.json("portico.user.v2.UserService.AddHumanUser", root.human("root"))
    member = {"userId": f"root-{root.tag}", "roles": ["IAM_OWNER"]}
    assert (await root.json("portico.admin.v1.MemberService.AddIAMMember", member)).code == 0
    project = (await owner.json(f"{OF}.ProjectService.AddProject", {"name": "shop"})).body["id"]
    client = await owner.add_app(project, "OIDC_GRANT_TYPE_REFRESH_TOKEN")
    person = root.person("root")
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, person.login_name, person.password)
        begun = begin(world.metadata, client, scope=SCOPE, prompt="none")
        code = code_in(await agent.open(begun.url))
    tokens = (await redeem(world.http, world.metadata, client, code, code_verifier=begun.verifier)).json()
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    answer = await world.http.post(f"{world.issuer}/admin/v1/members/_search", json={}, headers=headers)

    assert tokens["scope"] == "openid offline_access"
    assert (answer.status_code, answer.json()["code"]) == (401, 16)
