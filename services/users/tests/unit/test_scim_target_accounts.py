"""Changes of accounts at targets whose values are not what the standard has."""

from __future__ import annotations

import pytest
from portico_fakes.scim_server import ScimServer
from portico_users.end_users.end_user import EndUser
from portico_users.scim_targets.accounts import carry_out, decide
from portico_users.scim_targets.client import Pacer, TargetClient
from portico_users.scim_targets.target import ScimTarget
from portico_users.scim_targets.wanted import wanted_of

ADA = EndUser(
    id="u1", org_id="o1", user_name="ada", first_name="Ada", last_name="Byron", display_name="Ada Byron", email=""
)


async def nothing() -> None:
    pass


@pytest.mark.parametrize("name", ["Ada", ["Ada"], 7, None])
async def test_name_that_is_no_object_is_replaced(name: object) -> None:
    """Where the target has no PATCH, the account is sent with the name as it has to be."""
    server = ScimServer(patches=False)
    id = server.add("ada", externalId="u1", name=name)
    target = ScimTarget(id="t", org_id="o1", name="t", project_id="p", app_id="a", url=server.base)
    client, wanted = TargetClient(target, "secret", server, Pacer(0.0)), wanted_of(target, ADA)
    await carry_out(client, await decide(client, wanted, None), wanted, nothing)

    assert server.accounts[id]["name"] == {"givenName": "Ada", "familyName": "Byron"}
