"""Splits a document with more users than a message holds: each batch has all the rest of it, and some of the users.

Users of whom a list of members in the document has the name are in the last batch, with these lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import msgspec
from portico_contracts.apply import Document, EndUser, Organization, Project
from portico_contracts.apply.parts import Member
from portico_contracts.subjects import encode

from portico_cli.user_names import comparable_name

PEOPLE: Final = 2_000
BYTES: Final = 2 * 1024 * 1024
"""Of the users of a batch; a single one may be larger."""

_PERSON: Final = re.compile(r"organizations\[([0-9]+)\]\.humans\[([0-9]+)\]")


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """`places` are the numbers that its users have in the whole document, by the number of their organization."""

    document: Document
    number: int
    places: Mapping[int, Sequence[int]] = field(default_factory=dict)

    @property
    def people(self) -> int:
        return sum(map(len, self.places.values()))

    def placed(self, text: str) -> str:
        """Returns a text with the paths of the whole document."""

        def original(found: re.Match[str]) -> str:
            org, person = int(found[1]), int(found[2])
            return f"organizations[{org}].humans[{self.places[org][person]}]"

        return _PERSON.sub(original, text)


def batches_of(document: Document) -> Iterator[DocumentBatch]:
    named = {comparable_name(member.user) for member in _members_of(document)}
    rest = without_people(document)
    early, several, last = without_members(rest), _EndUsers(), _EndUsers()
    number = 0
    for org, place, person in people_of(document):
        if not named.isdisjoint(
            (comparable_name(person.id or ""), comparable_name(person.username or person.email.email))
        ):
            last.add(org, place, 0)
            continue
        length = len(encode(person))
        if several.is_full(length):
            yield several.batch(early, document, number)
            several, number = _EndUsers(), number + 1
        several.add(org, place, length)
    if several.count or not named:
        yield several.batch(early, document, number)
    if named:
        yield last.batch(rest, document, number + bool(several.count))


@dataclass(slots=True)
class _EndUsers:
    places: dict[int, list[int]] = field(default_factory=dict)
    count: int = 0
    size: int = 0

    def is_full(self, length: int) -> bool:
        return self.count == PEOPLE or bool(self.count and self.size + length > BYTES)

    def add(self, org: int, place: int, length: int) -> None:
        self.places.setdefault(org, []).append(place)
        self.count, self.size = self.count + 1, self.size + length

    def batch(self, rest: Document, whole: Document, number: int) -> DocumentBatch:
        orgs = list(rest.organizations)
        for org, places in self.places.items():
            people = whole.organizations[org].humans or ()
            orgs[org] = msgspec.structs.replace(orgs[org], humans=tuple([people[place] for place in places]))
        return DocumentBatch(msgspec.structs.replace(rest, organizations=tuple(orgs)), number, self.places)


def find_repeated(document: Document) -> str:
    """Returns a sentence about two users with one id, name or linked identity; empty if there are none.

    users compares those of one batch itself.
    """
    seen: set[bytes] = set()
    for org, place, person in people_of(document):
        for member, what, text in _uses_of(org, person):
            key = blake2b(f"{what}\n{text}".encode(), digest_size=12).digest()
            if key in seen:
                return f"organizations[{org}].humans[{place}].{member}: Another user of the document has this {what}."
            seen.add(key)
    return ""


def _uses_of(org: int, person: EndUser) -> Iterator[tuple[str, str, str]]:
    if person.id:
        yield "id", "id", person.id
    member = "username" if person.username else "email.email"
    yield member, "user name", comparable_name(person.username or person.email.email)
    for number, link in enumerate(person.idp_links or ()):
        yield f"idpLinks[{number}]", "linked identity", f"{org}\n{link.idp}\n{link.user_id}"


def without_people(document: Document) -> Document:
    return _with_organizations(document, lambda org: msgspec.structs.replace(org, humans=None))


def without_members(document: Document) -> Document:
    return _with_organizations(document, _org_without_members)


def _org_without_members(org: Organization) -> Organization:
    projects = None if org.projects is None else tuple([_project_without_members(one) for one in org.projects])
    return msgspec.structs.replace(org, members=None, projects=projects)


def _project_without_members(project: Project) -> Project:
    grants = project.grants
    if grants is not None:
        grants = tuple([msgspec.structs.replace(one, members=None) for one in grants])
    return msgspec.structs.replace(project, members=None, grants=grants)


def _members_of(document: Document) -> Iterator[Member]:
    for org in document.organizations:
        yield from org.members or ()
        for project in org.projects or ():
            yield from project.members or ()
            for grant in project.grants or ():
                yield from grant.members or ()


def people_of(document: Document) -> Iterator[tuple[int, int, EndUser]]:
    for org, one in enumerate(document.organizations):
        for place, person in enumerate(one.humans or ()):
            yield org, place, person


def _with_organizations(document: Document, change: Callable[[Organization], Organization]) -> Document:
    return msgspec.structs.replace(document, organizations=tuple(map(change, document.organizations)))
