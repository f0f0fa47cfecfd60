"""Users without a last name (decision 0115), who do not come by the API."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ProviderRedirect

pytestmark = pytest.mark.servers


async def test_registration_without_a_last_name(users_world: Any) -> None:
    await users_world.home()
    mail = users_world.mail("eve")
    sent = await users_world.register(mail, last_name="")
    user = await users_world.verify(sent.challenge, await users_world.newest_code(mail))
    [row] = await users_world.rows("users", _id=user.user_id)

    assert (row["firstName"], row["displayName"]) == ("Eve", "Eve")
    assert row.get("lastName", "") == ""


async def test_provider_without_a_last_name(external: Any) -> None:
    """The account is created without a form: a missing family name is nothing that its owner has to fill in."""
    await external.set_up(auto=True)
    done = await external.finish(external.jwt(family_name=None))
    [row] = await external.people()

    assert (done.onward, done.missing) == (ProviderRedirect.SIGNED_IN, ())
    assert (row["firstName"], row.get("lastName", "")) == ("Ada", "")


async def test_document_without_a_last_name(users_world: Any) -> None:
    """The document is applied, and a second time nothing is changed."""
    human = users_world.human(profile={"firstName": "Ada"})
    first = await users_world.apply(users_world.organization(humans=[human]))
    again = await users_world.apply(users_world.organization(humans=[human]))

    assert [one.action for one in again.changes] == ["unchanged"] * len(first.changes)
