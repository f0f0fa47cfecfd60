"""Credentials of service users in `user.v2`."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.user.v2 import service_users_pb2 as pb
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.opaque import fingerprint
from portico_users.service_users.api import service_users_v2 as service_users

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
OLDER = "portico.management.v1.ServiceUserService"
DAY = 86_400.0


class Bot:
    def __init__(self, managed: Any, name: str = "bot") -> None:
        self.managed = managed
        self.id = f"{name}-{managed.tag}"

    async def call(self, method: str, path: str, body: Any = None, *, by: str = "owner") -> ApiResponse:
        return await self._call(f"{USER}.{method}", f"/v2/users/{self.id}{path}", body, by)

    async def management_v1(self, method: str, path: str, body: Any = None, *, by: str = "owner") -> ApiResponse:
        return await self._call(f"{OLDER}.{method}", f"/management/v1/users/{self.id}{path}", body, by)

    async def kept(self) -> Any:
        (row,) = await self.managed.users.rows("users", _id=self.id)
        return row

    async def _call(self, name: str, path: str, body: Any, by: str) -> ApiResponse:
        return await call_as(self.managed, name, body or {}, by=by, path=path)


@pytest.fixture
async def bot(managed: Any) -> Bot:
    made = Bot(managed)
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply(org | {"serviceUsers": [{"id": made.id, "username": made.id, "name": "Bot"}]})
    return made


async def _search(managed: Any, kind: str, by: str = "owner", **body: Any) -> ApiResponse:
    name = {"keys": "ListKeys", "pats": "ListPersonalAccessTokens"}[kind]
    return await call_as(managed, f"{USER}.{name}", body, by=by)


def _public(managed: Any) -> str:
    return base64.b64encode(managed.users.key()["publicKey"].encode()).decode()


def _dates(managed: Any, *seconds: float) -> list[str]:
    return [managed.users.moment(one).replace("+00:00", "Z") for one in seconds]


async def test_key_is_added_and_removed(managed: Any, bot: Bot) -> None:
    """The file has the private key of the stored key; each API reads and removes keys of the other."""
    (now,) = _dates(managed, 0)
    added = await bot.call("AddKey", "/keys")
    file = json.loads(base64.b64decode(added.body["keyContent"]))
    private = await asyncio.to_thread(load_pem_private_key, file.pop("key").encode(), None)
    assert isinstance(private, RSAPrivateKey)
    assert file == {"type": "serviceaccount", "keyId": added.body["keyId"], "userId": bot.id}
    assert added.body["creationDate"] == now
    read = await bot.management_v1("GetMachineKeyByIDs", f"/keys/{added.body['keyId']}")
    assert read.body["key"]["id"] == added.body["keyId"]

    removed = await bot.call("RemoveKey", f"/keys/{added.body['keyId']}")
    assert removed.body == {"deletionDate": now}
    assert (await bot.call("RemoveKey", f"/keys/{added.body['keyId']}")).error_code == "USER-706"
    assert (await bot.kept())["keys"] == []


async def test_caller_can_supply_a_public_key(managed: Any, bot: Bot) -> None:
    """In both APIs a key can be added by its public key, and no key file is returned."""
    newer = await bot.call("AddKey", "/keys", {"publicKey": _public(managed)})
    management_v1 = await bot.management_v1(
        "AddMachineKey", "/keys", {"type": "KEY_TYPE_JSON", "publicKey": _public(managed)}
    )
    kept = (await bot.kept())["keys"]

    assert (newer.code, management_v1.code) == (0, 0)
    assert "keyContent" not in newer.body
    assert "keyDetails" not in management_v1.body
    assert [key["kid"] for key in kept] == [newer.body["keyId"], management_v1.body["keyId"]]
    assert [key["alg"] for key in kept] == ["ES256", "ES256"]


@pytest.mark.parametrize(
    ("text", "error_code"),
    [
        (b"-----BEGIN PUBLIC KEY-----\nYWJj\n-----END PUBLIC KEY-----", "USER-051"),
        (b"\xff", "USER-051"),
        (b"-----BEGIN PRIVATE KEY-----", "USER-050"),
    ],
)
async def test_invalid_public_key_is_refused(bot: Bot, text: bytes, error_code: str) -> None:
    """The error has the field, and nothing is stored."""
    refused = await bot.call("AddKey", "/keys", {"publicKey": base64.b64encode(text).decode()})

    assert (refused.error_code, refused.fields) == (error_code, ["publicKey"])
    assert (await bot.kept())["keys"] == []


async def test_token_works_until_it_is_removed(managed: Any, bot: Bot) -> None:
    """The token calls the management API until it is removed (MG-06)."""
    made = await bot.call("AddPersonalAccessToken", "/pats")
    managed.tokens["bot"] = made.body["token"]
    assert (await managed.get(bot.id, by="bot")).code == 0
    assert made.body["creationDate"] == _dates(managed, 0)[0]

    removed = await bot.call("RemovePersonalAccessToken", f"/pats/{made.body['tokenId']}")
    assert set(removed.body) == {"deletionDate"}
    assert (await managed.get(bot.id, by="bot")).error_code == "USER-311"
    assert (await bot.call("RemovePersonalAccessToken", f"/pats/{made.body['tokenId']}")).error_code == "USER-710"


async def test_secret_is_created_replaced_and_removed(bot: Bot) -> None:
    """The secret is shown once; only its hash is stored."""
    first, second = await bot.call("AddSecret", "/secret"), await bot.call("AddSecret", "/secret")
    assert set(first.body) == {"creationDate", "clientSecret"}
    assert first.body["clientSecret"] != second.body["clientSecret"]
    assert (await bot.kept())["secretHash"] == fingerprint(second.body["clientSecret"])

    assert set((await bot.call("RemoveSecret", "/secret")).body) == {"deletionDate"}
    assert (await bot.kept())["secretHash"] == ""
    assert (await bot.call("RemoveSecret", "/secret")).error_code == "USER-702"


@pytest.mark.parametrize("date", ["2001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1960-01-01T00:00:00Z"])
@pytest.mark.parametrize(("method", "path"), [("AddKey", "/keys"), ("AddPersonalAccessToken", "/pats")])
async def test_expiration_in_the_past_is_refused(bot: Bot, method: str, path: str, date: str) -> None:
    """Even 1970 is refused, instead of being read as no expiration."""
    refused = await bot.call(method, path, {"expirationDate": date})

    assert (refused.error_code, refused.fields) == ("USER-053", ["expirationDate"])


@pytest.mark.parametrize(
    ("end", "error"),
    [
        (Timestamp(seconds=2**62), "USER-303"),
        (Timestamp(seconds=253_402_300_799, nanos=999_999_999), "USER-052"),
    ],
)
async def test_expiration_after_the_year_9999_is_refused(managed: Any, bot: Bot, end: Timestamp, error: str) -> None:
    """No list could return it (RFC 3339 has four digits for the year), nor the last second, which is rounded."""
    request = pb.AddPersonalAccessTokenRequest(user_id=bot.id, expiration_date=end)
    token = managed.tokens["owner"]
    refused = await managed.api.connect(f"{USER}.AddPersonalAccessToken", request, token=token)

    assert (refused.error_code, refused.fields) == (error, ["expirationDate"])


async def test_end_users_have_no_service_user_credentials(managed: Any) -> None:
    """End users have no keys, tokens or secrets of service users, as in management.v1."""
    person = Bot(managed, "self")

    for method, path in (("AddKey", "/keys"), ("AddPersonalAccessToken", "/pats"), ("AddSecret", "/secret")):
        assert (await person.call(method, path)).error_code == "USER-315"


@pytest.mark.parametrize(
    ("method", "path"), [("AddSecret", "/secret"), ("AddKey", "/keys"), ("AddPersonalAccessToken", "/pats")]
)
async def test_service_user_with_more_permissions_is_protected(managed: Any, method: str, path: str) -> None:
    """A caller could otherwise create a credential of a user with more permissions and act as that user (MG-01)."""
    strong = Bot(managed, "strong")
    program = {"id": strong.id, "username": strong.id, "name": "a", "roles": ["IAM_OWNER"]}
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply(org | {"serviceUsers": [program]})

    assert (await strong.call(method, path)).error_code == "USER-712"
    assert (await strong.call(method, path, by="iam")).code == 0


async def _several(managed: Any, bot: Bot, kind: str) -> list[str]:
    """Returns the ids of three credentials, created a day apart; the first never expires, the last expires first."""
    method, id = {"keys": ("AddKey", "keyId"), "pats": ("AddPersonalAccessToken", "tokenId")}[kind]
    body = {"publicKey": _public(managed)} if kind == "keys" else {}
    made = [await bot.call(method, f"/{kind}", body)]
    for days in (9, 3):
        managed.users.clock.tick(DAY)
        made.append(await bot.call(method, f"/{kind}", body | {"expirationDate": managed.users.moment(days * DAY)}))
    return [one.body[id] for one in made]


KINDS = pytest.mark.parametrize("kind", ["keys", "pats"])


@KINDS
async def test_credentials_are_listed_with_owner_and_dates(managed: Any, bot: Bot, kind: str) -> None:
    """The newest comes first unless another order is requested."""
    mine = [{"userIdFilter": {"id": bot.id}}]
    first, second, third = await _several(managed, bot, kind)
    listed = await _search(managed, kind, filters=mine)
    created, end = _dates(managed, 0, 3 * DAY)
    assert [one["id"] for one in listed.body["result"]] == [third, second, first]
    assert listed.body["result"][0] == {
        "id": third,
        "userId": bot.id,
        "organizationId": managed.org_id,
        "creationDate": created,
        "changeDate": created,
        "expirationDate": end,
    }
    assert "expirationDate" not in listed.body["result"][2]
    assert listed.body["pagination"] == {"totalResult": "3", "appliedLimit": "100"}

    page = await _search(managed, kind, filters=mine, pagination={"offset": 1, "limit": 1, "asc": True})
    assert [one["id"] for one in page.body["result"]] == [second]
    assert page.body["pagination"] == {"totalResult": "3", "appliedLimit": "1"}


@KINDS
async def test_lists_can_be_sorted_by_any_field(managed: Any, bot: Bot, kind: str) -> None:
    """Credentials without an expiration come after all others."""
    first, second, third = await _several(managed, bot, kind)
    column = {"keys": "KEY_FIELD_NAME_KEY_EXPIRATION_DATE", "pats": "PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE"}
    name = {"keys": "KEY_FIELD_NAME_ID", "pats": "PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID"}
    wanted: dict[str, Any] = {"filters": [{"userIdFilter": {"id": bot.id}}], "pagination": {"asc": True}}
    by_end = await _search(managed, kind, sortingColumn=column[kind], **wanted)
    by_id = await _search(managed, kind, sortingColumn=name[kind], **wanted)

    assert [one["id"] for one in by_end.body["result"]] == [third, second, first]
    assert [one["id"] for one in by_id.body["result"]] == sorted([first, second, third])


@KINDS
async def test_lists_are_filtered(managed: Any, bot: Bot, kind: str) -> None:
    """All filters must match; timestamps are compared as stored."""
    first, second, third = await _several(managed, bot, kind)
    yesterday, soon = _dates(managed, -DAY, 3 * DAY)
    id_filter = {"keys": "keyIdFilter", "pats": "tokenIdFilter"}[kind]

    async def found(*filters: dict[str, Any]) -> list[str]:
        more = [{"userIdFilter": {"id": bot.id}}, *filters]
        response = await _search(managed, kind, filters=more, pagination={"asc": True})
        return [one["id"] for one in response.body.get("result", [])]

    def moment(name: str, at: str, method: str) -> dict[str, Any]:
        return {name: {"timestamp": at, "method": f"TIMESTAMP_FILTER_METHOD_{method}"}}

    assert await found({id_filter: {"id": second}}) == [second]
    assert await found({"organizationIdFilter": {"id": managed.org_id}}) == [first, second, third]
    assert await found({"organizationIdFilter": {"id": managed.other_org_id}}) == []
    for method, ids in {
        "EQUALS": [second],
        "AFTER": [third],
        "AFTER_OR_EQUALS": [second, third],
        "BEFORE": [first],
        "BEFORE_OR_EQUALS": [first, second],
    }.items():
        assert await found(moment("createdDateFilter", yesterday, method)) == ids
    assert await found(moment("expirationDateFilter", soon, "AFTER")) == [first, second]
    assert await found(moment("expirationDateFilter", soon, "BEFORE_OR_EQUALS")) == [third]
    between = moment("createdDateFilter", yesterday, "AFTER"), {id_filter: {"id": second}}
    assert await found(*between) == []


@KINDS
async def test_lists_count_only_readable_credentials(managed: Any, bot: Bot, kind: str) -> None:
    """Totals reveal nothing about other organizations, whatever is requested (MG-22)."""
    ids = await _several(managed, bot, kind)
    mine = [{"userIdFilter": {"id": bot.id}}]
    foreign = await _search(managed, kind, by="foreign", filters=mine)
    viewer = await _search(managed, kind, by="viewer", filters=mine)
    everybody = await _search(managed, kind, by="iam", filters=mine)

    assert foreign.body == {"pagination": {"appliedLimit": "100"}}
    assert len(viewer.body["result"]) == len(everybody.body["result"]) == len(ids)


async def test_credentials_of_a_deleted_user_are_not_listed(managed: Any, bot: Bot) -> None:
    await _several(managed, bot, "pats")
    path = f"/v2/users/{bot.id}"
    assert (await call_as(managed, f"{USER}.DeleteUser", {}, path=path)).code == 0

    assert "result" not in (await _search(managed, "pats", filters=[{"userIdFilter": {"id": bot.id}}])).body


async def test_key_without_a_creation_date_is_listed_as_oldest(managed: Any, bot: Bot) -> None:
    """Keys of older releases have no creation date."""
    ids = await _several(managed, bot, "keys")
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": bot.id}, {"$unset": {"keys.1.created": 1}})
    wanted: dict[str, Any] = {"filters": [{"userIdFilter": {"id": bot.id}}], "pagination": {"asc": True}}
    listed = (await _search(managed, "keys", **wanted)).body["result"]

    assert [one["id"] for one in listed] == [ids[1], ids[0], ids[2]]
    assert "creationDate" not in listed[0]
    assert (await bot.call("RemoveKey", f"/keys/{ids[1]}")).code == 0


@pytest.mark.parametrize(
    ("filters", "field"),
    [([{}], "filters[0]"), ([{"userIdFilter": {}}], "filters[0].userIdFilter.id")],
)
async def test_empty_filter_is_refused(managed: Any, filters: Any, field: str) -> None:
    """A filter without a value is refused, because it would silently match everything or nothing."""
    refused = await _search(managed, "keys", filters=filters)

    assert (refused.code, refused.fields) == (3, [field])


def test_all_filters_of_the_proto_file_are_supported() -> None:
    """The lists support every filter and sorting column of the .proto file."""
    keys: Any = pb.KeysSearchFilter.DESCRIPTOR.oneofs_by_name["filter"].fields
    tokens: Any = pb.PersonalAccessTokensSearchFilter.DESCRIPTOR.oneofs_by_name["filter"].fields

    assert {field.name for field in keys} == set(service_users.KEY_FILTERS)
    assert {field.name for field in tokens} == set(service_users.TOKEN_FILTERS)
    assert set(pb.KeyFieldName.values()) == set(service_users.KEY_COLUMNS)
    assert set(pb.PersonalAccessTokenFieldName.values()) == set(service_users.TOKEN_COLUMNS)
