"""The management API through the gateway, in every wire format."""

from __future__ import annotations

import asyncio
from typing import Any

import bcrypt
import pytest
from portico_fakes.management_api import ApiResponse, read_json
from portico_scenarios.administrator import PASSWORD, Administrator
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"
FORMS = ("json", "connect", "grpc_web", "grpc")


async def _call(admin: Administrator, form: str, name: str, members: Any) -> ApiResponse:
    response: ApiResponse = await getattr(admin, form)(name, members)
    return response


async def test_every_wire_format_creates_a_user(admin: Administrator) -> None:
    """One operation has the same result in all four wire formats through the gateway."""
    for form in FORMS:
        name = form.replace("_", "")
        added = await _call(admin, form, ADD, admin.human(name))

        assert (added.code, added.body.get("userId")) == (0, f"{name}-{admin.tag}"), form


@pytest.mark.parametrize("how", ["password", "hash of another system"])
async def test_created_user_can_sign_in(world: World, admin: Administrator, how: str) -> None:
    """A user created with a password, or with another system's password hash, can sign in (MG-12)."""
    name = how.split(maxsplit=1)[0]
    body = admin.human(name)
    if how != "password":
        hash = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
        body["hashedPassword"] = {"hash": hash}
        del body["password"]
    added = await admin.json(ADD, body)
    assert added.code == 0, added.body

    _begun, code = await world.code_of(admin.person(name), "basic")
    assert code


async def test_errors_are_equal_in_every_wire_format(admin: Administrator) -> None:
    """An invalid body has the same google.rpc.Status everywhere: code, text, id, and the fields concerned."""
    wrong = admin.human("wrong", profile={"firstName": "", "lastName": "x" * 201})
    by_json, *others = await asyncio.gather(*(_call(admin, form, ADD, wrong) for form in FORMS))

    assert (by_json.code, by_json.error_code) == (3, "USER-303")
    assert by_json.fields == ["profile.firstName", "profile.lastName"]
    assert [(one.code, one.body["message"], one.body["details"]) for one in others] == [
        (3, by_json.body["message"], by_json.body["details"])
    ] * 3


async def test_errors_are_sent_in_trailers(admin: Administrator) -> None:
    """gRPC-web and gRPC send the error ids of an unknown user and of a missing token in trailers."""
    unknown = {"userId": "nobody"}
    answers = await asyncio.gather(admin.grpc_web(GET, unknown), admin.grpc(GET, unknown))
    stranger = await admin.grpc(GET, unknown, token="none")

    assert [(answer.code, answer.error_code) for answer in answers] == [(5, "USER-315")] * 2
    assert (stranger.code, stranger.error_code) == (16, "USER-311")


async def test_encoded_slash_in_an_id_passes_the_gateway(world: World, admin: Administrator) -> None:
    """The gateway forwards the path as it was sent."""
    id = f"a/b-{admin.tag}"
    await admin.json(ADD, admin.human("slash", userId=id))
    url = f"{world.issuer}/v2/users/a%2Fb-{admin.tag}"
    found = read_json(await world.http.get(url, headers=admin.headers))

    assert found.body["user"]["userId"] == id
