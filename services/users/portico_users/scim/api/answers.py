"""Resources as answers have them: with ``meta``, their address and their version (RFC 7643 section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec
from portico_web.headers import NO_STORE
from starlette.responses import Response

from portico_users.end_users.end_user import EndUser
from portico_users.groups.group import Group
from portico_users.journal.expected_version import VERSION_MOVED
from portico_users.scim.api.error_responses import MEDIA
from portico_users.scim.connection import url_of
from portico_users.scim.protocol.attributes import CORE_GROUP, Resource
from portico_users.scim.protocol.session import Session
from portico_users.scim.protocol.user_values import resource_of
from portico_users.values.records import Record
from portico_users.values.timestamps import rfc_3339

_TAG: Final = re.compile(r'(?:W/)?"([0-9]{1,20})"\Z')


def base_of(session: Session, issuer: str) -> str:
    return url_of(session.connection, issuer)


def shown_user(user: EndUser, base: str) -> Resource:
    meta = _meta("User", user, base) | {"version": tag_of(user)}
    return {**resource_of(user), "meta": meta}


def shown_group(group: Group, base: str, members: Sequence[str] | None) -> Resource:
    """Without a version: members come and go without a change of the group. ``members`` are ids; None for none shown."""
    external_id = group.provisioned.external_id if group.provisioned else ""
    found: Resource = {"schemas": [CORE_GROUP], "id": group.id, "displayName": group.name}
    found |= {"externalId": external_id} if external_id else {}
    if members:
        found["members"] = [{"value": id, "type": "User", "$ref": _location("User", id, base)} for id in members]
    return {**found, "meta": _meta("Group", group, base)}


def _meta(kind: str, record: Record, base: str) -> Resource:
    return {
        "resourceType": kind,
        "created": rfc_3339(record.created),
        "lastModified": rfc_3339(record.changed),
        "location": _location(kind, record.id, base),
    }


def _location(kind: str, id: str, base: str) -> str:
    return f"{base}/{kind}s/{quote(id, safe='')}"


def tag_of(record: Record) -> str:
    return f'W/"{record.sequence}"'


def is_any(headers: Sequence[str]) -> bool:
    """Returns whether a change expects any version (RFC 9110 section 13.1.1)."""
    return not headers or tuple(headers) == ("*",)


def read_tag(headers: Sequence[str]) -> int | None:
    """The sequence that a change expects; None for any. A tag that this server does not give fits no version."""
    if is_any(headers):
        return None
    found = _TAG.match(headers[0].strip()) if len(headers) == 1 else None
    if found is None:
        raise VERSION_MOVED.error()
    return int(found[1])


def respond(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    content = b"" if body is None else msgspec.json.encode(body)
    media = None if body is None else MEDIA
    return Response(content, status, headers={**NO_STORE, **(headers or {})}, media_type=media)
