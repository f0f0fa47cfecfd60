"""One browser: a stable id behind a handle that every authentication rotates (LG-11)."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from portico_oauth.opaque import RandomBytes, new_opaque

from portico_authz.domain.progress import Progress
from portico_authz.domain.submission import Submission

MAX_SESSIONS: Final = 20
"""Maximum accounts per browser; the least recently authenticated ones are removed first."""


@dataclass(frozen=True, slots=True)
class Browser:
    """`id` is stable and never leaves the service; `session_ids` are by last authentication, latest first.

    `trusted_until` are the users who trust the browser (`domain.trusted_device`), with unix seconds: no trust is
    looked up for others. It grants nothing by itself.
    """

    id: str
    session_ids: tuple[str, ...] = ()
    trusted_until: dict[str, float] = field(default_factory=dict)

    @property
    def bucket(self) -> str:
        return self.id[:2]

    @property
    def is_anonymous(self) -> bool:
        return not self.session_ids and not self.trusted_until

    def new_handle(self, random: RandomBytes) -> str:
        return new_opaque(self.bucket, random)

    def with_session(self, sid: str) -> Browser:
        others = [other for other in self.session_ids if other != sid]
        return replace(self, session_ids=(sid, *others)[:MAX_SESSIONS])

    def without_sessions(self, ended: Collection[str]) -> Browser:
        return replace(self, session_ids=tuple(sid for sid in self.session_ids if sid not in ended))

    def with_trust(self, user_id: str, until: float, now: float) -> Browser:
        others = {other: end for other, end in self.trusted_until.items() if end > now and other != user_id}
        return replace(self, trusted_until={**dict(list(others.items())[1 - MAX_SESSIONS :]), user_id: until})

    def seconds_to_keep(self, now: float, session_seconds: int) -> int:
        """The lifetime of the record: that of its sessions and of the trust in it."""
        return max(session_seconds, *(math.ceil(end - now) for end in self.trusted_until.values()), 0)


def new_browser(random: RandomBytes) -> Browser:
    return Browser(new_opaque(random(1).hex(), random, 128))


@dataclass(frozen=True, slots=True)
class HandleRotation:
    """The changes of one authentication, all in the browser's bucket; `browser` is the state afterwards.

    `answer` is `domain.code.reference_of` the code in the response, empty where the response has none; with it
    the request of this `client_address` is no longer counted, and expires after `answer_seconds`.
    """

    old: str = field(repr=False)
    new: str = field(repr=False)
    browser: Browser
    request_id: str
    progress: Progress
    submission: Submission
    signed_in: str = ""
    answer: str = ""
    answer_seconds: int = 0
    client_address: str = ""


class RotationResult(StrEnum):
    """The result of a rotation. Only `ROTATED` and `ANSWERED` changed the store."""

    ROTATED = "rotated"
    ANSWERED = "answered"
    """The code of the rotation is the response to the request. No other was recorded."""

    ALREADY_ROTATED = "already_rotated"
    """A concurrent identical submission was first: the browser has the new handle already."""

    CHANGED = "changed"
    """Another sign-in replaced the old handle."""

    NOT_FOUND = "not_found"
    """The authorization request has expired."""
