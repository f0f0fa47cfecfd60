"""The whole state as a document, organization by organization."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import Final

import msgspec
from portico_contracts.apply import EndUser, ServiceUser
from portico_contracts.documents.writing import Comments, item_lines, mapping_lines
from portico_contracts.users import Export, Note

from portico_cli.exporting.lists import Ask
from portico_cli.terminal.progress import progress

_IN_MEMORY: Final = 2**20


def document_lines(ask: Ask, org_ids: tuple[str, ...]) -> Iterator[str]:
    yield "# Written by `portico export`, without secrets, passwords and second factors. Comments show where they exist."
    instance = ask(Export())
    if not org_ids:
        yield from mapping_lines(instance.document, "", _comments(instance.notes))
    ids = org_ids or instance.org_ids
    yield "organizations:" if ids else "organizations: []"
    users = 0
    with progress("Exporting organizations", len(ids)) as bar:
        bar.details = lambda: f"{users} users"
        for id in ids:
            for count, lines in _parts(ask, id):
                yield from lines
                users += count
                bar.advance(0)
            bar.advance()


def _parts(ask: Ask, id: str) -> Iterator[tuple[int, Iterable[str]]]:
    """Yields the lines of an organization with a number of users: none of a million is in memory for long.

    Users come in the order of their ids, so that service users wait in a file for the end of the list of people.
    """
    after: str | None = ""
    start = ["    humans:"]
    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as service_users:
        while after is not None:
            part = ask(Export(org_id=id, after=after))
            [found] = part.document.organizations
            comments = _comments(part.notes)
            if not after:
                settings = msgspec.structs.replace(found, humans=None, service_users=None)
                yield 0, item_lines(settings, "  ", comments)
            if found.humans:
                yield len(found.humans), (*start, *_items(found.humans, comments))
                start = []
            service_users.writelines(f"{line}\n" for line in _items(found.service_users or (), comments))
            after = part.after or None
        if service_users.tell():
            service_users.seek(0)
            yield 0, ["    serviceUsers:"]
            yield 0, (line.removesuffix("\n") for line in service_users)


def _items(users: Sequence[EndUser | ServiceUser], comments: Comments) -> Iterator[str]:
    for user in users:
        yield from item_lines(user, "      ", comments)


def _comments(notes: tuple[Note, ...]) -> dict[str, list[str]]:
    by_id: defaultdict[str, list[str]] = defaultdict(list)
    for note in notes:
        by_id[note.id].append(note.text)
    return by_id
