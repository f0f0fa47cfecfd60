"""Recovery codes, for a user who lost every other second factor: stored as hashes, each valid once."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from portico_oauth.opaque import RandomBytes, fingerprint
from portico_oauth.typed_text import code_letters
from portico_runtime.mongo.client import Database, guarded

RECOVERY_CODES: Final = "recoveryCodes"

CODES: Final = 10

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 16
"""80 random bits, because users keep codes for years and the hashes must resist brute force."""

_GROUP: Final = 4
_MAX_TYPED: Final = 60


@dataclass(frozen=True, slots=True)
class RecoveryCodes:
    database: Database
    random: RandomBytes

    def new_code(self) -> str:
        return code_of(self.random(_LENGTH))

    async def list_hashes(self, user_id: str) -> list[str]:
        async with guarded():
            row = await self.database[RECOVERY_CODES].find_one({"_id": user_id})
        return list(row["hashes"]) if row else []


def code_of(seed: bytes) -> str:
    """Formats the first 16 bytes as four groups of four characters."""
    letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in seed[:_LENGTH])
    return "-".join(letters[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


def derived_codes(name: str) -> tuple[str, ...]:
    """Derives codes from a registration's secret name: they can be shown again, although only hashes are stored."""
    return tuple(
        code_of(hmac.digest(name.encode(), f"recovery code {number}".encode(), "sha256")) for number in range(CODES)
    )


def hashes_of(user_id: str, codes: Collection[str]) -> list[str]:
    return [code_hash(user_id, code) for code in codes]


def code_hash(user_id: str, typed: str) -> str:
    return fingerprint(f"recovery\n{user_id}\n{code_letters(typed[:_MAX_TYPED])}")
