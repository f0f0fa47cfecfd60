"""Claims of a token hook in the record of a grant, in memory and in Redis (decision 0149)."""

from __future__ import annotations

import dataclasses
from typing import Final

from msgspec.structs import replace
from portico_contracts.users import ClaimPlace
from portico_token.domain.grants import Grant, HookClaims, RotationResult

from .test_refresh_store import Kit, kit, use

__all__ = ["kit"]

GIVEN: Final = HookClaims("hook", {ClaimPlace.ID_TOKEN: {"tenant": "t1", "teams": ["a"], "n": 9007199254740991}})


async def stored(kit: Kit, name: str) -> Grant | None:
    found = await kit.store.find(kit.grant.id, f"at-{name}")
    return found.grant if found else None


async def test_rotation_replaces_the_record_only_where_it_changes(kit: Kit) -> None:
    """Also for access tokens from before; values keep their types."""
    await kit.save()
    changed = replace(kit.grant, hook=GIVEN)
    kept = await kit.store.rotate(changed, use("r1", "r2"))
    before = await stored(kit, "r2")
    rotated = await kit.store.rotate(changed, dataclasses.replace(use("r2", "r3"), with_grant=True))

    assert (kept, before) == (RotationResult.ROTATED, kit.grant)
    assert rotated is RotationResult.ROTATED
    assert await stored(kit, "r1") == await stored(kit, "r3") == changed


async def test_refused_rotation_changes_no_record(kit: Kit) -> None:
    await kit.save()
    changed = replace(kit.grant, hook=GIVEN)
    refused = await kit.store.rotate(changed, dataclasses.replace(use("unknown", "r2"), with_grant=True))

    assert refused is RotationResult.REFUSED
    assert await stored(kit, "r1") == kit.grant
