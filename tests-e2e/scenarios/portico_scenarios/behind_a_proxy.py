"""A proxy in front of the gateway, configured as in docs/guides/behind-a-proxy.md, and the checks that hold for
every proxy.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import grpc
import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.gateway import PROXIES_VARIABLE
from portico_fakes.management_api import message_of
from portico_harness.certificates import Files, write_certificate
from portico_harness.eventually import HANGS, eventually
from portico_stack.assembly.layout import StackOptions
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program

from portico_scenarios.administrator import administrator_of
from portico_scenarios.id_token import checked_claims
from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, http_client, started

HOST: Final = "id.example.com"
GUIDE: Final = REPOSITORY / "docs" / "guides" / "behind-a-proxy.md"
LIMIT: Final = 20
"""Requests a minute from one address at the key set."""

_METHOD: Final = "portico.user.v2.UserService.GetUserByID"


def blocks_of_guide(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def as_here(text: str, replacements: Mapping[str, str]) -> str:
    """Adapts a configuration of the guide to local files and ports.

    Raises:
        AssertionError: a replaced text is missing.
    """
    for before, after in replacements.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


@dataclass(frozen=True)
class Place:
    data: Path
    port: int
    files: Files

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}"


Running = Callable[[Place, int], AbstractAsyncContextManager[None]]
"""Runs a proxy in front of the gateway with that port until the block ends."""


@asynccontextmanager
async def program_running(place: Place, *argv: str) -> AsyncIterator[None]:
    """Runs a proxy until the block ends; its output is in a file below its folder.

    Raises:
        StartFailed: it ends, or does not listen in time.
    """

    async def ready() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", place.port)
        writer.close()

    process = Process(Program(Path(argv[0]).name, argv, ready), place.data / "logs", print)
    await process.start()
    try:
        yield
    finally:
        await process.stop(10)


@asynccontextmanager
async def world_behind(running: Running, data: Path) -> AsyncIterator[World]:
    place = Place(data / "proxy", free_port(), write_certificate(data, HOST))
    place.data.mkdir()
    given = {"PORTICO_ISSUER": place.url, "PORTICO_TRUSTED_PROXIES": "127.0.0.1/32"}
    environment = {service: dict(given) for service in SERVICES}
    environment["keys"]["PORTICO_KEYS_REQUESTS_PER_MINUTE"] = str(LIMIT)
    options = StackOptions(data / "stack", port=0, extra_env=environment)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PROXIES_VARIABLE, "127.0.0.1")
        async with started(options) as world:
            async with (
                running(place, world.stack.layout.gateway.port),
                http_client(place.url, place.files.authority) as http,
            ):
                await eventually(lambda: _answers(http, world.metadata["jwks_uri"]), bool)
                yield replace(world, issuer=place.url, ca_file=place.files.authority, http=http)


async def _answers(http: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await http.get(url)).status_code == 200
    except httpx.TransportError:
        return False


async def check_sign_in(behind: World) -> None:
    """Checks that issuer, endpoints and tokens have the public name and that HSTS is sent."""
    tokens = await behind.tokens_of(ALICE, "basic")
    claims = await checked_claims(behind.http, behind.metadata, tokens["id_token"], "e2e-basic")
    introspected = (await behind.ask("introspection_endpoint", API.client, token=tokens["access_token"])).json()
    discovery = await behind.http.get(f"{behind.issuer}/.well-known/openid-configuration")

    assert claims["iss"] == behind.issuer
    assert introspected["active"] is True
    assert discovery.json()["issuer"] == behind.issuer
    assert discovery.headers["strict-transport-security"] == "max-age=63072000"


async def check_each_client_is_counted(behind: World) -> None:
    """Exceeds the key set's limit from one address under varying claimed addresses: only that address is refused
    (HH-04).
    """
    busy = [await _keys_from(behind, "127.0.0.2", f"203.0.113.{number}") for number in range(LIMIT + 5)]
    calm = [await _keys_from(behind, "127.0.0.3") for _ in range(3)]

    assert busy[0] == 200
    assert busy[-1] == 429
    assert calm == [200] * 3


async def _keys_from(world: World, address: str, claimed: str = "") -> int:
    """Returns the key set's status for a client with a local address that claims another one."""
    trust = ssl.create_default_context(cafile=world.ca_file)
    transport = httpx.AsyncHTTPTransport(verify=trust, local_address=address)
    url = httpx.URL(world.metadata["jwks_uri"])
    headers = {"Host": url.netloc.decode(), **({"X-Forwarded-For": claimed} if claimed else {})}
    async with httpx.AsyncClient(transport=transport) as http:
        answer = await http.get(url.copy_with(host="127.0.0.1"), headers=headers, extensions={"sni_hostname": HOST})
    return answer.status_code


async def check_plain_grpc(behind: World) -> None:
    """Checks that a plain gRPC message arrives with its trailers, and that errors are those of users."""
    admin = await administrator_of(behind)
    request = message_of(_METHOD, {"userId": ALICE.id})
    port = httpx.URL(behind.issuer).port
    authority = behind.ca_file.read_bytes() if behind.ca_file else None
    trusted = grpc.ssl_channel_credentials(authority)  # type: ignore[no-untyped-call]
    options = (("grpc.ssl_target_name_override", HOST),)
    async with grpc.aio.secure_channel(f"127.0.0.1:{port}", trusted, options) as channel:
        answered = await admin.by(channel, _METHOD, request)
        refused = await admin.by(channel, _METHOD, request, token="none")

    assert answered.code == 0, answered.body
    assert answered.body["user"]["userId"] == ALICE.id
    assert refused.code == grpc.StatusCode.UNAUTHENTICATED.value[0]


async def check_addresses_as_they_came(behind: World) -> None:
    """Checks that paths with extra slashes and dots, and a query with a semicolon, are forwarded unchanged."""
    known = httpx.URL(behind.metadata["jwks_uri"]).path
    others = [known.replace("/oauth", before) for before in ("//oauth", "/./oauth", "/ui/../oauth")]
    statuses = [status_of(await answer_to(behind, target)) for target in (known, *others)]
    begun = begin(behind.metadata, behind.clients["basic"], prompt="none", state="one;two")
    target = httpx.URL(begun.url).raw_path.decode()
    answer = await answer_to(behind, target.replace("%3B", ";"))

    assert statuses == ["200", "404", "404", "404"]
    assert "state=one%3Btwo" in target
    assert "state=one%3Btwo" in answer


async def answer_to(world: World, target: str) -> str:
    """Sends a raw GET target that client libraries would normalize; returns the response with its headers."""
    url = httpx.URL(world.issuer)
    trust = ssl.create_default_context(cafile=world.ca_file)
    reader, writer = await asyncio.open_connection("127.0.0.1", url.port, ssl=trust, server_hostname=HOST)
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), HANGS)
    writer.close()
    return answer.decode()


def status_of(answer: str) -> str:
    return answer.split(" ", 2)[1]
