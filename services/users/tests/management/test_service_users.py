from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from portico_contracts.users import GET_SERVICE_USER, AccessTokenType, GetServiceUser, ServiceUser
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint

pytestmark = pytest.mark.servers

CallOnServiceUser = Callable[..., Awaitable[ApiResponse]]
OF = "portico.management.v1.ServiceUserService"


@pytest.fixture
def on_service_user(managed: Any) -> CallOnServiceUser:
    async def call(method: str, body: Any = None, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        address = f"/management/v1/users{path}"
        return await call_as(managed, f"{OF}.{method}", body or {}, by=by, path=address, **more)

    return call


@pytest.fixture
async def bot(managed: Any, on_service_user: CallOnServiceUser) -> str:
    added = await on_service_user("AddMachineUser", {"userName": f"bot-{managed.tag}", "name": "Bot"}, "/machine")
    return f"/{added.body['userId']}"


async def _found(managed: Any, path: str) -> ServiceUser:
    found = await managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=path[1:]))
    assert found.service_user is not None
    return ServiceUser(**{name: getattr(found.service_user, name) for name in ServiceUser.__struct_fields__})


async def test_service_user_is_created_and_changed(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """An update replaces all settings; the user name stays."""
    body = {
        "userName": f"robot two {managed.tag}",
        "name": "Robot",
        "description": "counts",
        "accessTokenType": "ACCESS_TOKEN_TYPE_JWT",
        "accessTokenAlg": "ES256",
    }
    added = await on_service_user("AddMachineUser", body, "/machine")
    path = f"/{added.body['userId']}"
    assert added.body["details"]["sequence"] == "1"
    assert (await _found(managed, path)).access_token_alg == "ES256"
    assert (await managed.get(path[1:])).body["user"]["machine"]["accessTokenAlg"] == "ES256"

    updated = await on_service_user("UpdateMachine", {"name": "Robot 2"}, f"{path}/machine")
    user = (await managed.get(path[1:])).body["user"]
    assert updated.body["details"]["sequence"] == "2"
    assert user["username"] == f"robot two {managed.tag}"
    assert user["machine"] == {"name": "Robot 2", "accessTokenAlg": "RS256"}
    assert (await _found(managed, path)).access_token_type is AccessTokenType.OPAQUE
    again = await on_service_user("UpdateMachine", {"name": "Robot 2"}, f"{path}/machine")
    assert again.error_code == "USER-702"


@pytest.mark.parametrize(
    ("body", "code", "fields"),
    [
        ({"userName": "a", "name": ""}, 3, ["name"]),
        ({"userName": "x" * 201, "name": "a"}, 3, ["userName"]),
        ({"userName": "a", "name": "a", "description": "x" * 501}, 3, ["description"]),
        ({"userName": " a", "name": "a"}, 3, ["userName"]),
        ({"userName": "a", "name": "a", "accessTokenAlg": "none"}, 3, ["accessTokenAlg"]),
    ],
)
async def test_invalid_service_user_is_refused(
    on_service_user: CallOnServiceUser, body: Any, code: int, fields: list[str]
) -> None:
    """Limits of the .proto file and validation rules give errors with the field."""
    refused = await on_service_user("AddMachineUser", body, "/machine")

    assert (refused.code, refused.fields) == (code, fields)


async def test_user_name_is_unique(managed: Any, on_service_user: CallOnServiceUser, bot: str) -> None:
    """End users and service users share one name space (MG-08)."""
    assert bot
    refused = await on_service_user("AddMachineUser", {"userName": f"BOT-{managed.tag}", "name": "a"}, "/machine")

    assert refused.code == 6


async def test_end_user_is_not_a_service_user(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """Operations on service users and their keys do not find end users."""
    path = f"/self-{managed.tag}"

    assert (await on_service_user("UpdateMachine", {"name": "a"}, f"{path}/machine")).error_code == "USER-315"
    assert (await on_service_user("AddMachineKey", {"type": 1}, f"{path}/keys")).error_code == "USER-315"


async def test_secret_is_created_replaced_and_removed(
    managed: Any, on_service_user: CallOnServiceUser, bot: str
) -> None:
    """The secret is shown once; only its hash is stored, and no event contains it."""
    first = await on_service_user("GenerateMachineSecret", {}, f"{bot}/secret")
    second = await on_service_user("GenerateMachineSecret", {}, f"{bot}/secret")
    assert first.body["clientId"] == bot[1:]
    assert (await _found(managed, bot)).secret_hash == fingerprint(second.body["clientSecret"])
    assert fingerprint(second.body["clientSecret"]) not in str(await managed.users.rows("events", object=bot[1:]))

    assert (await on_service_user("RemoveMachineSecret", {}, f"{bot}/secret")).code == 0
    assert (await _found(managed, bot)).secret_hash == ""
    assert (await on_service_user("RemoveMachineSecret", {}, f"{bot}/secret")).code == 9


async def test_key_file_matches_the_stored_key(managed: Any, on_service_user: CallOnServiceUser, bot: str) -> None:
    """The file has the private key and the id of its owner."""
    made = await on_service_user("AddMachineKey", {"type": "KEY_TYPE_JSON"}, f"{bot}/keys")
    file = json.loads(base64.b64decode(made.body["keyDetails"]))
    private = await asyncio.to_thread(load_pem_private_key, file.pop("key").encode(), None)
    (kept,) = (await _found(managed, bot)).keys

    assert isinstance(private, RSAPrivateKey)
    assert file == {"type": "serviceaccount", "keyId": kept.kid, "userId": bot[1:]}
    stored = int.from_bytes(base64.urlsafe_b64decode(kept.jwk["n"] + "=="), "big")
    assert stored == private.public_key().public_numbers().n
    assert "d" not in kept.jwk


async def test_keys_are_read_listed_and_removed(on_service_user: CallOnServiceUser, bot: str) -> None:
    ids = [(await on_service_user("AddMachineKey", {"type": 1}, f"{bot}/keys")).body["keyId"] for _ in range(2)]
    listed = await on_service_user("ListMachineKeys", {"query": {"asc": True, "limit": 1}}, f"{bot}/keys/_search")
    assert [key["id"] for key in listed.body["result"]] == ids[:1]
    assert listed.body["details"]["totalResult"] == "2"

    assert (await on_service_user("RemoveMachineKey", {}, f"{bot}/keys/{ids[0]}")).code == 0
    for method in ("GetMachineKeyByIDs", "RemoveMachineKey"):
        assert (await on_service_user(method, {}, f"{bot}/keys/{ids[0]}")).error_code == "USER-706"


async def _token(managed: Any, on_service_user: CallOnServiceUser, path: str, **body: Any) -> ApiResponse:
    made = await on_service_user("AddPersonalAccessToken", body, f"{path}/pats", by="iam")
    managed.tokens["bot"] = made.body["token"]
    return made


async def test_personal_access_token_calls_the_api(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """The token has the roles of its service user, needs no request to token, and works until it is removed (MG-06)."""
    robot = f"/robot-{managed.tag}"
    made = await _token(managed, on_service_user, robot)
    assert made.body["token"].startswith("portico_pat_")
    assert (await managed.get(f"self-{managed.tag}", by="bot")).code == 7
    assert (await managed.get(robot[1:], by="bot")).code == 0
    assert made.body["token"] not in str(await managed.users.rows("users", _id=robot[1:]))
    assert fingerprint(made.body["token"]) not in str(await managed.users.rows("events", object=robot[1:]))

    removed = await on_service_user("RemovePersonalAccessToken", {}, f"{robot}/pats/{made.body['tokenId']}")
    assert removed.code == 0
    assert (await managed.get(robot[1:], by="bot")).error_code == "USER-311"


async def test_expired_personal_access_token_is_refused(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """A personal access token works until its expiration, which is read back as set."""
    robot = f"/robot-{managed.tag}"
    made = await _token(managed, on_service_user, robot, expirationDate=managed.users.moment(60))
    read = await on_service_user("GetPersonalAccessTokenByIDs", {}, f"{robot}/pats/{made.body['tokenId']}")
    assert read.body["token"]["id"] == made.body["tokenId"]
    assert "hash" not in read.body["token"]
    assert (await managed.get(robot[1:], by="bot")).code == 0

    managed.users.clock.tick(60)
    assert (await managed.get(robot[1:], by="bot")).code == 16


async def test_token_of_inactive_service_user_is_refused(managed: Any, on_service_user: CallOnServiceUser) -> None:
    robot = f"/robot-{managed.tag}"
    await _token(managed, on_service_user, robot)
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": robot[1:]}, {"$set": {"state": "inactive"}})

    assert (await managed.get(robot[1:], by="bot")).code == 16


@pytest.mark.parametrize("token", ["portico_pat_", "portico_pat_" + "A" * 43])
async def test_unknown_personal_access_token_is_refused(managed: Any, token: str) -> None:
    """The response equals that for any other invalid token."""
    managed.tokens["bot"] = token

    assert (await managed.get(f"self-{managed.tag}", by="bot")).error_code == "USER-311"


async def test_tokens_are_listed_without_their_text(managed: Any, on_service_user: CallOnServiceUser, bot: str) -> None:
    """Lists have ids and expirations; an expiration in the past is refused."""
    for _ in range(2):
        await _token(managed, on_service_user, bot)
    listed = await on_service_user("ListPersonalAccessTokens", {}, f"{bot}/pats/_search")
    past = {"expirationDate": "2001-01-01T00:00:00Z"}

    assert [set(token) for token in listed.body["result"]] == [{"id", "details"}] * 2
    assert (await on_service_user("AddPersonalAccessToken", past, f"{bot}/pats")).error_code == "USER-053"
    assert (await on_service_user("GetPersonalAccessTokenByIDs", {}, f"{bot}/pats/none")).error_code == "USER-710"


@pytest.mark.parametrize(
    ("method", "path"),
    [("GenerateMachineSecret", "secret"), ("AddMachineKey", "keys"), ("AddPersonalAccessToken", "pats")],
)
async def test_service_user_with_more_permissions_is_protected(
    managed: Any, on_service_user: CallOnServiceUser, method: str, path: str
) -> None:
    """A caller could otherwise create a credential of a user with more permissions and act as that user (MG-01)."""
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    strong = {"id": f"strong-{managed.tag}", "username": f"strong-{managed.tag}", "name": "a", "roles": ["IAM_OWNER"]}
    await managed.users.apply(org | {"serviceUsers": [strong]})
    body = {"type": "KEY_TYPE_JSON"} if path == "keys" else {}
    address = f"/strong-{managed.tag}/{path}"

    assert (await on_service_user(method, body, address)).error_code == "USER-712"
    assert (await on_service_user(method, body, address, by="iam")).code == 0


async def test_name_in_another_domain_gets_equal_errors(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """The management API and apply both give USER-864 for such a name of a service user (decision 0028)."""
    name = f"bot@{managed.domain(managed.other_org_id)}"
    response = await on_service_user("AddMachineUser", {"userName": name, "name": "Bot"}, "/machine")
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply(org | {"serviceUsers": [{"username": name, "name": "Bot"}]})

    assert (response.error_code, response.fields) == ("USER-864", ["userName"])
    assert (refused.value.id, refused.value.text.partition(":")[0]) == (
        "USER-864",
        "organizations[0].serviceUsers[0].username",
    )
