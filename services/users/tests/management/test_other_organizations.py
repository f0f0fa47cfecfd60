"""Objects of other organizations, for every operation that refers to one (MG-01, MG-04). Run with ``-s`` for the
matrix.

An owner calls with their own ids, one of which is replaced by that of an object of another organization and
then by an unknown id: both must get the same response, and the other organization must not change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.management_api.all_operations import OPERATIONS
from portico_users_rows.permission_rows.matrix import MATRIX
from portico_users_rows.permission_rows.row import Row

pytestmark = pytest.mark.servers

OWN, FOREIGN, NOTHING = "owner", "strange", "nothing"
"""Owners of the objects: the caller, an owner in the other organization, and none."""

INNER: Final = {
    "none": "foreign-{tag}",
    "nobody": "own-jwt-strange-{tag}",
    "nowhere.example": "other-{tag}.example",
}
"""Unknown names in the rows, and the objects of the other organization with such names: a member, a provider, a
domain.
"""


class Attempt(NamedTuple):
    """A call with one id replaced.

    Attributes:
        place: which id.
        foreign: the path with the id of the other organization's object.
        nothing: the path with an unknown id.
    """

    place: str
    foreign: str
    nothing: str


def _attempts(managed: Any, row: Row) -> Iterator[Attempt]:
    segments = row.path.split("/")
    own = [_filled(managed, segment, OWN) for segment in segments]
    for number, segment in enumerate(segments):
        if "{" in segment or segment in INNER:
            before, after = own[:number], own[number + 1 :]
            foreign, nothing = (_exchanged(managed, segment, who) for who in (FOREIGN, NOTHING))
            yield Attempt(segment, "/".join([*before, foreign, *after]), "/".join([*before, nothing, *after]))


def _exchanged(managed: Any, segment: str, who: str) -> str:
    if segment in INNER:
        inner = INNER[segment].format(tag=managed.tag)
        return inner if who == FOREIGN else f"no-{inner}"
    if segment in ("self-{tag}", "robot-{tag}"):
        return f"{'foreign' if who == FOREIGN else 'nobody'}-{managed.tag}"
    return _filled(managed, segment, who)


def _filled(managed: Any, segment: str, who: str) -> str:
    org_id = managed.other_org_id if who == FOREIGN else managed.org_id
    return segment.format(tag=managed.tag, caller=who, grant=managed.grant_of(who, org_id))


def _without_ids(answered: ApiResponse, *ids: str) -> tuple[int, str]:
    text = json.dumps(answered.body, sort_keys=True)
    for id in sorted(ids, key=len, reverse=True):
        text = text.replace(id, "ID")
    return answered.code, text


async def _call(managed: Any, name: str, row: Row, path: str, who: str = OWN) -> ApiResponse:
    return await call_as(managed, name, row.body(managed, who), path=path)


async def _furnished(managed: Any) -> None:
    await managed.furnish(OWN)
    await managed.furnish(FOREIGN, org_id=managed.other_org_id)


async def _of_the_others(managed: Any) -> list[Any]:
    return [
        await managed.users.rows("events", orgId=managed.other_org_id),
        *[await managed.users.rows(name, orgId=managed.other_org_id) for name in ("users", "projects", "apps", "idps")],
    ]


NAMING: Final = [name for name, row in MATRIX.items() if "{" in row.path or set(row.path.split("/")) & set(INNER)]
"""Operations whose path may refer to another organization's object."""

IN_BODY: Final = {
    "portico.management.v1.MemberService.AddOrgMember": "userId",
    "portico.management.v1.MemberService.AddProjectMember": "userId",
    "portico.management.v1.MemberService.AddProjectGrantMember": "userId",
    "portico.management.v1.UserGrantService.AddUserGrant": "projectId",
    "portico.management.v1.PolicyService.AddIDPToLoginPolicy": "idpId",
    "portico.user.v2.UserService.AddIDPLink": "idpLink.idpId",
}
"""Operations whose body may."""


