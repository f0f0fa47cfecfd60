"""The last submitted form: its response may be lost in transit, so an idempotent retry is accepted for some seconds.

The stored values do not authenticate by themselves. The new handle and the sid are derived from ``seed`` and
the old handle, which only the browser has: a retry that authenticates the same way gets the same handle, in
any order and on any replica. A browser with the old handle that cannot authenticate does not learn the seed
(LG-11).
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, replace
from typing import Final

from portico_contracts.step_names import StepName
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint, new_opaque

RETRY_WINDOW_SECONDS: Final = 30

MAX_RETRIES: Final = 4
"""Retries of a form; users counts its attempts separately (LG-05)."""


@dataclass(frozen=True, slots=True)
class Submission:
    """`handle` is a fingerprint; `until` is in unix seconds.

    `entered` is a MAC under the seed of the response of a second factor or a passkey, which identifies a
    retry of a single-use response; empty for other steps.
    """

    csrf: str = field(repr=False)
    handle: str
    step: StepName
    seed: str = field(repr=False)
    until: float
    entered: str = field(default="", repr=False)

    def is_of(self, handle: str, now: float) -> bool:
        in_time = now < self.until and not is_issued_ahead(self.until - RETRY_WINDOW_SECONDS, now)
        return in_time and equal_in_constant_time(self.handle, fingerprint(handle))

    def is_same(self, response: str) -> bool:
        return equal_in_constant_time(self.entered, _mac(self.seed, f"entered:{response}"))

    def next_handle(self, handle: str) -> str:
        return new_opaque(handle[:2], self._derived("handle", handle))

    def next_sid(self, bucket: str, handle: str) -> str:
        return new_opaque(bucket, self._derived("sid", handle))

    def _derived(self, what: str, handle: str) -> RandomBytes:
        derived = hmac.digest(self.seed.encode(), f"{what}:{handle}".encode(), "sha256")
        return lambda size: derived[:size]


def new_submission(step: StepName, csrf: str, handle: str, random: RandomBytes, now: float) -> Submission:
    return Submission(csrf, fingerprint(handle), step, b64url(random(32)), now + RETRY_WINDOW_SECONDS)


def with_response(sent: Submission, response: str) -> Submission:
    return replace(sent, entered=_mac(sent.seed, f"entered:{response}")) if response else sent


def _mac(seed: str, text: str) -> str:
    return b64url(hmac.digest(seed.encode(), text.encode(), "sha256"))
