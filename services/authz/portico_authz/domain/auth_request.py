"""An authorization request that waits for the end user, bound to the browser it started in (P3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from portico_authz.domain.device import DeviceRequest
from portico_authz.domain.progress import UNTOUCHED, FactorChallenge, Progress, UsingPasskey
from portico_authz.domain.submission import Submission

MOST_OF_ADDRESS: Final = 2_000
"""Open requests, new browsers and flows per client address; beyond that the oldest is dropped (decision 0127)."""


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """The stored authorization request, until its response.

    `parameters` are as sent, and checked again before the response. `began` (unix seconds) is the reference
    of prompt=login and max_age. `csrf` is valid for one answer (LG-14). `settled` is the CSRF value of the
    last form whose processing is complete and rotated no handle. `answer` is `domain.code.reference_of` the
    code in the response. `confirms`: the user of a session of this browser, whom `hint_subject` names, proves
    again who it is. `pushed` is the id of the pushed request that it comes from, `waiting` the device that gets the
    response instead of a redirect URI.
    """

    id: str
    browser_id: str
    parameters: dict[str, str]
    began: float
    hint_subject: str = ""
    prefill: str = ""
    progress: Progress = UNTOUCHED
    signed_in: str = ""
    denied: bool = False
    csrf: str = ""
    submission: Submission | None = None
    settled: str = ""
    offered: FactorChallenge | None = None
    answer: str = ""
    device: str = ""
    country: str = ""
    is_restart: bool = False
    client_address: str = ""
    confirms: bool = False
    pushed: str = ""
    waiting: DeviceRequest | None = None

    @property
    def is_at_start(self) -> bool:
        """Reports whether nothing was answered for it yet; the user of a session who confirms it is named from the
        start.
        """
        left = replace(self.progress, other=False)
        if self.confirms:
            is_named = left.under_way is None or isinstance(left.under_way, UsingPasskey)
            left = replace(left, chosen="", login_name="", shown="", under_way=None if is_named else left.under_way)
        return left == UNTOUCHED and not self.signed_in

    @property
    def is_proven(self) -> bool:
        """Reports whether a user authenticated for it, at least in part; typed values alone prove nothing."""
        return bool(self.signed_in or self.answer) or self.progress.is_proof
