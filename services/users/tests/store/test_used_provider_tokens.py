from __future__ import annotations

import secrets
from typing import Any

import pytest
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.federation.jwt_provider import USED_TOKENS, UsedTokens

pytestmark = pytest.mark.servers

DAY = 86_400


async def test_used_token_outlives_a_clock_that_is_ahead(users_mongo: Any) -> None:
    """MongoDB deletes by its own clock, so the record is stored for a day longer than the JWT is valid."""
    used, until = UsedTokens(users_mongo.database), 1_790_000_000.0
    idp, token = secrets.token_hex(4), f"header.{secrets.token_hex(4)}.signature"
    before = await used.database[USED_TOKENS].distinct("_id")
    await used.use(idp, token, user_agent="", until=until)
    with pytest.raises(ServiceError):
        await used.use(idp, token, user_agent="", until=until)
    [row] = await used.database[USED_TOKENS].find({"_id": {"$nin": before}}).to_list(None)

    assert row["forgetAt"].timestamp() == until + DAY
