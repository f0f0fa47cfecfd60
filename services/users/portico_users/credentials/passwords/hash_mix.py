"""Chooses the kind of hash for login names without one, so that timing reveals nothing (LG-01, decision 0029).

The kind is drawn from the instance's distribution of kinds: weights in tenths, updated at most daily, and
rendezvous hashing with an instance key. A name thus always has the same cost, and a new weight moves as few
names as possible.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import math
from collections.abc import Mapping
from typing import Final

import structlog
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo.errors import DuplicateKeyError

from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.passwords.hash_kinds import kind_of
from portico_users.storage.entry import Document

log = structlog.get_logger("portico.passwords")

HASH_MIX: Final = "hashMix"
DAY: Final = 86_400
LOOK_AGAIN: Final = 60
"""Seconds between checks for weights set by another replica."""

TENTHS: Final = 10
_ID: Final = "mix"

Weights = Mapping[str, int]


def tenths_of(counts: Mapping[str, int]) -> dict[str, int]:
    """Returns the shares of all kinds in tenths; largest remainders are rounded up. Empty without users."""
    whole = sum(counts.values())
    if not whole:
        return {}
    exact = {kind: number * TENTHS / whole for kind, number in counts.items()}
    weights = {kind: int(share) for kind, share in exact.items()}
    by_rest = sorted(exact, key=lambda kind: (weights[kind] - exact[kind], kind))
    for kind in by_rest[: TENTHS - sum(weights.values())]:
        weights[kind] += 1
    return {kind: weight for kind, weight in sorted(weights.items()) if weight}


def draw(weights: Weights, key: bytes, name: str) -> str:
    """Returns the kind of a name; kinds are drawn in proportion to their weights."""

    def score(kind: str) -> float:
        digest = hmac.digest(key, f"{kind}\x00{name}".encode(), hashlib.sha256)
        part = (int.from_bytes(digest[:8], "big") + 1) / (2**64 + 1)
        return -math.log(part) / weights[kind]

    return min(weights, key=score)


class HashMix:
    """The distribution of an instance, stored in MongoDB and cached for a minute."""

    def __init__(self, database: Database, counts: HashCounts, clock: Clock, random: RandomBytes, own: str) -> None:
        self._rows = database[HASH_MIX]
        self._counts = counts
        self._clock = clock
        self._random = random
        self._own = own
        self._known: tuple[Weights, bytes] = ({own: TENTHS}, b"")
        self._look_at = -math.inf
        self._looking = asyncio.Lock()

    async def kind_for(self, name: str) -> str:
        """Returns the kind for a name without a hash. Never fails: on errors the last known distribution is used."""
        async with self._looking:
            now = self._clock.now()
            if not self._look_at - LOOK_AGAIN <= now < self._look_at:
                self._look_at = now + LOOK_AGAIN
                try:
                    self._known = await self._read(now)
                except (ServiceError, TypeError, KeyError, ValueError) as error:
                    log.warning("password hash statistics not available", cause=type(error).__name__)
        weights, key = self._known
        return draw(weights, key, name)

    async def _read(self, now: float) -> tuple[Weights, bytes]:
        async with guarded():
            stored = await self._rows.find_one({"_id": _ID})
        if stored is None or abs(now - stored["at"]) >= DAY:
            stored = await self._renew(stored, now)
        weights = {row["kind"]: int(row["tenths"]) for row in stored["weights"]}
        usable = {kind: tenths for kind, tenths in weights.items() if tenths > 0 and kind_of(kind) == kind}
        return usable or {self._own: TENTHS}, bytes(stored["key"])

    async def _renew(self, stored: Document | None, now: float) -> Document:
        weights = tenths_of(await self._counts.list_kinds()) or {self._own: TENTHS}
        rows = [{"kind": kind, "tenths": tenths} for kind, tenths in weights.items()]
        if stored is None:
            made = {"_id": _ID, "key": self._random(32), "at": now, "weights": rows}
            if set(weights) == {self._own}:
                return made  # the first significant weights are not a day late
            return await self._insert(made)
        renewed = {"at": now, "weights": rows}
        async with guarded():
            # Only one replica updates the weights; the others read them at their next check.
            await self._rows.update_one({"_id": _ID, "at": stored["at"]}, {"$set": renewed})
            found: Document | None = await self._rows.find_one({"_id": _ID})
        return found or {**stored, **renewed}

    async def _insert(self, made: Document) -> Document:
        async with guarded():
            try:
                await self._rows.insert_one(made)
            except DuplicateKeyError:
                return await self._rows.find_one({"_id": _ID}) or made
        return made
