"""Login identifier resolution through the gateway: attacks by the management API, and login_hint in all formats."""

from __future__ import annotations

import pytest
from portico_contracts.apply import Document, Organization
from portico_scenarios.administrator import PASSWORD, administrator_of
from portico_scenarios.agent import Agent
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

ADD = "portico.user.v2.UserService.AddHumanUser"
THEIRS = "an entirely different password"


async def _subject(agent: Agent, world: World, **changes: str) -> str:
    begun = begin(world.metadata, world.clients["basic"], **changes)
    page = await agent.open(begun.url)
    tokens = (await world.redeem("basic", code_in(page), code_verifier=begun.verifier)).json()
    info = await world.http.get(
        world.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"}
    )
    return str(info.json()["sub"])


async def test_identifiers_of_another_organization_cannot_be_taken(world: World) -> None:
    """Another organization cannot take a user name or sign-in by creating users with its email addresses."""
    admin = await administrator_of(world)
    domain = f"vera-{admin.tag}.example"
    home = Organization(id=f"home-{admin.tag}", name=domain, primary_domain=domain)
    await world.stack.apply(Document(organizations=(home,)))
    mail = f"vera@{domain}"
    at_home = {"organisation": {"orgId": f"home-{admin.tag}"}}
    vera = await admin.json(ADD, admin.human("vera", email={"email": mail, "isVerified": True}, **at_home))
    thief = {"password": {"password": THEIRS}, "organisation": {"orgId": "e2e-other-org"}}
    named = await admin.json(ADD, admin.human("named", username=mail, **thief))
    marked = await admin.json(ADD, admin.human("marked", email={"email": mail, "isVerified": True}, **thief))
    taken = await admin.json(ADD, admin.human("within", username="vera", **at_home))
    async with world.agent() as agent:
        begun = begin(world.metadata, world.clients["basic"])
        page = await agent.sign_in(begun.url, mail, PASSWORD)
        who = await _subject(agent, world, prompt="none")

    assert vera.code == marked.code == 0
    assert (named.error_code, taken.error_code) == ("USER-864", "USER-011")
    assert code_in(page)
    assert who == f"vera-{admin.tag}"


async def test_login_hint_accepts_every_identifier(world: World) -> None:
    """With two accounts signed in, user name, qualified name and verified email each select one silently."""
    admin = await administrator_of(world)
    mails = {}
    async with world.agent() as agent:
        for name in ("ann", "ben"):
            body = admin.human(name)
            assert (await admin.json(ADD, body)).code == 0
            mails[name] = body["email"]["email"]
            begun = begin(world.metadata, world.clients["basic"], prompt="login")
            await agent.sign_in(begun.url, admin.person(name).login_name, PASSWORD)
        found = [
            await _subject(agent, world, prompt="none", login_hint=hint)
            for name in ("ann", "ben")
            for hint in (f"{name}-{admin.tag}", f"{name.upper()}-{admin.tag}@e2e.localhost", mails[name])
        ]

    assert found == [f"ann-{admin.tag}"] * 3 + [f"ben-{admin.tag}"] * 3
