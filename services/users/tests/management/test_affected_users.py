from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

POLICIES = "portico.management.v1.PolicyService"
PASSWORD = {"password": "an owl on the old tower"}
FACTORS = {
    "secondFactors": ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
    "multiFactors": ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
}


async def affected(managed: Any, **asked: Any) -> dict[str, int]:
    answer = await call_as(managed, f"{POLICIES}.CountAffectedUsers", asked)
    assert answer.code == 0, answer.body
    return {name: int(value) for name, value in answer.body.items()}


def gained(after: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    return {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}


async def test_users_are_counted_by_what_they_lack(managed: Any) -> None:
    """Users without a factor, without a verified address, and with a provider as the only login method."""
    config = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}
    idp = await call_as(managed, "portico.management.v1.IDPService.AddOrgJWTIDP", {"name": managed.tag, **config})
    link = {"idpId": idp.body["idpId"], "userId": f"ben-{managed.tag}", "userName": "ben"}
    before = await affected(managed, **FACTORS)
    added = [
        await managed.add(managed.new_human("ada", password=PASSWORD)),
        await managed.add(managed.new_human("ben", idpLinks=[link])),
        await managed.add(managed.new_human("cleo", email={"email": "c@mail.example", "returnCode": {}})),
    ]
    after = await affected(managed, **FACTORS)

    assert [one.code for one in added] == [0, 0, 0]
    assert gained(after, before) == {
        "counted": 3,
        "withoutFactor": 3,
        "withoutFactorOrVerifiedEmail": 1,
        "withoutVerifiedEmail": 1,
        "onlyProvider": 1,
    }


async def test_old_passwords_are_counted(managed: Any) -> None:
    before = await affected(managed, maxAgeDays=30)
    await managed.add(managed.new_human("dan", password=PASSWORD))
    fresh = await affected(managed, maxAgeDays=30)
    managed.users.clock.tick(31 * 86_400)
    old = await affected(managed, maxAgeDays=30)

    assert fresh.get("expiredPasswords", 0) == before.get("expiredPasswords", 0)
    assert old["expiredPasswords"] > fresh.get("expiredPasswords", 0)
