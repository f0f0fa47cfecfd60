"""Service users, and what they prove themselves with."""

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
    """Calls a method of the service, by the owner unless another caller is named."""

    async def call(method: str, body: Any = None, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        address = f"/management/v1/users{path}"
        return await call_as(managed, f"{OF}.{method}", body or {}, by=by, path=address, **more)

    return call


@pytest.fixture
async def bot(managed: Any, on_service_user: CallOnServiceUser) -> str:
    """The path of a service user without anything to prove itself with."""
    added = await on_service_user("AddMachineUser", {"userName": f"bot-{managed.tag}", "name": "Bot"}, "/machine")
    return f"/{added.body['userId']}"


async def _found(managed: Any, path: str) -> ServiceUser:
    found = await managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=path[1:]))
    assert found.service_user is not None
    return ServiceUser(**{name: getattr(found.service_user, name) for name in ServiceUser.__struct_fields__})


async def test_a_service_user_is_created_and_changed(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """All settings are replaced; the user name stays."""
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

    updated = await on_service_user("UpdateMachine", {"name": "Robot 2"}, f"{path}/machine")
    user = (await managed.get(path[1:])).body["user"]
    assert updated.body["details"]["sequence"] == "2"
    assert user["username"] == f"robot two {managed.tag}"
    assert user["machine"] == {"name": "Robot 2"}
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
async def test_a_service_user_obeys_the_rules(
    on_service_user: CallOnServiceUser, body: Any, code: int, fields: list[str]
) -> None:
    """Limits of the .proto file and rules of service users, each with its field."""
    refused = await on_service_user("AddMachineUser", body, "/machine")

    assert (refused.code, refused.fields) == (code, fields)


async def test_a_user_name_is_unique(managed: Any, on_service_user: CallOnServiceUser, bot: str) -> None:
    """People and programs share one name space (MG-08)."""
    assert bot
    refused = await on_service_user("AddMachineUser", {"userName": f"BOT-{managed.tag}", "name": "a"}, "/machine")

    assert refused.code == 6


async def test_a_person_is_no_service_user(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """A person has no service user to be changed, and no keys."""
    path = f"/self-{managed.tag}"

    assert (await on_service_user("UpdateMachine", {"name": "a"}, f"{path}/machine")).error_code == "USER-315"
    assert (await on_service_user("AddMachineKey", {"type": 1}, f"{path}/keys")).error_code == "USER-315"


async def test_a_secret_is_made_replaced_and_removed(
    managed: Any, on_service_user: CallOnServiceUser, bot: str
) -> None:
    """It is shown once; only its fingerprint is stored, and that is in no event."""
    first = await on_service_user("GenerateMachineSecret", {}, f"{bot}/secret")
    second = await on_service_user("GenerateMachineSecret", {}, f"{bot}/secret")
    assert first.body["clientId"] == bot[1:]
    assert (await _found(managed, bot)).secret_hash == fingerprint(second.body["clientSecret"])
    assert fingerprint(second.body["clientSecret"]) not in str(await managed.users.rows("events", object=bot[1:]))

    assert (await on_service_user("RemoveMachineSecret", {}, f"{bot}/secret")).code == 0
    assert (await _found(managed, bot)).secret_hash == ""
    assert (await on_service_user("RemoveMachineSecret", {}, f"{bot}/secret")).code == 9


async def test_a_key_file_fits_the_key_that_is_stored(
    managed: Any, on_service_user: CallOnServiceUser, bot: str
) -> None:
    """The file has the private half and names its owner."""
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
    """Each by its id; a removed one is unknown."""
    ids = [(await on_service_user("AddMachineKey", {"type": 1}, f"{bot}/keys")).body["keyId"] for _ in range(2)]
    listed = await on_service_user("ListMachineKeys", {"query": {"asc": True, "limit": 1}}, f"{bot}/keys/_search")
    assert [key["id"] for key in listed.body["result"]] == ids[:1]
    assert listed.body["details"]["totalResult"] == "2"

    assert (await on_service_user("RemoveMachineKey", {}, f"{bot}/keys/{ids[0]}")).code == 0
    for method in ("GetMachineKeyByIDs", "RemoveMachineKey"):
        assert (await on_service_user(method, {}, f"{bot}/keys/{ids[0]}")).error_code == "USER-706"


async def _token(managed: Any, on_service_user: CallOnServiceUser, path: str, **body: Any) -> ApiResponse:
    """A token of a service user, as `bot` among the callers."""
    made = await on_service_user("AddPersonalAccessToken", body, f"{path}/pats", by="iam")
    managed.tokens["bot"] = made.body["token"]
    return made


async def test_a_personal_access_token_calls_this_api(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """With the roles of its service user, without asking token, and only until it is removed (MG-06)."""
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


async def test_an_expired_personal_access_token_is_nothing(managed: Any, on_service_user: CallOnServiceUser) -> None:
    """It is worth something until its end, and reads as it was made."""
    robot = f"/robot-{managed.tag}"
    made = await _token(managed, on_service_user, robot, expirationDate=managed.users.moment(60))
    read = await on_service_user("GetPersonalAccessTokenByIDs", {}, f"{robot}/pats/{made.body['tokenId']}")
    assert read.body["token"]["id"] == made.body["tokenId"]
    assert "hash" not in read.body["token"]
    assert (await managed.get(robot[1:], by="bot")).code == 0

    managed.users.clock.tick(60)
    assert (await managed.get(robot[1:], by="bot")).code == 16


async def test_the_token_of_an_inactive_service_user_is_nothing(
    managed: Any, on_service_user: CallOnServiceUser
) -> None:
    """An inactive service user cannot authenticate with it."""
    robot = f"/robot-{managed.tag}"
    await _token(managed, on_service_user, robot)
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": robot[1:]}, {"$set": {"state": "inactive"}})

    assert (await managed.get(robot[1:], by="bot")).code == 16


@pytest.mark.parametrize("token", ["portico_pat_", "portico_pat_" + "A" * 43])
async def test_an_invented_personal_access_token_is_nothing(managed: Any, token: str) -> None:
    """It is answered like every other bad token."""
    managed.tokens["bot"] = token

    assert (await managed.get(f"self-{managed.tag}", by="bot")).error_code == "USER-311"


async def test_tokens_are_listed_without_themselves(managed: Any, on_service_user: CallOnServiceUser, bot: str) -> None:
    """Ids and ends, and an end in the past is refused."""
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
async def test_no_caller_gains_rights_by_a_service_user(
    managed: Any, on_service_user: CallOnServiceUser, method: str, path: str
) -> None:
    """Who makes a credential of a user that may do more would be that user (MG-01)."""
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    strong = {"id": f"strong-{managed.tag}", "username": f"strong-{managed.tag}", "name": "a", "roles": ["IAM_OWNER"]}
    await managed.users.apply(org | {"serviceUsers": [strong]})
    body = {"type": "KEY_TYPE_JSON"} if path == "keys" else {}
    address = f"/strong-{managed.tag}/{path}"

    assert (await on_service_user(method, body, address)).error_code == "USER-712"
    assert (await on_service_user(method, body, address, by="iam")).code == 0


async def test_a_name_in_a_foreign_domain_gets_the_same_error_at_every_door(
    managed: Any, on_service_user: CallOnServiceUser
) -> None:
    """Where apply took such a name of a service user, the API did not: now both answer USER-864 (decision 5.5)."""
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
