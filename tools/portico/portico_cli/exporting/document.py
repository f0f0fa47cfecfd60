"""The whole state as a document, organization by organization."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import Final

import msgspec
from portico_contracts.apply import EndUser, Organization, ServiceUser
from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT, OWN_APPLICATIONS
from portico_contracts.documents.writing import Comments, item_lines, mapping_lines
from portico_contracts.users import Export, Note

from portico_cli.exporting.lists import Ask
from portico_cli.terminal.progress import progress

_IN_MEMORY: Final = 2**20
_OWN_CLIENTS: Final = (CONSOLE_CLIENT, ACCOUNT_CLIENT)
_OWN: Final = "The console and the account page are not exported. Each installation registers its own."


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
                yield 0, item_lines(_without_own_applications(settings, comments), "  ", comments)
            if found.humans:
                yield len(found.humans), (*start, *_items(found.humans, comments))
                start = []
            service_users.writelines(f"{line}\n" for line in _items(found.service_users or (), comments))
            after = part.after or None
        if service_users.tell():
            service_users.seek(0)
            yield 0, ["    serviceUsers:"]
            yield 0, (line.removesuffix("\n") for line in service_users)


def _without_own_applications(organization: Organization, comments: dict[str, list[str]]) -> Organization:
    """Each installation registers the console and the account page itself, with its own addresses and keys.

    Elsewhere these would replace them, so that no administrator could sign in to the console.
    """
    projects = []
    for project in organization.projects or ():
        if project.id == OWN_APPLICATIONS:
            others = tuple(one for one in project.oidc_apps or () if one.client_id not in _OWN_CLIENTS)
            comments[OWN_APPLICATIONS] = [*comments.get(OWN_APPLICATIONS, ()), _OWN]
            projects.append(msgspec.structs.replace(project, oidc_apps=others or None))
        else:
            projects.append(project)
    return msgspec.structs.replace(organization, projects=tuple(projects) or None)


def _items(users: Sequence[EndUser | ServiceUser], comments: Comments) -> Iterator[str]:
    for user in users:
        yield from item_lines(user, "      ", comments)


def _comments(notes: tuple[Note, ...]) -> dict[str, list[str]]:
    by_id: defaultdict[str, list[str]] = defaultdict(list)
    for note in notes:
        by_id[note.id].append(note.text)
    return by_id
