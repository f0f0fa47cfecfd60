"""The permission matrix: every operation with every caller (MG-01, MG-04, MG-06). Run with ``-s`` to see it."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users_rows.permission_rows.matrix import MATRIX
from portico_users_rows.permission_rows.row import AUTHENTICATED, CALLERS, Row

pytestmark = pytest.mark.servers

_USER = "portico.user.v2.UserService"


async def _call(managed: Any, name: str, row: Row, caller: str) -> ApiResponse:
    path = row.path.format(tag=managed.tag, caller=caller, grant=managed.grant_of(caller))
    token = managed.tokens.get(caller, "")
    response: ApiResponse = await managed.api.json(name, row.body(managed, caller), token=token, path=path)
    return response


def _only_reads(name: str) -> bool:
    return name.rpartition(".")[2].startswith(("Get", "List"))


def _service_of(name: str) -> str:
    return name.rpartition(".")[0]


async def _codes(managed: Any, name: str) -> tuple[int, ...]:
    codes = tuple([(await _call(managed, name, MATRIX[name], caller)).code for caller in CALLERS])
    cells = (f"{caller} {code:<4}" for caller, code in zip(CALLERS, codes, strict=True))
    print(f"\n{name.rpartition('.')[2]:40}", *cells)  # noqa: T201 - the matrix is to be read
    return codes


@pytest.fixture(autouse=True)
async def no_sender_of_the_instance(managed: Any) -> None:
    """The tests share the instance, and its rows expect no sender."""
    await _delete_senders_of_instance(managed)


async def _delete_senders_of_instance(managed: Any) -> None:
    await managed.users.parts.mongo.database["senders"].delete_many({"orgId": "instance"})


@pytest.mark.parametrize("service", sorted({_service_of(name) for name in MATRIX if not _only_reads(name)}))
async def test_every_caller_gets_the_code_of_the_matrix(managed: Any, service: str) -> None:
    """Each caller of a row gets exactly the code that the row lists; each row has new objects."""
    wrong = {}
    for name in [name for name in MATRIX if not _only_reads(name) and _service_of(name) == service]:
        row, world = MATRIX[name], await managed.renewed()
        if row.furnished or "{caller}" in row.path:
            await world.furnish(*AUTHENTICATED)
        if (codes := await _codes(world, name)) != row.codes:
            wrong[name] = codes
        await world.reset_instance()
        await _delete_senders_of_instance(world)

    assert wrong == {}


@pytest.mark.parametrize("service", sorted({_service_of(name) for name in MATRIX if _only_reads(name)}))
async def test_every_caller_of_a_read_gets_the_code_of_the_matrix(managed: Any, service: str) -> None:
    """The same for operations that only read; those of one service share their objects."""
    await managed.furnish(*AUTHENTICATED)
    names = [name for name in MATRIX if _only_reads(name) and _service_of(name) == service]
    wrong = {name: codes for name in names if (codes := await _codes(managed, name)) != MATRIX[name].codes}

    assert wrong == {}


async def test_error_has_the_missing_scope_or_permission(managed: Any) -> None:
    """The error has the API's scope or the permission, in the caller's language; unauthenticated callers see no
    permission.
    """
    path = f"self-{managed.tag}"
    headers = {"Accept-Language": "de"}
    inactive = (await managed.api.json(f"{_USER}.GetUserByID", {}, token="none", path=f"/v2/users/{path}")).body[
        "message"
    ]
    refused = (await managed.get(path, by="robot")).body["message"]
    in_german = (await managed.get(path, by="robot", headers=headers)).body["message"]
    foreign = (await managed.get(f"foreign-{managed.tag}", by="robot")).body["message"]

    assert inactive == (
        "The access token is not active, or not for this API, which needs the scope urn:portico:project:id:portico:aud. "
        "(USER-311)"
    )
    assert refused == "Permission denied: user.read is required. (USER-312)"
    assert in_german == "Das dürfen Sie nicht: Es braucht die Berechtigung user.read. (USER-312)"
    assert "permission" not in foreign


async def test_object_of_another_org_counts_as_unknown(managed: Any) -> None:
    """The responses are identical, with and without a header (MG-04)."""
    for headers in ({}, {"x-service-orgid": managed.org_id}, {"x-service-orgid": ""}):
        foreign = await managed.get(f"foreign-{managed.tag}", headers=headers)
        unknown = await managed.get("nobody-at-all", headers=headers)

        assert foreign == unknown
        assert foreign.code == 5


async def test_lists_count_only_readable_objects(managed: Any) -> None:
    """Totals reveal nothing about other organizations (MG-22)."""
    name = f"{_USER}.ListUsers"
    query = {"queries": [{"userNameQuery": {"userName": managed.tag, "method": "TEXT_QUERY_METHOD_CONTAINS"}}]}
    own = await call_as(managed, name, query)
    all_of_them = await call_as(managed, name, query, by="iam")

    assert {user["details"]["resourceOwner"] for user in own.body["result"]} == {managed.org_id}
    assert own.body["details"]["totalResult"] == "5"
    assert all_of_them.body["details"]["totalResult"] == "6"


async def test_removed_role_takes_effect_immediately(managed: Any) -> None:
    """Roles are read for every call (MG-06)."""
    assert (await managed.get(f"self-{managed.tag}", by="viewer")).code == 0

    await managed.users.parts.mongo.database["members"].delete_many({"userId": f"viewer-{managed.tag}"})
    assert (await managed.get(f"self-{managed.tag}", by="viewer")).code == 7


async def test_inactive_caller_is_unauthenticated(managed: Any) -> None:
    """An active token of a user who is no longer active is refused."""
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": f"owner-{managed.tag}"}, {"$set": {"state": "locked"}})

    assert (await managed.get(f"self-{managed.tag}")).error_code == "USER-311"


async def test_body_of_unauthenticated_call_is_not_read(managed: Any) -> None:
    """In every protocol the body of an unauthenticated call is ignored, so its errors are not reported."""
    answer = await managed.api.http.post("/v2/users/human", content=b"{", headers={"Content-Type": "application/json"})

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.json()["details"][0]["id"] == "USER-310"


async def test_every_protocol_challenges_the_scheme_that_was_used(managed: Any) -> None:
    """JSON and Connect answer a token that is not active alike (RFC 9110 section 15.5.2, RFC 9449 section 7.1)."""
    headers = {"Content-Type": "application/json", "Authorization": "DPoP unknown", "DPoP": "unknown"}
    answers = [
        await managed.api.http.post(path, content=b"{}", headers=headers)
        for path in ("/management/v1/groups/_search", "/portico.management.v1.GroupService/ListGroups")
    ]

    assert [one.status_code for one in answers] == [401] * 2
    assert [one.headers["WWW-Authenticate"].partition(",")[0] for one in answers] == [
        'DPoP algs="RS256 ES256 EdDSA"'
    ] * 2
