"""The gateway behind Traefik as in docs/guides/behind-a-proxy.md (`make traefik`).

Traefik is built from its module, which takes minutes the first time, so `make test` does not run it.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import yaml
from portico_harness.built_programs import traefik_program
from portico_harness.eventually import eventually
from portico_scenarios import behind_a_proxy
from portico_scenarios.behind_a_proxy import (
    GUIDE,
    Place,
    answer_to,
    as_here,
    blocks_of_guide,
    program_running,
    status_of,
    world_behind,
)
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

_FILE: Final = "/etc/traefik/portico.yml"

_OF_DOCKER: Final = {"traefik.enable", "traefik.docker.network"}
"""Labels without an equivalent in a file."""

_SERVICES: Final = {
    "application/grpc": "portico-grpc@file",
    "application/grpc+proto": "portico-grpc@file",
    "application/grpc;charset=utf-8": "portico-grpc@file",
    "application/grpc-web+proto": "portico@file",
    "application/proto": "portico@file",
    "application/json": "portico@file",
}
"""By Content-Type."""

_MARK: Final = "ToBeFoundInTheLog"
"""An unknown method."""


def block_with(member: str) -> str:
    [found] = [block for block in blocks_of_guide("yaml") if member in yaml.safe_load(block)]
    return found


@asynccontextmanager
async def traefik(place: Place, gateway_port: int) -> AsyncIterator[None]:
    program, _ = traefik_program()
    started_with, watched = place.data / "traefik.yml", place.data / "portico.yml"
    address = {'address: ":443"': f"address: 127.0.0.1:{place.port}", _FILE: str(watched)}
    more = {
        "global": {"checkNewVersion": False},
        "accessLog": {
            "filePath": str(place.data / "access.log"),
            "format": "json",
            "fields": {"headers": {"names": {"Content-Type": "keep"}}},
        },
    }
    started_with.write_text(as_here(block_with("entryPoints"), address) + yaml.safe_dump(more))
    replacements = {
        "/etc/traefik/tls/fullchain.pem": str(place.files.certificate),
        "/etc/traefik/tls/privkey.pem": str(place.files.key),
        "127.0.0.1:8080": f"127.0.0.1:{gateway_port}",
    }
    watched.write_text(as_here(block_with("http"), replacements))
    async with program_running(place, program, f"--configFile={started_with}"):
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traefik")


@pytest.fixture(scope="module")
async def behind(folder: Path) -> AsyncIterator[World]:
    async with world_behind(traefik, folder) as world:
        yield world


async def test_user_signs_in_through_traefik(behind: World) -> None:
    """Issuer, endpoints, cookies and tokens have the public name, and HSTS is sent."""
    await behind_a_proxy.check_sign_in(behind)


async def test_clients_are_rate_limited_separately(behind: World) -> None:
    """Clients are rate-limited by the address that Traefik saw, so that one client cannot block others (HH-04)."""
    await behind_a_proxy.check_each_client_is_counted(behind)


async def test_plain_grpc_passes(behind: World) -> None:
    """Plain gRPC passes Traefik with its trailers, and errors come from users."""
    await behind_a_proxy.check_plain_grpc(behind)


async def test_plain_grpc_is_forwarded_over_http_2(behind: World, folder: Path) -> None:
    """Media types of gRPC select the h2c router; without it Traefik would translate the calls to HTTP/1.1."""
    for media in _SERVICES:
        await behind.http.post(f"{behind.issuer}/portico.user.v2.UserService/{_MARK}", headers={"Content-Type": media})

    async def taken() -> dict[str, tuple[str, str]]:
        lines = [json.loads(line) for line in (folder / "proxy" / "access.log").read_text().splitlines()]
        marked = [line for line in lines if line["RequestPath"].endswith(_MARK)]
        return {line["request_Content-Type"]: (line["ServiceName"], line["ServiceURL"][:4]) for line in marked}

    schemes = {"portico@file": "http", "portico-grpc@file": "h2c:"}
    expected = {media: (service, schemes[service]) for media, service in _SERVICES.items()}
    assert await eventually(taken, lambda found: len(found) == len(_SERVICES)) == expected


async def test_paths_are_forwarded_unchanged(behind: World) -> None:
    """Slashes, dots and semicolons arrive at the gateway as sent, so that a path has one spelling."""
    await behind_a_proxy.check_addresses_as_they_came(behind)


async def test_encoded_letters_are_decoded_by_traefik(behind: World) -> None:
    """Traefik decodes encoded letters, as the guide warns, but encoded dots are still refused."""
    known = httpx.URL(behind.metadata["jwks_uri"]).path
    spellings = (known.replace("/oauth", "/%6fauth"), known.replace("/oauth", "/ui/%2e%2e/oauth"))

    assert [status_of(await answer_to(behind, spelling)) for spelling in spellings] == ["200", "404"]


def test_labels_match_the_file() -> None:
    """The container labels of the guide define the same routers, services and middleware as its file."""
    labels = yaml.safe_load(block_with("labels"))["labels"]
    of_traefik = {name: value for name, value in labels.items() if name not in _OF_DOCKER}

    assert _OF_DOCKER < set(labels)
    assert of_traefik == dict(_as_labels("traefik.http", yaml.safe_load(block_with("http"))["http"]))


def _as_labels(name: str, value: Any) -> list[tuple[str, str]]:
    """Converts a part of the file to container labels: port instead of address, lower-case names."""
    match value:
        case {"servers": [{"url": url}]}:
            scheme, port = re.fullmatch(r"(\w+)://[\d.]+:(\d+)", url).groups()  # type: ignore[union-attr]
            server = [(f"{name}.server.port", port)]
            return server if scheme == "http" else [*server, (f"{name}.server.scheme", scheme)]
        case dict() if value:
            return [label for member, of in value.items() for label in _as_labels(f"{name}.{member.lower()}", of)]
        case dict():
            return [(name, "true")]
        case list():
            return [(name, ",".join(value))]
        case _:
            return [(name, str(value))]


def test_guide_names_the_tested_version() -> None:
    """The guide names the version of Traefik that the tests run."""
    _, version = traefik_program()

    assert f"Traefik {version.removeprefix('v')}" in GUIDE.read_text(encoding="utf-8")
