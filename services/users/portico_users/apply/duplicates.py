"""Finds what a document names twice, before anything is planned against the stored state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from portico_contracts.apply import Document, Organization
from portico_oauth.errors import Fact

from portico_users.domain.names import canonical
from portico_users.domain.problems import at
from portico_users.journal.journal import ID_TAKEN, NAME_TAKEN


class Use(NamedTuple):
    """A name or id the document gives to something."""

    space: str
    key: str
    path: str
    fact: Fact


def refuse_duplicates(document: Document) -> None:
    """Raises USER-010 or USER-011 for the second place where the document uses an id or a name."""
    seen: set[tuple[str, str]] = set()
    for use in _uses(document):
        if (use.space, use.key) in seen:
            raise at(use.path, use.fact.refusal())
        seen.add((use.space, use.key))


def _uses(document: Document) -> Iterator[Use]:
    for number, org in enumerate(document.organizations):
        path = f"organizations[{number}]"
        yield from _id(org.id, f"{path}.id")
        yield _name("organization", org.name, f"{path}.name")
        if org.primary_domain:
            yield _name("domain", org.primary_domain, f"{path}.primaryDomain")
        yield from _projects(org, path)
        yield from _users(org, path)


def _projects(org: Organization, path: str) -> Iterator[Use]:
    for number, project in enumerate(org.projects):
        place = f"{path}.projects[{number}]"
        yield from _id(project.id, f"{place}.id")
        yield _name(path, project.name, f"{place}.name")
        for app_number, app in enumerate(project.oidc_apps):
            app_place = f"{place}.oidcApps[{app_number}]"
            yield from _id(app.id, f"{app_place}.id")
            if app.client_id != app.id:
                yield from _id(app.client_id, f"{app_place}.clientId")
            yield _name(place, app.name, f"{app_place}.name")


def _users(org: Organization, path: str) -> Iterator[Use]:
    for number, human in enumerate(org.humans):
        place = f"{path}.humans[{number}]"
        yield from _id(human.id, f"{place}.id")
        member = "username" if human.username else "email.email"
        yield _name("user", human.username or human.email.email, f"{place}.{member}")
    for number, machine in enumerate(org.service_users):
        place = f"{path}.serviceUsers[{number}]"
        yield from _id(machine.id, f"{place}.id")
        yield _name("user", machine.username, f"{place}.username")


def _id(id: str | None, path: str) -> Iterator[Use]:
    if id is not None:
        yield Use("id", id, path, ID_TAKEN)


def _name(space: str, name: str, path: str) -> Use:
    return Use(space, canonical(name), path, NAME_TAKEN)
