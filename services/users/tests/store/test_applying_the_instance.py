from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_contracts.apply import Document
from portico_contracts.users import APPLY, EXPORT, Applied, Apply, Export
from portico_oauth.errors import ServiceError

pytestmark = [pytest.mark.servers, pytest.mark.usefixtures("fresh_instance")]

LIVES = {
    "accessTokenLifetime": "600s",
    "idTokenLifetime": "300s",
    "refreshTokenIdleExpiration": "86400s",
    "refreshTokenExpiration": "172800s",
}
SAID = {"oidcSettings": LIVES, "passwordAgePolicy": {"maxAgeDays": 90, "expireWarnDays": 80}}


async def apply(world: Any, **members: Any) -> Applied:
    document = msgspec.convert({"organizations": [], **members}, Document)
    return await world.call(APPLY, Apply(document=document))  # type: ignore[no-any-return]


async def exported(world: Any) -> dict[str, Any]:
    document = (await world.call(EXPORT, Export())).document
    return {name: value for name, value in msgspec.to_builtins(document).items() if name in SAID and value is not None}


async def test_exported_instance_applies_without_a_change(users_world: Any) -> None:
    """Each member is applied separately; members absent from the document stay."""
    before = await exported(users_world)
    for name, value in SAID.items():
        await apply(users_world, **{name: value})
    again = await apply(users_world, **SAID)
    [row] = await users_world.rows("instances")

    assert before == {}
    assert await exported(users_world) == SAID
    assert again.changes[0].action == "unchanged"
    assert row["tokenLifetimes"] == {
        "accessToken": 600,
        "idToken": 300,
        "refreshIdle": 86_400,
        "refresh": 172_800,
    }


@pytest.mark.parametrize(("life", "error_code"), [("3601s", "USER-930"), ("59s", "USER-931"), ("600s\n", "USER-931")])
async def test_invalid_lifetimes_are_refused_with_their_path(users_world: Any, life: str, error_code: str) -> None:
    """The rules of the management API apply, and nothing is written."""
    with pytest.raises(ServiceError, match=r"oidcSettings\.idTokenLifetime: ") as refused:
        await apply(users_world, oidcSettings=LIVES | {"idTokenLifetime": life})

    assert refused.value.id == error_code
    assert await users_world.rows("instances") == []


@pytest.mark.parametrize("life", ["600", "1.5s", "-600s", "s", "99999999999s", 600, None])
async def test_lifetimes_match_the_management_api(life: Any) -> None:
    """Lifetimes are whole seconds, and all four are required."""
    with pytest.raises(msgspec.ValidationError, match=r"oidcSettings"):
        msgspec.convert({"oidcSettings": LIVES | {"accessTokenLifetime": life}}, Document)
