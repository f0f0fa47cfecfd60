from __future__ import annotations

import asyncio

from portico_authz.domain.ports import Stores
from portico_fakes.authz_samples import opaque


async def test_pushed_request_is_claimed_once(authz_stores: Stores) -> None:
    """Of two hundred claimants one gets it, and may repeat the claim; it is stored who did."""
    pushed, id = authz_stores.pushed_requests, opaque()
    await pushed.save(id, {"client_id": "web"}, 60, "")
    assert await pushed.find(id) == ({"client_id": "web"}, "")
    claims = await asyncio.gather(*(pushed.claim(id, f"claimant-{number}", 60) for number in range(200)))

    assert sum(claims) == 1
    assert await pushed.claim(id, f"claimant-{claims.index(True)}", 60)
    assert await pushed.find(id) == ({"client_id": "web"}, f"claimant-{claims.index(True)}")


async def test_claimant_of_a_pushed_request_is_replaced_once(authz_stores: Stores) -> None:
    """Of two hundred that know the claimant one replaces it."""
    pushed, id = authz_stores.pushed_requests, opaque()
    await pushed.save(id, {"client_id": "web"}, 60, "")
    assert await pushed.claim(id, "first", 60)
    claims = await asyncio.gather(*(pushed.claim(id, f"claimant-{number}", 60, "first") for number in range(200)))

    assert sum(claims) == 1
    assert not await pushed.claim(id, "first", 60)
    assert not await pushed.claim(id, "late", 60, "unknown")
