"""The whole state as a document, organization by organization."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
from portico_contracts.apply import Organization
from portico_contracts.documents.writing import item_lines, mapping_lines
from portico_contracts.users import Export, Note

from portico_cli.exporting.lists import Ask
from portico_cli.terminal.progress import progress


def document_lines(ask: Ask, org_ids: tuple[str, ...]) -> Iterator[str]:
    yield "# Written by `portico export`, without secrets, passwords and second factors. Comments show where they exist."
    instance = ask(Export())
    if not org_ids:
        yield from mapping_lines(instance.document, "", _comments(instance.notes))
    ids = org_ids or instance.org_ids
    yield "organizations:" if ids else "organizations: []"
    with progress("Exporting organizations", len(ids)) as bar:
        for id in ids:
            organization, notes = _whole(ask, id)
            yield from item_lines(organization, "  ", _comments(notes))
            bar.advance()


def _whole(ask: Ask, id: str) -> tuple[Organization, list[Note]]:
    part = ask(Export(org_id=id))
    [first] = part.document.organizations
    humans, machines, notes = [*(first.humans or ())], [*(first.service_users or ())], [*part.notes]
    while part.after:
        part = ask(Export(org_id=id, after=part.after))
        [more] = part.document.organizations
        humans += more.humans or ()
        machines += more.service_users or ()
        notes += part.notes
    whole = msgspec.structs.replace(first, humans=tuple(humans) or None, service_users=tuple(machines) or None)
    return whole, notes


def _comments(notes: tuple[Note, ...] | list[Note]) -> dict[str, list[str]]:
    by_id: defaultdict[str, list[str]] = defaultdict(list)
    for note in notes:
        by_id[note.id].append(note.text)
    return by_id
