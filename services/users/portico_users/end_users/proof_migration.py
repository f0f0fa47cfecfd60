"""Derives, from the event log, proofs for addresses verified by releases without proofs.

Until then such an address counts as asserted. Replicas may run this concurrently, and repeat it, because
replicas of the earlier release may still write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
import structlog
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.mongo.migrations import Batch, count_due, next_due
from pymongo import UpdateOne

from portico_users.end_users.end_user import EmailProof, EndUser, ProofKind
from portico_users.end_users.store import HUMANS
from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENTS, Schema

log = structlog.get_logger("portico.proofs")

AGAIN_SECONDS: Final = 3600.0

_KEY: Final = "verifiedMailKey"
_UNDERIVED: Final[Document] = {_KEY: {"$exists": True}, "emailProof.kind": None}


class ProofMigration:
    """Background task; also a `portico_runtime.mongo.migrations.Migration`."""

    name = "email-proofs"
    text = "proofs of verified email addresses, from the event log"

    def __init__(self, database: Database, schema: Schema) -> None:
        self._rows = database[HUMANS.name]
        self._events = database[EVENTS]
        self._schema = schema

    async def run_once(self) -> None:
        await self._schema.wait()
        if derived := await self.derive_all():
            log.info("email proofs migrated", accounts=derived)
        await asyncio.sleep(AGAIN_SECONDS)

    async def derive_all(self) -> int:
        derived, after = 0, ""
        while True:
            changed, _, further = await self.carry(after)
            derived += changed
            if further is None:
                return derived
            after = further

    async def count_left(self) -> int:
        return await count_due(self._rows, _UNDERIVED)

    async def carry(self, after: str) -> Batch:
        async with guarded():
            found = await next_due(self._rows, _UNDERIVED, after, {"metadata": 0})
        humans = [HUMANS.record(row, whole=False) for row in found.rows]
        async with guarded():
            changed = await self._derive(humans) if humans else 0
        return Batch(changed, 0, found.after)

    async def _derive(self, humans: Sequence[EndUser]) -> int:
        latest = await self._latest_events([human.id for human in humans])
        updates = [_update(human, proof_of(human, latest.get(human.id))) for human in humans]
        return (await self._rows.bulk_write(updates, ordered=False)).modified_count

    async def _latest_events(self, ids: Sequence[str]) -> dict[str, Document]:
        question = {"object": {"$in": list(ids)}, "fields": {"$in": ["email", "emailVerified"]}}
        members = ("object", "sequence", "at", "actor", "action", "fields", "values.emailVerified")
        found: list[Document] = await self._events.find(question, dict.fromkeys(members, 1)).to_list(None)
        return {event["object"]: event for event in sorted(found, key=lambda event: int(event["sequence"]))}


def proof_of(human: EndUser, event: Document | None) -> EmailProof | None:
    """Proven: the user verified or registered the address. Asserted: all others, also without an event."""
    if not human.email_verified:
        return None
    if event is None:
        return EmailProof(kind=ProofKind.ASSERTED, at=human.created)
    is_own = event["actor"] == human.id
    is_by_code = event["action"] == "created" or "email" not in event["fields"]
    verified_then = bool(event.get("values", {}).get("emailVerified"))
    kind = ProofKind.PROVEN if is_own and is_by_code and verified_then else ProofKind.ASSERTED
    return EmailProof(kind=kind, at=event["at"])


def _update(human: EndUser, proof: EmailProof | None) -> UpdateOne:
    """Sets the proof and its indexed fields unless the user changed concurrently; without a new version or event."""
    set_now: Document = {"emailProof": msgspec.to_builtins(proof)}
    keys = HUMANS.keys(human)
    if _KEY in keys:  # in the canonical form of this release
        change: Document = {"$set": set_now | {_KEY: keys[_KEY]}}
    else:
        change = {"$set": set_now, "$unset": {_KEY: ""}}
    return UpdateOne({"_id": human.id, "sequence": human.sequence}, change)
