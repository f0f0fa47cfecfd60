"""``portico convert --check``: asks the running services, which apply the same rules as later, and change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeVar

import msgspec
from portico_contracts.apply import Document, Organization
from portico_contracts.users import APPLY, Applied, Apply
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus.bus import Bus

from portico_cli.bus_calls.in_order import answers_in_order
from portico_cli.bus_calls.operator_calls import describe

_SECONDS: Final = 30.0
_PLACE: Final = re.compile(r"organizations\[0\](?:\.[A-Za-z]+\[0\])*\.?")
_LISTS: Final = {
    "service_users": "service user",
    "oidc_idps": "identity provider",
    "oauth2_idps": "identity provider",
    "ldap_idps": "directory",
    "jwt_idps": "identity provider",
}
_IDPS: Final = ("oidc_idps", "oauth2_idps", "ldap_idps", "jwt_idps")
_RULES: Final = ("login_policy", "password_policy", "password_age_policy", "lockout_policy")


Object = TypeVar("Object", bound=msgspec.Struct)


class Part(NamedTuple):
    """One object of a document, in a separate document."""

    name: str
    document: Document


class RefusedPart(NamedTuple):
    name: str
    reason: str


def parts_of(document: Document) -> Iterator[Part]:
    """Yields each object with what it needs, so that each gets a separate answer."""
    for field in _IDPS:
        for one in getattr(document, field) or ():
            yield Part(f"{_LISTS[field]} {one.name}", _with(Document(), **{field: (one,)}))
    for organization in document.organizations:
        bare = Organization(id=organization.id, name=organization.name)
        yield from _clients(organization, bare)
        yield from _lists(organization, bare)
        yield from _rules(document, organization, bare)


def _clients(organization: Organization, bare: Organization) -> Iterator[Part]:
    for project in organization.projects or ():
        home = msgspec.structs.replace(project, oidc_apps=None, api_apps=None)
        for app in project.oidc_apps or ():
            yield _part(f"client {app.client_id or app.name}", bare, projects=(_with(home, oidc_apps=(app,)),))
        for api in project.api_apps or ():
            yield _part(f"client {api.client_id or api.name}", bare, projects=(_with(home, api_apps=(api,)),))


def _lists(organization: Organization, bare: Organization) -> Iterator[Part]:
    projects = tuple(_with(project, oidc_apps=None, api_apps=None) for project in organization.projects or ())
    for field, kind in _LISTS.items():
        for one in getattr(organization, field) or ():
            name = getattr(one, "username", None) or one.name
            yield _part(f"{kind} {name}", bare, **{field: (one,)}, projects=projects or None)


def _rules(document: Document, organization: Organization, bare: Organization) -> Iterator[Part]:
    for field in _RULES:
        if policy := getattr(organization, field):
            name, needed = f"{field.replace('_', ' ')} of {organization.name}", _IDPS if field == "login_policy" else ()
            part = _part(name, bare, **{field: policy}, **{one: getattr(organization, one) for one in needed})
            shared = {one: getattr(document, one) for one in needed}
            yield Part(name, _with(part.document, **shared))


def _part(name: str, bare: Organization, **members: object) -> Part:
    return Part(name, Document(organizations=(msgspec.structs.replace(bare, **members),)))


def _with(value: Object, **members: object) -> Object:
    return msgspec.structs.replace(value, **members)


async def refusals(bus: Bus, document: Document) -> list[RefusedPart]:
    """Returns the objects that `portico apply` would refuse; raises `ServiceError` if users cannot be asked."""

    async def ask(part: Part) -> str:
        return _PLACE.sub("", await _refusal(bus, part.document), count=1)

    asked = answers_in_order(parts_of(document), ask)
    found = [RefusedPart(part.name, reason) async for part, reason in asked if reason]
    # Only the whole document has objects that exclude each other.
    if not found and (reason := await _refusal(bus, document)):
        found.append(RefusedPart("the document", reason))
    return found


async def _refusal(bus: Bus, document: Document) -> str:
    try:
        answer: Applied = await bus.call(APPLY, Apply(document=document, check=True), seconds=_SECONDS)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return describe(error, APPLY, _SECONDS)
    return answer.failure.text if answer.failure else ""