async def test_other_orgs_id_in_path_counts_as_unknown(managed: Any) -> None:
    """Code, text and details are equal for each id of the path, and the other organization does not change."""
    await _furnished(managed)
    before, leaks = await _of_the_others(managed), []
    for name in NAMING:
        row, heard = MATRIX[name], []
        for attempt in _attempts(managed, row):
            foreign = await _call(managed, name, row, attempt.foreign)
            nothing = await _call(managed, name, row, attempt.nothing)
            ids = (*attempt.foreign.split("/")[3:], *attempt.nothing.split("/")[3:])
            heard.append(f"{attempt.place}: {foreign.code}={nothing.code}")
            if not foreign.code or _without_ids(foreign, *ids) != _without_ids(nothing, *ids):
                leaks.append((attempt, foreign, nothing))
        print(f"{name.rpartition('.')[2]:36}", *heard)  # noqa: T201 - the matrix is to be read

    assert leaks == []
    assert await _of_the_others(managed) == before


async def test_other_orgs_id_in_body_counts_as_unknown(managed: Any) -> None:
    """A user of another organization can neither become a member, nor be linked or granted roles, by an id alone."""
    await _furnished(managed)
    before, leaks = await _of_the_others(managed), []
    for name in IN_BODY:
        row = MATRIX[name]
        path = "/".join(_filled(managed, segment, OWN) for segment in row.path.split("/"))
        heard: list[ApiResponse] = []
        ids: list[str] = []
        for who in (FOREIGN, NOTHING):
            body = _body(managed, name, row, who)
            heard.append(await call_as(managed, name, body, path=path))
            ids += _texts(body)
        foreign, nothing = heard
        print(f"{name.rpartition('.')[2]:36} {IN_BODY[name]}: {foreign.code}={nothing.code}")  # noqa: T201 - the matrix is to be read
        if not foreign.code or _without_ids(foreign, *ids) != _without_ids(nothing, *ids):
            leaks.append((name, foreign, nothing))

    assert leaks == []
    assert await _of_the_others(managed) == before


def _body(managed: Any, name: str, row: Row, who: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(row.body(managed, who)))
    if IN_BODY[name].endswith("idpId"):
        inner = body.get("idpLink", body)
        inner["idpId"] = f"own-jwt-{who}-{managed.tag}"
    return body


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


LISTS: Final = [name for name in MATRIX if name.rpartition(".")[2].startswith("List")]


async def test_lists_show_nothing_of_other_organizations(managed: Any) -> None:
    """No row, total or name of the other organization is shown (MG-22)."""
    await _furnished(managed)
    leaks = []
    for name in LISTS:
        row = MATRIX[name]
        path = "/".join(_filled(managed, segment, OWN) for segment in row.path.split("/"))
        answered = await _call(managed, name, row, path)
        text = json.dumps(answered.body)
        shown = [theirs for theirs in (managed.other_org_id, f"own-jwt-{FOREIGN}", f"bot-{FOREIGN}") if theirs in text]
        if shown or answered.code not in {0, 5, 7}:
            leaks.append((name, shown, answered))

    assert leaks == []


def test_every_operation_is_covered() -> None:
    """Operations with names in their path that are not tested here refer to no owned object; changing this list
    is a decision.
    """
    left = {name.rpartition(".")[2] for name, row in MATRIX.items() if row.path and name not in NAMING}

    # Kinds of factors and logos have no owner, signing keys are the instance's, and diagnostics are tested in
    # `test_diagnostics.py`.
    assert left == {
        "RemoveSecondFactorFromLoginPolicy",
        "RemoveMultiFactorFromLoginPolicy",
        "SetLabelPolicyLogo",
        "RemoveLabelPolicyLogo",
        "GetTrace",
        "RevokeSigningKey",
    }
    assert set(IN_BODY) <= {operation.name for operation in OPERATIONS}
