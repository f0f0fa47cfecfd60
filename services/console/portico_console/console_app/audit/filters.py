"""The filters of a time line: from the address of the page to conditions of the API, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from portico_console.messages import message


class Only(NamedTuple):
    """A chip: events of these types."""

    word: str
    title: str
    types: tuple[str, ...]


ONLY: Final = (
    Only("", message("Everything"), ()),
    Only("changes", message("Changes"), ("created", "updated", "deleted", "rotated", "revoked")),
    Only(
        "sign-ins",
        message("Sign-ins"),
        (
            *("signed_in", "signed_out", "signin_failed", "device_approved", "device_denied"),
            *("trust_started", "trust_ended", "password_refused"),
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

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_ERROR: Final = re.compile(r"[A-Z]{1,20}-\d{3}\Z")
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """`who`, `about` and `user` (either of both) are ids, `error` the id of an error; `since` and `until` are days, both included."""

    only: str = ""
    kind: str = ""
    activity: str = ""
    who: str = ""
    about: str = ""
    user: str = ""
    error: str = ""
    since: str = ""
    until: str = ""

    @property
    def any(self) -> bool:
        return self != Filters()

    def query(self, **changes: str) -> str:
        """The query of an address with these filters and changes; empty without any."""
        values = replace(self, **changes)
        found = {name: value for name in Filters.__slots__ if (value := getattr(values, name))}
        return f"?{urlencode(found)}" if found else ""

    def conditions(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "editorUserId": self.who,
            "aggregateId": self.about,
            "userId": self.user,
            "errorId": self.error,
        }
        found["types"] = list(next((one.types for one in ONLY if one.word == self.only), ()))
        found["aggregateTypes"] = [self.kind] if self.kind else []
        found["activities"] = [self.activity] if self.activity else []
        if self.since:
            found["since"] = f"{self.since}T00:00:00Z"
        if self.until:
            found["before"] = f"{date.fromisoformat(self.until) + timedelta(days=1)}T00:00:00Z"
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
    )


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
