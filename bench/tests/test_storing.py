"""Copies of a user's documents."""

from __future__ import annotations

from bson import ObjectId

from bench.storing import Template

TEMPLATE = Template(
    "member-0",
    {
        "users": [{"_id": "member-0", "userName": "member-0", "email": "member-0@mail.example.test", "age": 3}],
        "events": [{"_id": "abcdef012345", "object": "member-0", "values": {"names": ["member-0", "other"]}}],
        "notes": [{"_id": ObjectId("0123456789abcdef01234567"), "of": "member-0"}],
    },
)


def test_copy_has_the_new_id_wherever_the_old_one_was() -> None:
    """An id is part of user name and address, and in lists and members of any depth."""
    [first, second] = TEMPLATE.copies("users", ["s-1", "s-2"])
    [event] = TEMPLATE.copies("events", ["s-1"])

    assert first == {"_id": "s-1", "userName": "s-1", "email": "s-1@mail.example.test", "age": 3}
    assert second["_id"] == "s-2"
    assert event["object"] == "s-1"
    assert event["values"] == {"names": ["s-1", "other"]}


def test_copy_of_a_document_with_an_id_of_its_own_gets_another() -> None:
    """Two documents of a collection never have the same id, whatever kind it is of."""
    events = list(TEMPLATE.copies("events", ["s-1", "s-2"]))
    [note] = TEMPLATE.copies("notes", ["s-1"])

    assert len({"abcdef012345", *(event["_id"] for event in events)}) == 3
    assert isinstance(note["_id"], ObjectId)
    assert note["_id"] != ObjectId("0123456789abcdef01234567")
