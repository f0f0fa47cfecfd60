from __future__ import annotations

from typing import Any

import msgspec
from portico_contracts.apply import Document
from portico_contracts.users import APPLY, Applied, Apply
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus.bus import Bus


async def apply_to(
    bus: Bus, wanted: dict[str, Any], *, check: bool = False, prune: bool = False, id_seed: str = ""
) -> Applied:
    """Applies a document with every deletion confirmed.

    Raises:
        ServiceError: when planning or a write fails.
    """
    document = msgspec.convert(wanted, Document)
    gone: tuple[str, ...] = ()
    if prune and not check:
        planned = await bus.call(APPLY, Apply(document=document, check=True, prune=True, id_seed=id_seed))
        gone = tuple(change.id for change in planned.changes if change.action == "removed")
    applied = await bus.call(
        APPLY, Apply(document=document, check=check, prune=prune, may_remove=gone, id_seed=id_seed)
    )
    if failure := applied.failure:
        raise ServiceError(Kind(failure.kind), failure.id, failure.text)
    return applied
