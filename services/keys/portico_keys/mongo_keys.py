"""`KeyStore` on MongoDB: one document per key, one unique index that makes a serial number a claim."""

from __future__ import annotations

from typing import Any, Final

from portico_oauth.master_keys import SealedAtRest
from portico_runtime.mongo.client import Database, guarded
from pymongo.errors import DuplicateKeyError

from portico_keys.domain.key import Key, State

COLLECTION: Final = "signing_keys"


class MongoKeys:
    def __init__(self, database: Database) -> None:
        self._keys = database[COLLECTION]

    async def list_keys(self) -> list[Key]:
        async with guarded():
            return [_key(document) async for document in self._keys.find().sort("serial", 1)]

    async def claim_key(self, key: Key) -> bool:
        async with guarded():
            # The index makes a claim exclusive: it must exist before the first one.
            await self._keys.create_index([("alg", 1), ("serial", 1)], unique=True)
            try:
                await self._keys.insert_one(_document(key))
            except DuplicateKeyError:
                return False
        return True

    async def transition_key(self, updated: Key, *, was: State) -> bool:
        state = {"state": updated.state.value, "since": updated.since, "activates_at": updated.activates_at}
        # Never the whole document: `updated` may have been read before the key was resealed.
        change: dict[str, Any] = {"$set": state} if updated.sealed else {"$set": state, "$unset": {"sealed": ""}}
        async with guarded():
            result = await self._keys.update_one({"_id": updated.kid, "state": was.value}, change)
        return result.matched_count == 1

    async def reseal_key(self, kid: str, sealed: SealedAtRest, *, was: SealedAtRest) -> bool:
        async with guarded():
            result = await self._keys.update_one(
                {"_id": kid, "sealed": _sealed(was)}, {"$set": {"sealed": _sealed(sealed)}}
            )
        return result.matched_count == 1


def _sealed(sealed: SealedAtRest) -> dict[str, Any]:
    return {"master": sealed.master, "nonce": sealed.nonce, "data": sealed.data}


def _document(key: Key) -> dict[str, Any]:
    document: dict[str, Any] = {
        "_id": key.kid,
        "alg": key.alg,
        "serial": key.serial,
        "wait": key.wait,
        "state": key.state.value,
        "since": key.since,
        "activates_at": key.activates_at,
        "jwk": key.jwk,
    }
    if key.sealed:
        document["sealed"] = _sealed(key.sealed)
    return document


def _key(document: dict[str, Any]) -> Key:
    sealed = document.get("sealed")
    return Key(
        kid=document["_id"],
        alg=document["alg"],
        serial=document["serial"],
        wait=document["wait"],
        state=State(document["state"]),
        since=document["since"],
        activates_at=document["activates_at"],
        jwk=document["jwk"],
        sealed=SealedAtRest(**sealed) if sealed else None,
    )
