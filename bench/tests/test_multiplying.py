"""Copies of a person, as `bench.multiplying` writes them."""

from __future__ import annotations

import msgspec
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.store import HUMANS
from portico_users.storage.schema import IDS
from portico_users.values.provisioned import Provisioned

from bench.multiplying import Copies, Original, Row, Size

NOW = 1_800_000_000.0


def _original() -> Original:
    human = EndUser(
        id="person",
        org_id="bench",
        user_name="person",
        first_name="Ada",
        last_name="Lovelace",
        display_name="Ada Lovelace",
        email="person@mail.example.test",
        email_verified=True,
    )
    created: Row = {"_id": "e", "object": "person", "orgId": "bench", "action": "created", "values": {"gender": "x"}}
    signed_in: Row = {"_id": "s", "object": "s", "actor": "m", "orgId": "bench", "at": 1.0, "values": {"userId": "m"}}
    return Original(HUMANS.document(human), {"_id": "person", "hash": "h"}, created, signed_in)


def _rows(size: Size, number: int) -> list[tuple[str, Row]]:
    return list(Copies(_original(), size, NOW).of(number))


def test_copy_is_a_person_of_the_store() -> None:
    """The document is what the service would store, with the words and keys of its own names."""
    [(table, document), *_] = _rows(Size(10, 10), 3)
    stored = HUMANS.record(document)

    assert table == "users"
    assert document == HUMANS.document(stored)
    assert (stored.id, stored.user_name, stored.email) == (*["person-0000003"] * 2, "person-0000003@mail.example.test")
    assert "person-0000003" in document["nameKey"]


def test_copy_of_a_person_of_a_directory() -> None:
    """The connection finds each by an id of its own, and there is no password."""
    original = _original()
    human = HUMANS.record(original.user)
    sent = msgspec.structs.replace(human, provisioned=Provisioned(connection_id="c1", external_id="e1"))
    copies = Copies(Original(HUMANS.document(sent), None, original.created, None), Size(10, 0), NOW)
    rows = list(copies.of(3))

    assert [name for name, _ in rows] == ["users", IDS, "events"]
    assert rows[0][1]["scimKey"] == "c1\nperson-0000003"


def test_events_are_spread_over_a_quarter() -> None:
    """Each person has a creation and so many sign-ins that the events together are as many as wanted."""
    events = [row for table, row in _rows(Size(people=10, events=100), 3) if table == "events"]

    assert len(events) == 10
    assert len({row["_id"] for row in events}) == 10
    assert all(NOW - 90 * 86_400 <= row["at"] <= NOW for row in events[1:])
    assert {row["values"]["userId"] for row in events[1:]} == {"person-0000003"}


def test_every_tenth_person_is_in_another_organization() -> None:
    size = Size(100, 0, orgs=("one", "two"))
    found = [msgspec.convert(_rows(size, number)[0][1]["orgId"], str) for number in (0, 1, 10, 11, 20)]

    assert found == ["one", "bench", "two", "bench", "one"]
