"""One account signed in in one browser: the basis of single sign-on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from portico_oauth.clock_leeway import is_issued_ahead


def short_name(login_name: str) -> str:
    """Removes the organization's domain from a qualified login name if the user name is an email address."""
    user_name = login_name.rpartition("@")[0]
    return user_name if "@" in user_name else login_name


@dataclass(frozen=True, slots=True)
class Session:
    """A session; times are in unix seconds.

    `sid` is stable for one account in one browser until logout, and in the user's bucket. `auth_time` is of
    the last active authentication, or as stated by an identity provider. `ends_at` is absolute; `idle_until`
    is extended by every use. `version` is of its user, read together with it; None where the record does not
    name its user. `emailed`: the first factor was an emailed code. `country` is an ISO 3166-1 code, empty if unknown.
    `began` is of the request whose sign-in started it; 0 if unknown (older releases). `signed_in_at` is `auth_time`
    by our clock, also where a provider states another one; 0 as before.
    """

    sid: str
    user_id: str
    org_id: str
    login_name: str
    browser_id: str
    auth_time: float
    amr: tuple[str, ...]
    acr: str
    ends_at: float
    idle_until: float
    ended: bool = False
    factor_until: float = 0.0
    typed: str = ""
    external_factor: bool = False
    age_proven: bool = False
    device: str = ""
    country: str = ""
    emailed: bool = False
    began: float = 0.0
    signed_in_at: float = 0.0
    version: str | None = field(default=None, compare=False)

    @property
    def shown_name(self) -> str:
        return self.typed or short_name(self.login_name)

    def with_name(self, login_name: str) -> Session:
        """The session with the current login name of its user; after a change, the typed one is not used either."""
        return self if login_name == self.login_name else replace(self, login_name=login_name, typed="")

    @property
    def last_sign_in(self) -> float:
        return self.signed_in_at or self.auth_time

    @property
    def is_age_known(self) -> bool:
        """Reports whether ``auth_time`` is proven, not only the time of a callback."""
        return self.age_proven or not self.external_factor

    def is_later_than(self, since: float | None) -> bool:
        return since is None or (self.is_age_known and self.auth_time > since)

    def is_live(self, now: float) -> bool:
        """True until the first expiry or the logout; False while the clock is before its authentication."""
        in_time = now < self.idle_until and now < self.ends_at and not is_issued_ahead(self.auth_time, now)
        return in_time and not self.ended

    def seconds_left(self, now: float) -> int:
        return max(1, int(min(self.idle_until, self.ends_at) - now) + 1)


@dataclass(frozen=True, slots=True)
class Lifetimes:
    code: int
    auth_request: int
    session_idle: int
    session: int
    second_factor: int
