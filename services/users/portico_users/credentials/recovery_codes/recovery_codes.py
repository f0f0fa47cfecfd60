"""Recovery codes: for whoever lost every other second factor. Kept as hashes, each good once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import RandomBytes, fingerprint, same
from portico_runtime.mongo import Database, guarded

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import CHANGED_MEANWHILE, Attachment, Claim
from portico_users.kernel.journal import Journal
from portico_users.notifications.notices.credential_changes import RECOVERY_HASHES, RECOVERY_USED

RECOVERY_CODES: Final = "recoveryCodes"
DEFAULT_COUNT: Final = 10
FACTOR: Final = "recovery"
ATTACHED: Final = (RECOVERY_HASHES,)

CODES_NOT_FOUND = ErrorCode("USER-520", Kind.NOT_FOUND, "There are no recovery codes.", "Make some first.")

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 16
"""80 random bits: they are kept for years, so that nobody must be able to guess them from their hashes."""

_GROUP: Final = 4
_MAX_TYPED: Final = 60


class Generated(NamedTuple):
    """New codes, as they are shown once."""

    human: Human
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecoveryCodes:
    """Makes and takes recovery codes."""

    database: Database
    journal: Journal
    attempts: Attempts
    random: RandomBytes

    async def generate(self, human: Human, count: int, *, actor: str) -> Generated:
        """New codes instead of all there were.

        Args:
            count: how many; 0 for the usual number.

        Raises:
            ServiceError: USER-012, `unavailable`.
        """
        codes = tuple(self._new_code() for _ in range(count or DEFAULT_COUNT))
        hashes = [_hash(human.id, code) for code in codes]
        return Generated(await self._keep(human, hashes, actor=actor), codes)

    async def remove(self, human: Human, *, actor: str) -> Human:
        """The user without codes.

        Raises:
            ServiceError: USER-520, USER-012, `unavailable`.
        """
        if not human.recovery_codes:
            raise CODES_NOT_FOUND.error()
        return await self._keep(human, [], actor=actor)

    async def take(self, human: Human, code: str) -> Human | None:
        """The user without this code, where it was one; the attempt is counted first (LG-07).

        Raises:
            ServiceError: USER-033 when the caller must wait, `unavailable`.
        """
        await self.attempts.reserve(of_user(human.id, FACTOR))
        async with guarded():
            row = await self.database[RECOVERY_CODES].find_one({"_id": human.id})
        typed = _hash(human.id, code)
        hashes = row["hashes"] if row else []
        left = [hash for hash in hashes if not same(hash, typed)]
        if len(left) == len(hashes):
            return None
        try:
            changed = await self._keep(human, left, actor=human.id, attached=(*ATTACHED, RECOVERY_USED))
        except ServiceError as error:
            # Of several uses at once one changes the user; the others find it changed.
            if error.id != CHANGED_MEANWHILE.id:
                raise
            return None
        await self.attempts.reset(of_user(human.id, FACTOR))
        return changed

    async def _keep(
        self, human: Human, hashes: list[str], *, actor: str, attached: tuple[str, ...] = ATTACHED
    ) -> Human:
        entry = put_human(human, msgspec.structs.replace(human, recovery_codes=len(hashes)))
        if hashes:
            entry = replace(entry, attachments=(Attachment(RECOVERY_CODES, human.id, {"hashes": hashes}),))
        else:
            entry = replace(entry, claims=(Claim(RECOVERY_CODES, human.id),))
        [changed] = await self.journal.commit([replace(entry, attached=attached)], actor=actor)
        return changed if isinstance(changed, Human) else human

    def _new_code(self) -> str:
        letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in self.random(_LENGTH))
        return "-".join(letters[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


def _hash(user_id: str, typed: str) -> str:
    """The same for every way of typing it."""
    letters = "".join(one for one in typed[:_MAX_TYPED].upper() if one.isalnum())
    return fingerprint(f"recovery\n{user_id}\n{letters}")
