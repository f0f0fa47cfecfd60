"""The management API through the gateway, in every wire form, and what was made there is there."""

from __future__ import annotations

import asyncio
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import bcrypt
import grpc
import pytest
from google.protobuf.message import Message
from portico_contracts.apply import Document, Organization, ServiceUser
from portico_contracts.http import MANAGEMENT_OPENAPI
from portico_contracts.management import METHODS
from portico_testing.journeys.cast import Person
from portico_testing.journeys.relying_party import Client
from portico_testing.journeys.world import World
from portico_testing.management_api import Said, message_of, read_grpc_web, said_by, status_said

pytestmark = pytest.mark.e2e

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"
SCOPE = "openid urn:portico:project:id:portico:aud"
PASSWORD = "a whistle in the dark wood"
ADMIN_SECRET = "the secret of the one who administers"


@dataclass
class Admin:
    """A program with a role, and its token."""

    world: World
    token: str
    tag: str

    def human(self, name: str, **members: Any) -> dict[str, Any]:
        """Somebody who can sign in."""
        return {
            "userId": f"{name}-{self.tag}",
            "username": f"{name}-{self.tag}",
            "organisation": {"orgId": "e2e-org"},
            "profile": {"firstName": name, "lastName": "Example"},
            "email": {"email": f"{name}-{self.tag}@mail.example.test", "isVerified": True},
            "password": {"password": PASSWORD},
            **members,
        }

    def person(self, name: str) -> Person:
        """The same, as somebody who types."""
        return Person(f"{name}-{self.tag}", f"{name}-{self.tag}", PASSWORD)

    @property
    def headers(self) -> dict[str, str]:
        """Who calls."""
        return {"Authorization": f"Bearer {self.token}"}

    async def json(self, name: str, members: Any) -> Said:
        """A call by JSON."""
        method = METHODS[name]
        url = f"{self.world.issuer}{method.template}"
        return said_by(await self.world.http.request(method.verb, url, json=members, headers=self.headers))

    async def connect(self, name: str, members: Any) -> Said:
        """A call by Connect, with JSON."""
        headers = {**self.headers, "Connect-Protocol-Version": "1"}
        answer = await self.world.http.post(f"{self.world.issuer}{METHODS[name].path}", json=members, headers=headers)
        return Said(0 if answer.status_code == 200 else -1, answer.json())

    async def grpc_web(self, name: str, members: Any) -> Said:
        """A call by gRPC-web."""
        body = message_of(name, members).SerializeToString()
        headers = {**self.headers, "Content-Type": "application/grpc-web+proto"}
        content = b"\x00" + len(body).to_bytes(4, "big") + body
        url = f"{self.world.issuer}{METHODS[name].path}"
        return read_grpc_web(name, await self.world.http.post(url, content=content, headers=headers))

    async def grpc(self, name: str, members: Any, *, token: str | None = None) -> Said:
        """A call by grpcio."""
        method = METHODS[name]
        target = urlsplit(self.world.issuer).netloc
        async with grpc.aio.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
            call: Any = channel.unary_unary(
                method.path,
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=method.response.FromString,
            )
            metadata = (("authorization", f"Bearer {self.token if token is None else token}"),)
            try:
                answer: Message = await call(message_of(name, members), metadata=metadata, timeout=10)
            except grpc.aio.AioRpcError as error:
                packed: Any = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
                return status_said(packed)
        return Said(0, {"userId": getattr(answer, "user_id", "")})


@pytest.fixture(scope="module")
async def admin(world: World) -> Admin:
    """A service user whom ``portico apply`` made owner of the instance."""
    tag = secrets.token_hex(4)
    id = f"admin-{tag}"
    user = ServiceUser(id=id, username=id, name="Administrator", secret=ADMIN_SECRET, roles=("IAM_OWNER",))
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{tag}", name=tag, service_users=(user,)),)))
    client = Client(id, "", ADMIN_SECRET, "client_secret_basic")
    tokens = await world.grant(client, "client_credentials", scope=SCOPE)
    return Admin(world, tokens["access_token"], tag)


@pytest.mark.parametrize("form", ["json", "connect", "grpc_web", "grpc"])
async def test_every_form_creates_a_human(admin: Admin, form: str) -> None:
    """One operation, four ways through the gateway, one answer."""
    name = form.replace("_", "")
    added = await getattr(admin, form)(ADD, admin.human(name))

    assert added.code == 0, added.body
    assert added.body["userId"] == f"{name}-{admin.tag}"


@pytest.mark.parametrize("how", ["password", "hash of another system"])
async def test_who_was_created_can_sign_in(world: World, admin: Admin, how: str) -> None:
    """With the password that was given, or with one of which only another system's hash was given (MG-12)."""
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


async def test_errors_come_through_in_every_form(admin: Admin) -> None:
    """An unknown user and a caller without a token: the same ids by JSON, gRPC-web and gRPC."""
    unknown = {"userId": "nobody"}
    answers = await asyncio.gather(admin.grpc_web(GET, unknown), admin.grpc(GET, unknown))
    stranger = await admin.grpc(GET, unknown, token="none")

    assert [(answer.code, answer.fact) for answer in answers] == [(5, "USER-315")] * 2
    assert (stranger.code, stranger.fact) == (16, "USER-311")


async def test_a_slash_in_an_id_comes_through_the_gateway(world: World, admin: Admin) -> None:
    """The gateway hands the path on as it was sent."""
    id = f"a/b-{admin.tag}"
    await admin.json(ADD, admin.human("slash", userId=id))
    url = f"{world.issuer}/v2/users/a%2Fb-{admin.tag}"
    found = said_by(await world.http.get(url, headers=admin.headers))

    assert found.body["user"]["userId"] == id


async def test_the_document_is_served(world: World) -> None:
    """Anybody may read what the API is."""
    document = (await world.http.get(f"{world.issuer}{MANAGEMENT_OPENAPI}")).json()

    assert document["openapi"] == "3.1.0"
    assert "/v2/users/human" in document["paths"]


async def test_the_document_is_true(world: World, admin: Admin, tmp_path: Path) -> None:
    """Schemathesis reads it, tries every operation with valid and invalid data, and finds no difference (RX-12)."""
    # That valid data is always taken is not asked: that a name is taken already, no schema can say.
    program = Path(sys.executable).with_name("st")
    arguments = (
        "run", f"{world.issuer}{MANAGEMENT_OPENAPI}", "--header", f"Authorization: Bearer {admin.token}",
        "--phases", "examples,coverage,fuzzing", "--max-examples", "200", "--seed", "1", "--no-color",
        "--exclude-checks", "positive_data_acceptance",
    )  # fmt: skip
    running = await asyncio.create_subprocess_exec(
        program, *arguments, cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await running.communicate()

    assert running.returncode == 0, said.decode()[-8000:]
