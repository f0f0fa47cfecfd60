"""The form that was sent last: its answer may be lost on the way, so for a while it can be given once more.

Nothing kept here is worth anything by itself. The new handle and the sid that follow from a proof are computed from
``seed`` and from the old handle, which only the browser has: whoever sends the form again and proves the same again
arrives at the same handle, in whatever order and on whatever replica. A browser that knows the old handle but cannot
prove anything does not learn the seed (LG-11).
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, replace
from typing import Final

from portico_contracts.login import StepName
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.opaque import RandomBytes, b64url, fingerprint, new_opaque, same

REPEAT_SECONDS: Final = 30
"""How long an answer can be given again."""

MAX_REPEATS: Final = 4
"""How often a form can be sent again; users counts what is tried with it besides (LG-05)."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A form that was sent.

    Attributes:
        csrf: the value it was sent with.
        handle: the fingerprint of the browser's handle at that moment.
        step: what it answered.
        seed: what the identifiers that follow from it are computed from.
        until: unix seconds; from then on it is refused.
        entered: what a second factor or a passkey was proven with, as a MAC under the seed: those are used up, so the
            very same again is told from anything else by this. Empty for other steps.
    """

    csrf: str = field(repr=False)
    handle: str
    step: StepName
    seed: str = field(repr=False)
    until: float
    entered: str = field(default="", repr=False)

    def is_of(self, handle: str, now: float) -> bool:
        """It was sent by the browser with this handle, a moment ago."""
        in_time = now < self.until and not is_issued_ahead(self.until - REPEAT_SECONDS, now)
        return in_time and same(self.handle, fingerprint(handle))

    def is_same(self, entered: str) -> bool:
        """The very same is entered again."""
        return same(self.entered, _mac(self.seed, f"entered:{entered}"))

    def next_handle(self, handle: str) -> str:
        """The browser's handle after the proof; it stays in the bucket."""
        return new_opaque(handle[:2], self._drawn("handle", handle))

    def next_sid(self, bucket: str, handle: str) -> str:
        """The sid of the session the proof begins."""
        return new_opaque(bucket, self._drawn("sid", handle))

    def _drawn(self, what: str, handle: str) -> RandomBytes:
        drawn = hmac.digest(self.seed.encode(), f"{what}:{handle}".encode(), "sha256")
        return lambda size: drawn[:size]


def new_submission(step: StepName, csrf: str, handle: str, random: RandomBytes, now: float) -> Submission:
    """A form that is sent at this moment."""
    return Submission(csrf, fingerprint(handle), step, b64url(random(32)), now + REPEAT_SECONDS)


def with_entered(sent: Submission, entered: str) -> Submission:
    """The form with what is to be recognised should it be sent again."""
    return replace(sent, entered=_mac(sent.seed, f"entered:{entered}")) if entered else sent


def _mac(seed: str, text: str) -> str:
    return b64url(hmac.digest(seed.encode(), text.encode(), "sha256"))
