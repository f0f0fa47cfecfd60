"""The changed values of an event as text."""

from __future__ import annotations

from typing import Any

from portico_users.audit.api.event_changes import changes_of, references_in
from portico_users.journal.event_log import LoggedEvent

NAMES = {("idps", "i1"): "Google", ("groups", "g1"): "Staff", ("projects", "p1"): "Shop"}


def changed(before: dict[str, Any], after: dict[str, Any]) -> LoggedEvent:
    return LoggedEvent("e", "orgs", "o", "o", 2, 1.0, "a", "updated", tuple(after), after, before)


def texts(event: LoggedEvent) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {one.field: (one.before, one.after) for one in changes_of(event, lambda one: NAMES.get(one, ""))}


def test_ids_are_names() -> None:
    """Of objects in a list, in an object and in a list of objects; an object without a name here keeps its id."""
    event = changed(
        {"loginRules": {"idps": ["i1"]}, "groups": [], "grants": []},
        {
            "loginRules": {"idps": ["i1", "gone"]},
            "groups": [{"id": "g1", "sequence": 3}],
            "grants": [{"projectId": "p1", "orgId": "o", "roleKeys": ["viewer", "editor"]}],
        },
    )

    assert texts(event) == {
        "loginRules.idps": (("Google",), ("Google", "gone")),
        "groups": ((), ("Staff",)),
        "grants": ((), ("Shop: viewer, editor",)),
    }
    assert references_in(event) == {("idps", "i1"), ("idps", "gone"), ("groups", "g1"), ("projects", "p1")}


def test_text_that_is_also_an_id_is_no_name() -> None:
    """Only fields that have ids are looked up: a role can have the key of a project."""
    event = changed({"roleKeys": []}, {"roleKeys": ["p1"]})

    assert texts(event) == {"roleKeys": ((), ("p1",))}


def test_object_with_a_name_is_its_name() -> None:
    """A passkey is neither its id nor the value of a switch without a label."""
    keys = [{"id": "AbC", "name": "Phone", "passkey": True}, {"id": "DeF", "name": "", "passkey": True}]

    assert texts(changed({"securityKeys": keys}, {"securityKeys": []})) == {"securityKeys": (("Phone", "DeF"), ())}
