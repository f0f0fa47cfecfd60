"""A password set by an administrator must be changed at the first sign-in."""

from __future__ import annotations

import pytest
from portico_scenarios.agent import Agent
from portico_scenarios.agent import Page as Landing
from portico_scenarios.participants import FAYE
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

NEW_PASSWORD = "violets under the old oak"


async def _change(agent: Agent, current: str, new: str) -> Landing:
    return await agent.press("change-password-submit", current_password=current, new_password=new)


async def test_initial_password_must_be_changed(world: World) -> None:
    """The initial password leads only to the page that changes it, and the new one signs in (LG-08, LG-24)."""
    begun, silent, later = (
        begin(world.metadata, world.clients["basic"], prompt=prompt) for prompt in (None, "none", None)
    )
    async with world.agent() as agent:
        asked = await agent.sign_in(begun.url, FAYE.login_name, FAYE.password)
        request = str(asked.response.url).partition("request=")[2]
        skipped = await agent.open(f"{world.issuer}/oauth/v2/authorize/resume?request={request}")
        unsigned = await agent.open(silent.url)
        await agent.open(str(asked.response.url))
        wrong = await _change(agent, "not the password", NEW_PASSWORD)
        common = await _change(agent, FAYE.password, "password123")
        changed = await _change(agent, FAYE.password, NEW_PASSWORD)
    async with world.agent() as other:
        old = await other.sign_in(later.url, FAYE.login_name, FAYE.password)
        new = await other.press("password-submit", password=NEW_PASSWORD)

    assert asked.shows("change-password-submit")
    assert skipped.shows("change-password-submit")
    assert unsigned.returned is not None
    assert unsigned.returned["error"] == "login_required"
    assert wrong.shows("login-problem")
    assert common.shows("login-problem")
    assert code_in(changed)
    assert old.shows("login-problem")
    assert code_in(new)
