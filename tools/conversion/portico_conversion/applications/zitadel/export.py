"""ZITADEL: ``POST /admin/v1/export``, and answers of its API with what the export does not contain.

ListApps has the client ids, ListProviders the identity providers, ListIAMMembers the administrators of the instance.

https://zitadel.com/docs/guides/migrate/sources/zitadel
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.grants import add_granted, is_importable
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.applications.zitadel.answers import Answers
from portico_conversion.applications.zitadel.apps import add_apps, add_machines
from portico_conversion.applications.zitadel.grants import Grants, grant_service_users, grants_by_user
from portico_conversion.applications.zitadel.members import INSTANCE, LISTS, Members
from portico_conversion.applications.zitadel.providers import add_exported, add_listed
from portico_conversion.applications.zitadel.settings import add_domains, add_rules
from portico_conversion.findings import Findings, Place, SourceError, shown
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.records import PEOPLE, Record, read_name, read_record
from portico_conversion.reading.text_files import opened
from portico_conversion.users.converted_user import ConvertedUser
from portico_conversion.users.zitadel import SORTED, each_org, has_export

MORE: Final = "a list of the organization without counterpart"
NAMES: Final = "claims and scopes that begin with urn:zitadel:iam: have the prefix urn:portico: here"

_PEOPLE: Final = frozenset({"humanUsers", "userMetadata", "userLinks"})
"""Read by `portico user convert`."""

_READ: Final = frozenset(
    {
        "orgId",
        "org",
        "domains",
        "projects",
        "projectRoles",
        "oidcApps",
        "apiApps",
        "appKeys",
        "machineUsers",
        "machineKeys",
        "projectGrants",
        "userGrants",
        "oidcIdps",
        "jwtIdps",
        "loginPolicy",
        "passwordComplexityPolicy",
        "lockoutPolicy",
        "secondFactors",
        "multiFactors",
        *LISTS,
    }
)

Rows = Mapping[str, Sequence[tuple[Place, Any]]]
"""Values of an organization by the name of their member; the items of its lists."""


class _Org(Record, frozen=True):
    name: str = ""

    @property
    def title(self) -> str:
        return f"organization {self.name}"


class _HumanProfile(Record, frozen=True):
    first_name: str = ""
    last_name: str = ""
    display_name: str = ""


class _HumanEmail(Record, frozen=True):
    email: str = ""
    is_email_verified: bool = False


class _EndUser(Record, frozen=True):
    user_name: str = ""
    profile: _HumanProfile = _HumanProfile()
    email: _HumanEmail = _HumanEmail()


class _HumanRow(Record, frozen=True):
    user_id: str
    user: _EndUser

    is_part = True

    @property
    def title(self) -> str:
        return self.user.user_name or self.user_id


def read_drafts(files: Sequence[Path], options: DocumentOptions, findings: Findings) -> Iterator[Draft]:
    """Raises `SourceError` for a file that is neither an export nor an answer of the API."""
    answers, exports = Answers(findings), list[Path]()
    for path in files:
        if has_export(path):
            exports.append(path)
        else:
            answers.read(path)
    places: dict[str, Place] = {}
    findings.counted(NAMES)
    instance, members = Draft("", "", findings, of_instance=True), Members(findings)
    for provider in answers.providers_of(""):
        add_listed(instance, provider)
    members.add(instance, INSTANCE, answers.members)
    drafts, grants = dict[str, Draft](), dict[str, Grants]()
    for path in exports:
        with opened(path) as text:
            stream = JsonStream(text, path.name)
            for _ in each_org(stream, findings):
                rows = _rows(stream, findings)
                org_id = _id_of(path, rows, drafts)
                draft = drafts[org_id] = Draft(options.org_id or org_id, "", findings, options.seen, places)
                _fill(draft, org_id, rows, answers, instance.idp_names)
                for kind in LISTS:
                    members.add(draft, kind, rows.get(kind, ()))
                grants[org_id] = grants_by_user(draft, rows)
            stream.end()
    if options.grants:
        _add_roles(exports, grants, drafts, members, findings)
    else:
        members.count()
    return iter([instance, *drafts.values()])


def _rows(stream: JsonStream, findings: Findings) -> Rows:
    rows: defaultdict[str, list[tuple[Place, Any]]] = defaultdict(list)
    for name in stream.members():
        place = stream.place
        if name in _PEOPLE:
            stream.skip()
            findings.counted(PEOPLE, name)
        elif name not in _READ:
            is_scalar, number = stream.peek() not in ("[", "{"), stream.skip()
            if is_scalar or number:
                findings.not_moved(place, "", MORE, name if is_scalar else f"{name}, {number} entries")
        elif stream.peek() == "[":
            for _ in stream.items():
                where = stream.place
                rows[name].append((where, stream.value()))
        elif name == "orgId":
            rows[name].append((place, read_name(stream.value(), name, place, findings)))
        else:
            rows[name].append((place, stream.value()))
    return rows


def _id_of(path: Path, rows: Rows, others: Collection[str]) -> str:
    [(place, org_id)] = rows.get("orgId") or [(Place(path.name, 1), "")]
    if not isinstance(org_id, str) or not org_id:
        raise SourceError(place, "This organization has no orgId.")
    if org_id in others:
        raise SourceError(place, f"The organization {shown(org_id)} is in the files twice.")
    return org_id


def _fill(draft: Draft, org_id: str, rows: Rows, answers: Answers, shared_idps: Sequence[str]) -> None:
    orgs = [read_record(value, _Org, place, draft.findings) for place, value in rows.get("org", ())]
    draft.name = next((org.name for org in orgs if org and org.name), org_id)
    add_apps(draft, rows, answers.client_ids)
    add_machines(draft, rows)
    for where, value in (*rows.get("oidcIdps", ()), *rows.get("jwtIdps", ())):
        add_exported(draft, where, value, but=answers.provider_ids)
    for provider in answers.providers_of(org_id):
        add_listed(draft, provider)
    add_domains(draft, rows)
    add_rules(draft, rows, shared_idps)


def _add_roles(
    exports: Sequence[Path],
    grants: Mapping[str, Grants],
    drafts: Mapping[str, Draft],
    members: Members,
    findings: Findings,
) -> None:
    """Reads the users in a second pass: they come before the grants, and can be members of other organizations."""
    wanted = members.user_ids | {id for granted in grants.values() for id in granted}
    known = {user.id or "" for draft in drafts.values() for user in draft.service_users}
    for path in exports:
        for person in _people(path, wanted, findings):
            if is_importable(person, findings):
                known.add(person.id)
            if granted := grants.get(person.org_id, {}).get(person.id):
                add_granted(drafts[person.org_id], person, granted)
    for org_id, draft in drafts.items():
        grant_service_users(draft, grants[org_id])
    members.put(drafts.values(), known)


def _people(path: Path, wanted: Collection[str], findings: Findings) -> Iterator[ConvertedUser]:
    with opened(path) as text:
        stream = JsonStream(text, path.name)
        for _ in each_org(stream, findings.silent()):
            yield from _people_of(stream, wanted, findings)


def _people_of(stream: JsonStream, wanted: Collection[str], findings: Findings) -> Iterator[ConvertedUser]:
    org_id = ""
    for name in stream.members():
        if name == "orgId":
            org_id = read_name(stream.value(), name, stream.place, findings)
        elif name == "humanUsers":
            if not org_id:
                raise SourceError(stream.place, SORTED)
            for _ in stream.items():
                place = stream.place
                row = read_record(stream.value(), _HumanRow, place, findings)
                if row and row.user_id in wanted:
                    yield _person(place, row, org_id)
        else:
            stream.skip()


def _person(place: Place, row: _HumanRow, org_id: str) -> ConvertedUser:
    user, profile = row.user, row.user.profile
    return ConvertedUser(
        place=place,
        id=row.user_id,
        org_id=org_id,
        user_name=user.user_name,
        email=user.email.email,
        email_verified=user.email.is_email_verified,
        first_name=profile.first_name,
        last_name=profile.last_name,
        full_name=profile.display_name,
    )
