"""One account signed in with one browser: the basis of single sign-on."""

from __future__ import annotations

from dataclasses import dataclass, field

from portico_oauth.clock_leeway import is_issued_ahead


def short_name(login_name: str) -> str:
    """A qualified login name without the organization's domain, where the user name is an email address by itself."""
    user_name = login_name.rpartition("@")[0]
    return user_name if "@" in user_name else login_name


@dataclass(frozen=True, slots=True)
class Session:
    """A session.

    Attributes:
        sid: stable for one account in one browser until logout; lives in the user's bucket.
        login_name: ``username@primarydomain`` at the time of the sign-in, for a user that can no longer be read.
        auth_time: unix seconds of the last active authentication; of another provider's identity as that provider states it.
        ends_at: the absolute end, counted from the sign-in here.
        idle_until: the end unless the session is used; every use extends it, so the largest is the last used.
        ended: signed out; it is never valid again.
        factor_until: until when its second factor counts; 0 without one.
        typed: the login name as its owner entered it, to be shown; empty where none is stored.
        external_factor: its first factor was an identity of another provider.
        age_proven: that provider has stated ``auth_time``, or a factor was verified here.
        device: what the browser was at the sign-in, in words from a closed list; empty for none of them.
        version: of the facts about its user, read with it; None where the stored session does not name its user.
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
    version: str | None = field(default=None, compare=False)

    @property
    def shown_name(self) -> str:
        """The login name as its owner knows it."""
        return self.typed or short_name(self.login_name)

    @property
    def is_age_known(self) -> bool:
        """``auth_time`` is proven to be that of the authentication, and not only of what came from another provider."""
        return self.age_proven or not self.external_factor

    def is_later_than(self, since: float | None) -> bool:
        """Its authentication is later than a request demands; one of unknown age is later than nothing."""
        return since is None or (self.is_age_known and self.auth_time > since)

    def is_live(self, now: float) -> bool:
        """True until the first of both ends, or the logout; not while the clock is before its authentication."""
        in_time = now < self.idle_until and now < self.ends_at and not is_issued_ahead(self.auth_time, now)
        return in_time and not self.ended

    def seconds_left(self, now: float) -> int:
        """The time to live of its stored record; at least 1."""
        return max(1, int(min(self.idle_until, self.ends_at) - now) + 1)


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Lifetimes in seconds."""

    code: int
    auth_request: int
    session_idle: int
    session: int
    second_factor: int
