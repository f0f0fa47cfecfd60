"""The whole state as a document, organization by organization."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from portico_contracts.apply import Document, EndUser, Organization, ServiceUser
from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT, OWN_APPLICATIONS
from portico_contracts.documents.writing import Comments, item_lines, mapping_lines
from portico_contracts.users import Export, ExportPart, Note

from portico_cli.exporting.lists import Ask
from portico_cli.exporting.references import Known, members_of, with_members
from portico_cli.terminal.output import temporary_file
from portico_cli.terminal.progress import progress

_SETTINGS: Final = (ExportPart.SETTINGS, ExportPart.PROJECTS)
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
            for count, lines in _parts(ask, id, instance.document):
                yield from lines
                users += count
                bar.advance(0)
            bar.advance()


def _parts(ask: Ask, id: str, instance: Document) -> Iterator[tuple[int, Iterable[str]]]:
    """Yields the lines of an organization with a number of users: none of a million is in memory for long.

    Users come in the order of their ids, so that service users wait in a file for the end of the list of people.
    """
    part = ask(Export(org_id=id))
    [found] = part.document.organizations
    comments = _comments(part.notes)
    settings = msgspec.structs.replace(found, humans=None, service_users=None)
    known = Known.of(settings, instance)
    early, late = _in_order(_without_own_applications(settings, comments), is_long=bool(part.after))
    yield 0, item_lines(early, "  ", comments)
    start = ["    humans:"]
    with temporary_file() as service_users:
        while True:
            [found], of_part = part.document.organizations, _comments(part.notes)
            if found.humans:
                yield len(found.humans), (*start, *_items(map(known.end_user, found.humans), of_part))
                start = []
            robots = map(known.service_user, found.service_users or ())
            service_users.writelines(f"{line}\n" for line in _items(robots, of_part))
            if not part.after:
                break
            part = ask(Export(org_id=id, after=part.after))
        if service_users.tell():
            service_users.seek(0)
            yield 0, ["    serviceUsers:"]
            yield 0, (line.removesuffix("\n") for line in service_users)
    if late:
        [now] = ask(Export(org_id=id, parts=_SETTINGS)).document.organizations
        _name, *lines = mapping_lines(with_members(late, members_of(now)), "    ", comments)
        yield 0, lines


def _in_order(settings: Organization, *, is_long: bool) -> tuple[Organization, Organization | None]:
    """Members are read again after the users of several parts, some of whom may be deleted meanwhile."""
    if not is_long or not members_of(settings):
        return settings, None
    late = Organization(name="", projects=settings.projects, members=settings.members)
    return msgspec.structs.replace(settings, projects=None, members=None), late


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


def _items(users: Iterable[EndUser | ServiceUser], comments: Comments) -> Iterator[str]:
    for user in users:
        yield from item_lines(user, "      ", comments)


def _comments(notes: tuple[Note, ...]) -> dict[str, list[str]]:
    by_id: defaultdict[str, list[str]] = defaultdict(list)
    for note in notes:
        by_id[note.id].append(note.text)
    return by_id
