"""Users with roles: `portico apply` finds them by their ids after the import of users, and adds the roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from portico_contracts.apply import Email, EndUser, Profile, RoleGrant
from portico_contracts.subjects import encode

from portico_conversion.applications.draft import LARGEST, TOO_LARGE, Draft, ProjectDraft
from portico_conversion.findings import Findings, SourceError
from portico_conversion.reading.records import UNREADABLE
from portico_conversion.users.converted_user import ConvertedUser, Providers, row_of

GIVEN: Final = "a user with roles or groups"


def add_grant(
    draft: Draft, project: ProjectDraft, person: ConvertedUser, role_keys: Sequence[str], groups: Sequence[str] = ()
) -> None:
    if role_keys or groups:
        add_granted(draft, person, (_grant(project, role_keys),) if role_keys else (), groups)


def add_granted(draft: Draft, person: ConvertedUser, grants: tuple[RoleGrant, ...], groups: Sequence[str] = ()) -> None:
    """Adds a user with roles; raises `SourceError` when the users are too many for one document.

    `portico user convert` reports what is left out of a user; this is only about the roles.
    """
    row = _row_of(person, draft.findings)
    if row is None:
        return
    try:
        profile = msgspec.convert(row["profile"], Profile)
    except msgspec.ValidationError as error:
        draft.findings.left_out(person.place, person.name, f"{UNREADABLE}: {error}")
        return
    draft.findings.counted(GIVEN)
    user = EndUser(
        id=person.id or None,
        username=row.get("username"),
        profile=profile,
        email=Email(email=person.email, is_verified=person.email_verified),
        grants=grants or None,
        groups=tuple(groups) or None,
    )
    draft.humans.append(user)
    # Known before the last of a million users is read.
    draft.size_of_humans += len(encode(user))
    if draft.size_of_humans > LARGEST:
        raise SourceError("The document", TOO_LARGE)


def is_importable(person: ConvertedUser, findings: Findings) -> bool:
    return _row_of(person, findings) is not None


def _row_of(person: ConvertedUser, findings: Findings) -> Mapping[str, Any] | None:
    return row_of(person, Providers(), findings.silent())


def add_service_grant(draft: Draft, project: ProjectDraft, client_id: str, role_keys: Sequence[str]) -> None:
    for number, user in enumerate(draft.service_users):
        if user.username == client_id and role_keys:
            draft.service_users[number] = msgspec.structs.replace(user, grants=(_grant(project, role_keys),))


def _grant(project: ProjectDraft, role_keys: Sequence[str]) -> RoleGrant:
    return RoleGrant(project=project.id or project.name, role_keys=tuple(role_keys))
