from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import equal_in_constant_time

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.recovery_codes import RECOVERY_CODES, RecoveryCodes, code_hash
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.credential_changes import RECOVERY_HASHES, RECOVERY_USED
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Attachment, Claim, Entry
from portico_users.values.problems import CHANGED_MEANWHILE

DEFAULT_COUNT: Final = 10
FACTOR: Final = "recovery"

CODES_NOT_FOUND = ErrorCode(
    "USER-520", Kind.NOT_FOUND, "The user has no recovery codes.", "Generate recovery codes first."
)


class Generated(NamedTuple):
    human: EndUser
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GenerateRecoveryCodes(Command):
    codes: RecoveryCodes
    commit: Commit

    async def __call__(self, human: EndUser, count: int, *, actor: str) -> Generated:
        codes = tuple(self.codes.new_code() for _ in range(count or DEFAULT_COUNT))
        entry = _with_hashes(human, [code_hash(human.id, code) for code in codes])
        return Generated(await self.commit(entry, actor=actor), codes)


@dataclass(frozen=True, slots=True)
class RemoveRecoveryCodes(Command):
    commit: Commit

    async def __call__(self, human: EndUser, *, actor: str) -> EndUser:
        if not human.recovery_codes:
            raise CODES_NOT_FOUND.error()
        return await self.commit(_with_hashes(human, []), actor=actor)


@dataclass(frozen=True, slots=True)
class UseRecoveryCode(Command):
    codes: RecoveryCodes
    attempts: Attempts
    commit: Commit

    async def __call__(self, human: EndUser, code: str) -> EndUser | None:
        """Uses up the right code; None for other codes. Counts the attempt first (LG-07)."""
        await self.attempts.reserve(of_user(human.id, FACTOR))
        hashes, typed = await self.codes.list_hashes(human.id), code_hash(human.id, code)
        left = [hash for hash in hashes if not equal_in_constant_time(hash, typed)]
        if len(left) == len(hashes):
            return None
        try:
            changed = await self.commit(_with_hashes(human, left, RECOVERY_USED), actor=human.id)
        except ServiceError as error:
            # Of concurrent requests only one changes the user.
            if error.id != CHANGED_MEANWHILE.id:
                raise
            return None
        await self.attempts.reset(of_user(human.id, FACTOR))
        return changed


def _with_hashes(human: EndUser, hashes: list[str], *attached: str) -> Entry[EndUser]:
    entry = put_end_user(human, msgspec.structs.replace(human, recovery_codes=len(hashes)))
    if hashes:
        entry = replace(entry, attachments=(Attachment(RECOVERY_CODES, human.id, {"hashes": hashes}),))
    else:
        entry = replace(entry, claims=(Claim(RECOVERY_CODES, human.id),))
    return replace(entry, attached=(RECOVERY_HASHES, *attached))
