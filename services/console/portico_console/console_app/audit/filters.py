"""The filters of a time line: from the address of the page to conditions of the API, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from portico_console.messages import message


class Only(NamedTuple):
    """A chip: events of these types."""

    word: str
    title: str
    types: tuple[str, ...]


class Period(NamedTuple):
    """A chip: from so many days ago to so many days ago, both included, in the time zone of the reader."""

    word: str
    title: str
    first: int
    last: int


ONLY: Final = (
    Only("", message("Everything"), ()),
    Only("changes", message("Changes"), ("created", "updated", "deleted", "rotated", "revoked")),
    Only(
        "sign-ins",
        message("Sign-ins"),
        (
            *("signed_in", "signed_out", "signin_failed", "device_approved", "device_denied"),
            *("trust_started", "trust_ended", "password_refused", "rule_exempted"),
        ),
    ),
    Only("refusals", message("Refusals"), ("signin_failed", "refused", "password_refused")),
)

KINDS: Final = {
    "users": message("Users"),
    "groups": message("Groups"),
    "members": message("Administrators"),
    "apps": message("Applications"),
    "projects": message("Projects"),
    "projectGrants": message("Shared projects"),
    "orgs": message("Organizations"),
    "idps": message("Identity providers"),
    "scimConnections": message("SCIM connections"),
    "scimTargets": message("SCIM targets"),
    "outsideServers": message("Outside servers"),
    "webhooks": message("Webhooks"),
    "senders": message("Senders of messages"),
    "instances": message("Instance"),
    "signingKeys": message("Signing keys"),
}

ACTIVITIES: Final = {
    "users.invited": message("User invited"),
    "users.created": message("User created"),
    "users.deleted": message("User deleted"),
    "users.locked": message("User locked"),
    "users.unlocked": message("User unlocked"),
    "users.deactivated": message("User deactivated"),
    "users.passwordSet": message("Password set"),
    "users.emailChanged": message("Email address changed"),
    "users.rolesChanged": message("Roles changed"),
    "members.created": message("Administrator added"),
    "members.deleted": message("Administrator removed"),
    "apps.created": message("Application created"),
    "apps.secretChanged": message("Client secret changed"),
    "orgs.signInChanged": message("Sign-in rules changed"),
    "idps.created": message("Identity provider added"),
}
"""What administrators look for most; the API filters by every other activity too."""

PERIODS: Final = (
    Period("", message("Any time"), 0, 0),
    Period("today", message("Today"), 0, 0),
    Period("yesterday", message("Yesterday"), 1, 1),
    Period("7-days", message("Last 7 days"), 6, 0),
    Period("30-days", message("Last 30 days"), 29, 0),
)

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_ERROR: Final = re.compile(r"[A-Z]{1,20}-\d{3}\Z")
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """`who`, `about` and `user` (either of both) are ids, `error` the id of an error; `since` and `until` are days, both included.

    `zone` is the time zone of days, which the script of the page fills in; UTC without it. `import_id` is the id of the
    event of an import whose users are listed.
    """

    only: str = ""
    kind: str = ""
    activity: str = ""
    who: str = ""
    about: str = ""
    user: str = ""
    error: str = ""
    since: str = ""
    until: str = ""
    period: str = ""
    import_id: str = ""
    zone: str = ""

    @property
    def any(self) -> bool:
        return replace(self, zone="") != Filters()

    def days(self, now: float) -> tuple[str, str]:
        """Returns the first and the last day; empty where the list is open."""
        period = next((one for one in PERIODS if one.word and one.word == self.period), None)
        if period is None:
            return self.since, self.until
        today = datetime.fromtimestamp(now, zone_of(self.zone)).date()
        first, last = (today - timedelta(days=one) for one in (period.first, period.last))
        return first.isoformat(), last.isoformat()

    def query(self, **changes: str) -> str:
        """The query of an address with these filters and changes; empty without any."""
        values = replace(self, **changes)
        found = {name: value for name in Filters.__slots__ if (value := getattr(values, name))}
        return f"?{urlencode(found)}" if found else ""

    def conditions(self, now: float) -> dict[str, Any]:
        found: dict[str, Any] = {
            "editorUserId": self.who,
            "aggregateId": self.about,
            "userId": self.user,
            "errorId": self.error,
            "importId": self.import_id,
        }
        found["types"] = list(next((one.types for one in ONLY if one.word == self.only), ()))
        found["aggregateTypes"] = [self.kind] if self.kind else []
        found["activities"] = [self.activity] if self.activity else []
        since, until = self.days(now)
        if since:
            found["since"] = _midnight(date.fromisoformat(since), self.zone)
        if until:
            found["before"] = _midnight(date.fromisoformat(until) + timedelta(days=1), self.zone)
        return {name: value for name, value in found.items() if value}


def read_filters(query: Mapping[str, str]) -> Filters:
    """Unknown values are ignored, as in an old bookmark."""
    return Filters(
        only=_one_of(query.get("only", ""), [one.word for one in ONLY]),
        kind=_one_of(query.get("kind", ""), KINDS),
        activity=_one_of(query.get("activity", ""), ACTIVITIES),
        who=query.get("who", "").strip()[:_LONGEST],
        about=query.get("about", "").strip()[:_LONGEST],
        user=query.get("user", "").strip()[:_LONGEST],
        error=_error(query.get("error", "")),
        since=_day(query.get("since", "")),
        until=_day(query.get("until", "")),
        period=_one_of(query.get("period", ""), [one.word for one in PERIODS]),
        import_id=query.get("import_id", "").strip()[:_LONGEST],
        zone=_zone(query.get("zone", "")),
    )


def zone_of(name: str) -> tzinfo:
    return ZoneInfo(name) if name else UTC


def _zone(name: str) -> str:
    """Returns the name of a time zone; empty for one that this machine does not know."""
    try:
        return ZoneInfo(name[:_LONGEST]).key if name else ""
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return ""


def _midnight(day: date, zone: str) -> str:
    at = datetime.combine(day, time(), zone_of(zone)).astimezone(UTC)
    return at.isoformat().replace("+00:00", "Z")


def _one_of(value: str, known: Any) -> str:
    return value if value in known else ""


def _error(value: str) -> str:
    return value if _ERROR.match(value) else ""


def _day(value: str) -> str:
    if not _DATE.match(value):
        return ""
    try:
        return date.fromisoformat(value).isoformat() if value < "9999" else ""
    except ValueError:
        return ""
