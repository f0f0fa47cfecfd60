"""A browser in which no second factor of one user is requested for some days (decision 0100)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import LoginPolicy, User
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.opaque import fingerprint

from portico_authz.domain.browser import Browser
from portico_authz.domain.factors import allowed_factors_of, steps_of

DAY_SECONDS: Final = 86_400

MOST_DAYS: Final = 365
"""The limit of the policy."""

MOST_DEVICES: Final = 20
"""Per user; beyond that the trust that began first ends."""


def device_id_of(browser: Browser) -> str:
    """The browser's id never leaves the service; users and administrators name the device by this one."""
    return fingerprint(browser.id)[:22]


@dataclass(frozen=True, slots=True)
class TrustedDevice:
    """The trust of one user in one browser; `since` is in unix seconds.

    `factor` is the step by which the user proved a second factor then, `epoch` the user's `User.trust_epoch`,
    `days` that of the policy. `device` and `country` are as in `Session`.
    """

    id: str
    factor: StepName
    epoch: int
    since: float
    days: int
    device: str = ""
    country: str = ""

    def until(self, policy: LoginPolicy) -> float:
        """A policy of fewer days applies at once, one of more days does not."""
        return self.since + min(self.days, policy.trusted_device_days) * DAY_SECONDS

    def is_valid(self, user: User, policy: LoginPolicy, now: float) -> bool:
        if self.epoch != user.trust_epoch or now >= self.until(policy) or is_issued_ahead(self.since, now):
            return False
        steps = steps_of(allowed_factors_of(user.factors, policy))
        # The last recovery code may be used up.
        return self.factor in steps or (self.factor is StepName.RECOVERY_CODE and bool(steps))


@dataclass(frozen=True, slots=True)
class ReplacedHandle:
    """The users who trusted a browser when its handle was replaced, at a time in unix seconds."""

    device_id: str
    user_ids: tuple[str, ...]
    at: float
