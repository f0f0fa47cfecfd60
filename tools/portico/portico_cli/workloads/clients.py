"""Applications and service users, as documents declare them, for ``portico workload``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_contracts.apply import ApiApp, Document, OidcApp, Organization, Project, ServiceUser, TrustedWorkload
from portico_contracts.users import Export, Exported, ExportPart, User

from portico_cli.apps.registered import NotFound, apps_of, omitted

_PARTS: Final = (ExportPart.PROJECTS, ExportPart.SERVICE_USERS)

AnyClient = OidcApp | ApiApp | ServiceUser


@dataclass(frozen=True, slots=True)
class Trusting:
    """A client; ``project`` is None for a service user, ``sequence`` where users of an earlier release states none."""

    organization: Organization
    project: Project | None
    client: AnyClient
    sequence: int | None = None

    @property
    def id(self) -> str:
        return (None if isinstance(self.client, ServiceUser) else self.client.client_id) or self.client.id or ""

    @property
    def workloads(self) -> tuple[TrustedWorkload, ...]:
        return self.client.trusted_workloads or ()

    @property
    def sequences(self) -> dict[str, int]:
        return {} if self.sequence is None else {self.client.id or "": self.sequence}

    def with_workloads(self, workloads: tuple[TrustedWorkload, ...]) -> Document:
        """Declares the client with these, and nothing else of its organization.

        What a document may omit is omitted, such as roles and states: an administrator may have changed it meanwhile.
        """
        client = msgspec.structs.replace(self.client, **omitted(self.client) | {"trusted_workloads": workloads})
        home = Organization(name=self.organization.name, id=self.organization.id)
        if isinstance(client, ServiceUser):
            home = msgspec.structs.replace(home, service_users=(client,))
        elif self.project:
            place = "api_apps" if isinstance(client, ApiApp) else "oidc_apps"
            project = msgspec.structs.replace(self.project, **omitted(self.project) | {place: (client,)})
            home = msgspec.structs.replace(home, projects=(project,))
        return Document(organizations=(home,))


@dataclass(frozen=True, slots=True)
class Clients:
    """`find_user` finds an active user by id."""

    ask: Callable[[Export], Exported]
    find_user: Callable[[str], User | None]

    def find(self, named: str) -> Trusting:
        """By client id, user id, id or name; raises NotFound for none, and for several with the name."""
        user = self.find_user(named)
        if user and not user.human:
            # Parts are ordered by id: the one that begins just before it has it.
            for one in self._of_org(user.org_id, after=named[:-1]):
                if one.client.id == named:
                    return one
        found: list[Trusting] = []
        for one in self.list_all():
            if named in (one.id, one.client.id):
                return one
            if named in _names_of(one.client):
                found.append(one)
        if not found:
            raise NotFound(f"No application or service user {named} found.")
        if len(found) > 1:
            which = ", ".join(f"{one.id} ({one.organization.name})" for one in found)
            raise NotFound(f"{len(found)} applications and service users are named {named}. Use an id: {which}.")
        return self.read_again(found[0])

    def read_again(self, found: Trusting) -> Trusting:
        """As it is now: the walk through all organizations may have taken minutes since it was read."""
        for one in self._of_org(found.organization.id or ""):
            if one.client.id == found.client.id and one.id == found.id:
                return one
        raise NotFound(f"{found.client.name} was removed meanwhile.")

    def list_all(self) -> Iterator[Trusting]:
        for org_id in self.ask(Export()).org_ids:
            yield from self._of_org(org_id)

    def _of_org(self, org_id: str, *, after: str = "") -> Iterator[Trusting]:
        while True:
            part = self.ask(Export(org_id=org_id, after=after, parts=_PARTS))
            [organization] = part.document.organizations
            for project in organization.projects or ():
                for app in apps_of(project):
                    yield Trusting(organization, project, app, part.sequences.get(app.id or ""))
            for user in organization.service_users or ():
                yield Trusting(organization, None, user, part.sequences.get(user.id or ""))
            if not part.after:
                return
            after = part.after


def _names_of(client: AnyClient) -> tuple[str, ...]:
    return (client.username, client.name) if isinstance(client, ServiceUser) else (client.name,)
