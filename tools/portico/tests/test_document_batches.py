"""Documents with more users than a message holds are applied in batches."""

from __future__ import annotations

import msgspec
import pytest
from portico_cli.applying import batches
from portico_cli.applying.batches import batches_of, find_repeated
from portico_contracts.apply import Document

MEMBER = {"user": "P3", "roles": ["PROJECT_OWNER"]}


def document(*people: dict[str, object], members: tuple[object, ...] = ()) -> Document:
    projects = [{"name": "Shop", "members": list(members) or None}]
    orgs = [{"name": "Empty"}, {"name": "Acme", "projects": projects, "humans": list(people)}]
    return msgspec.convert({"organizations": orgs}, Document)


def person(name: str, **more: object) -> dict[str, object]:
    email = {"email": f"{name}@acme.example"}
    return {"username": name, "profile": {"firstName": name}, "email": email, **more}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "PEOPLE", 2)


def names_of(batch: batches.DocumentBatch) -> list[str | None]:
    return [one.username for org in batch.document.organizations for one in org.humans or ()]


def test_each_batch_has_some_users_and_the_rest() -> None:
    """The rest of a document is in each batch; places in its texts become those of the whole document."""
    found = list(batches_of(document(*(person(f"p{number}") for number in range(5)))))

    assert [names_of(one) for one in found] == [["p0", "p1"], ["p2", "p3"], ["p4"]]
    assert [one.number for one in found] == [0, 1, 2]
    assert all(one.document.organizations[1].projects for one in found)
    assert found[2].placed("organizations[1].humans[0].id: no") == "organizations[1].humans[4].id: no"


def test_members_are_in_the_last_batch_with_their_users() -> None:
    """A list of members may name a user of the document in any spelling; earlier batches have no such list."""
    found = list(batches_of(document(*(person(f"p{number}") for number in range(4)), members=(MEMBER,))))
    lists = [one.document.organizations[1].projects for one in found]

    assert [names_of(one) for one in found] == [["p0", "p1"], ["p2"], ["p3"]]
    assert [bool(projects and projects[0].members) for projects in lists] == [False, False, True]
    assert found[2].placed("organizations[1].humans[0]") == "organizations[1].humans[3]"


def test_only_named_users_are_one_first_batch() -> None:
    """A document whose users are all members is one batch, with the number of a first one."""
    [only] = batches_of(document(person("p3"), members=(MEMBER,)))

    assert (only.number, names_of(only), only.people) == (0, ["p3"], 1)


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ({"id": "a"}, {"id": "a"}, "id: Another user of the document has this id."),
        ({}, {"username": "P"}, "username: Another user of the document has this user name."),
        (
            {"idpLinks": [{"idp": "google", "userId": "1", "userName": "x"}]},
            {"idpLinks": [{"idp": "google", "userId": "1", "userName": "y"}]},
            "idpLinks[0]: Another user of the document has this linked identity.",
        ),
    ],
)
def test_users_of_different_batches_are_compared(
    first: dict[str, object], second: dict[str, object], place: str
) -> None:
    """Two users with one id, user name or linked identity are refused before anything is planned."""
    whole = document(person("p", **first), person("q"), person("r"), {**person("s"), **second})

    assert find_repeated(whole) == f"organizations[1].humans[3].{place}"
    assert find_repeated(document(person("p"), person("q", idpLinks=[]))) == ""
