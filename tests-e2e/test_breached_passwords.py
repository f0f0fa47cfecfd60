"""An organization refuses passwords from a list of breached ones."""

from __future__ import annotations

import pytest
from portico_contracts.apply import Document, Email, EndUser, Organization, Password, PasswordPolicy, Profile
from portico_scenarios.breached_list import LISTED_PASSWORD
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

INITIAL = "what the office wrote down"
CHOSEN = "violets under the old oak"


async def test_breached_password_is_refused_at_the_change(world: World) -> None:
    """The page shows why, and another password signs in (decision 0101)."""
    gina = EndUser(
        username="gina",
        profile=Profile(first_name="Gina", last_name="Example"),
        email=Email(email="gina@mail.example.test", is_verified=True),
        password=Password(password=INITIAL, change_required=True),
    )
    home = Organization(
        id="e2e-breached", name="Breached", password_policy=PasswordPolicy(refuse_breached=True), humans=(gina,)
    )
    await world.stack.apply(Document(organizations=(home,)))
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        await agent.sign_in(begun.url, "gina", INITIAL)
        refused = await agent.press("change-password-submit", current_password=INITIAL, new_password=LISTED_PASSWORD)
        changed = await agent.press("change-password-submit", current_password=INITIAL, new_password=CHOSEN)

    assert "known from a data breach" in refused.response.text
    assert code_in(changed)
