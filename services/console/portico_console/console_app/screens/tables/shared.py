from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from portico_contracts.languages import OWN_NAMES
from portico_contracts.management import METHODS

from portico_console.console_app.screens.screen import (
    Action,
    Column,
    Danger,
    Filter,
    Kind,
    Listing,
    Screen,
    Search,
)
from portico_console.messages import message

MANAGEMENT: Final = "portico.management.v1"
ADMIN: Final = "portico.admin.v1"
EVENTS: Final = f"{MANAGEMENT}.EventService/ListEvents"
USERS: Final = "portico.user.v2.UserService"

CONTAINS: Final = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE"
EQUALS: Final = "TEXT_QUERY_METHOD_EQUALS"

LANGUAGES: Final = tuple(OWN_NAMES.items())
"""Tag and name of each language, to choose from."""

STATE: Final = Column("State", "state", Kind.STATE)
CREATED: Final = Column("Created", "details.creationDate", Kind.TIME)
CHANGED: Final = Column("Changed", "details.changeDate", Kind.TIME)
ID: Final = Column("ID", "id", Kind.CODE)
ENDS: Final = Column("Expires", "expirationDate", Kind.TIME)

ALGORITHMS: Final = tuple((alg, alg) for alg in ("RS256", "ES256", "EdDSA"))
"""Signature algorithms that tokens can have."""

SECRET_ENDS: Final = "The current secret stops working after the time you choose."
KEPT_FOR: Final = {
    "keepSeconds": (
        ("0", message("Not at all: it stops working immediately")),
        ("3600", message("1 hour")),
        ("86400", message("24 hours")),
        ("604800", message("7 days")),
        ("2592000", message("30 days")),
    )
}
"""How long the old secret works together with the new one."""
KEPT_AT_FIRST: Final = {"keepSeconds": "86400"}
EXPIRES_AFTER: Final = {
    "expiresAfterDays": (
        ("0", message("Never")),
        ("90", message("90 days")),
        ("180", message("180 days")),
        ("365", message("1 year")),
        ("730", message("2 years")),
    )
}
"""When the new secret ends; the start page reminds of it for 30 days."""
FORMER_ENDS: Final = "Programs that use it are rejected immediately."


def fields_in(method: str, first: Sequence[str] = (), but: Sequence[str] = ()) -> tuple[str, ...]:
    """Fields of a request in the order of the .proto file; unknown `first` names are skipped."""
    names = [one.json_name for one in METHODS[method.replace("/", ".")].request.DESCRIPTOR.fields]
    return tuple(name for name in dict.fromkeys((*first, *names)) if name in names and name not in but)


def search(word: str, title: str, query: str, field: str, method: str = CONTAINS) -> Search:
    return Search(word, title, {"queries": [{query: {field: "$q", "method": method}}]})


def words(title: str) -> Search:
    """Searches by any words, in any case, with or without accents."""
    return Search("words", title, {"queries": [{"wordsQuery": {"text": "$q"}}]})


def narrowed(word: str, title: str, **query: Any) -> Filter:
    return Filter(word, title, {"queries": [query]})


def switches(service: str, thing: str, *, loses: str, on: str = "Reactivate", several: str = "") -> tuple[Action, ...]:
    return (
        Action(
            "deactivate", "Deactivate", f"{service}/Deactivate{thing}", done="%(name)s was deactivated.", undo="reactivate",
            states=("_ACTIVE",), danger=Danger.CONFIRM, loses=loses, bulk=f"Deactivate %(count)s {several}" if several else "",
        ),
        Action("reactivate", "Reactivate", f"{service}/{on}{thing}", done="%(name)s was reactivated.", states=("_INACTIVE",), bulk=f"Reactivate %(count)s {several}" if several else ""),
    )  # fmt: skip


def removal(method: str, *, loses: str, danger: Danger = Danger.CONFIRM, title: str = "Remove", **more: Any) -> Action:
    return Action("remove", title, method, danger=danger, loses=loses, **more)


def history(key: str, path: str, title: str, parts: Mapping[str, str]) -> Screen:
    """A list whose page is the time line of the audit."""
    return Screen(key, path, title, parts=parts, listing=Listing(EVENTS, ()), empty="No entries yet.")
