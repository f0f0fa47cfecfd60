"""Static checks of `deploy/` and docker-compose.yml."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from portico_contracts.catalogue import BUS_USERS, SERVICES
from portico_contracts.topology import HTTP_PORT, TOPOLOGY, address_setting
from portico_stack.in_compose import lay_out
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.binaries import CADDY, find_program
from portico_stack.servers.nats import password_variable, permissions

COMPOSE: dict[str, Any] = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())
CONTAINERS: dict[str, Any] = COMPOSE["services"]
ONE_SHOT = {"lay-out", "prepare", "operator"}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_are_hardened_and_pinned(name: str) -> None:
    """No container runs as root, only data is writable, and every image has a version (IN-10)."""
    container = CONTAINERS[name]

    assert container["user"] == "10001:10001"
    assert container["read_only"] is True
    assert container["cap_drop"] == ["ALL"]
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert re.search(r":\d+\.\d+\.\d+(-alpine)?}?\Z", container["image"])
    assert ("healthcheck" in container) == (name not in ONE_SHOT)


def test_only_the_gateway_is_published() -> None:
    """Stores and services are internal, and the development mail catcher is local to this machine (IN-05)."""
    published = {name: container["ports"] for name, container in CONTAINERS.items() if "ports" in container}

    assert set(published) == {"gateway", "mail-catcher"}
    assert CONTAINERS["mail-catcher"]["profiles"] == ["dev"]
    assert all(port.startswith("127.0.0.1:") for port in published["mail-catcher"])
    assert COMPOSE["networks"]["inner"] == {"internal": True}
    assert COMPOSE["networks"]["edge"] == {"internal": True}


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_has_its_own_secrets_only(service: str) -> None:
    """A container mounts one read-only directory of the volume with all secrets (IN-05)."""
    container = CONTAINERS[service]
    [volume] = container["volumes"]
    settings = container["environment"]

    assert volume["volume"]["subpath"] == f"secrets/{service}"
    assert volume["read_only"] is True
    assert ("PORTICO_REDIS_URL" in settings) == TOPOLOGY[service].redis
    assert ("PORTICO_MONGO_URL" in settings) == TOPOLOGY[service].mongo


def test_outbound_services_have_a_network() -> None:
    """Services with back-channel logout, webhooks or identity providers are on a network that is not internal."""
    internal = {name for name, network in COMPOSE["networks"].items() if (network or {}).get("internal")}
    outward = {name for name in SERVICES if set(CONTAINERS[name].get("networks", ["edge", "inner"])) - internal}

    assert outward == {"authz", "users"}
    assert outward == {name for name, workload in TOPOLOGY.items() if workload.outbound}


@pytest.mark.parametrize("service", SERVICES)
def test_every_setting_can_be_passed(service: str) -> None:
    """Settings come from an optional file, the composition's own take precedence, and replicas are possible."""
    container = CONTAINERS[service]

    assert container["env_file"] == [{"path": "portico.env", "required": False}]
    assert not {"container_name", "ports", "hostname"} & set(container)


@pytest.mark.parametrize("service", SERVICES)
def test_containers_have_service_addresses(service: str) -> None:
    """The addresses of called services have the ports of the topology."""
    settings = CONTAINERS[service]["environment"]
    called = {name for name in SERVICES if settings.get(address_setting(name))}

    assert called == set(TOPOLOGY[service].calls)
    assert all(settings[address_setting(name)] == f"http://{name}:{HTTP_PORT}" for name in called)
    assert CONTAINERS[service]["healthcheck"]["test"] == ["CMD", "python", "-m", "portico_runtime.readiness_probe"]


def test_volume_layout_matches_the_containers(tmp_path: Path) -> None:
    """Every mounted part exists with its configuration, and a repeated setup changes nothing."""
    lay_out(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    lay_out(tmp_path)

    mounted = [
        volume["volume"]["subpath"]
        for container in CONTAINERS.values()
        for volume in container.get("volumes", ())
        if isinstance(volume, dict)
    ]
    for part in mounted:
        assert (tmp_path / part).is_dir(), part
    for server in ("redis", "mongo", "nats"):
        configuration = CONTAINERS[server]["command"][-1]
        assert (tmp_path / configuration.removeprefix("/portico/")).is_file()
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_stores_are_restricted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MongoDB runs no JavaScript, and Redis refuses writes at its memory limit instead of evicting (IN-05)."""
    lay_out(tmp_path / "usual")
    monkeypatch.setenv("PORTICO_STACK_REDIS_MEMORY_MIB", "64")
    lay_out(tmp_path / "small")
    mongo = json.loads((tmp_path / "usual" / "mongo" / "mongod.conf").read_text())
    usual, small = ((tmp_path / name / "redis" / "redis.conf").read_text() for name in ("usual", "small"))

    assert mongo["security"]["javascriptEnabled"] is False
    assert "\nmaxmemory 512mb\nmaxmemory-policy noeviction\n" in usual
    assert "\nmaxmemory 64mb\nmaxmemory-policy noeviction\n" in small
    assert CONTAINERS["lay-out"]["environment"] == {
        "PORTICO_STACK_REDIS_MEMORY_MIB": "${PORTICO_STACK_REDIS_MEMORY_MIB:-512}"
    }


def test_transaction_of_a_killed_replica_ends_soon(tmp_path: Path) -> None:
    """Until then no other replica can change the same objects; a call may take 10 s."""
    lay_out(tmp_path)
    mongo = json.loads((tmp_path / "mongo" / "mongod.conf").read_text())

    assert 10 < mongo["setParameter"]["transactionLifetimeLimitSeconds"] <= 20


def test_bus_drops_dead_clients_within_five_seconds(tmp_path: Path) -> None:
    """NATS in the composition pings every 1.2 s and drops a client after four intervals, as in a local stack."""
    lay_out(tmp_path)
    text = (tmp_path / "nats" / "nats.conf").read_text()

    assert 'ping_interval: "1200ms"\n' in text
    assert "ping_max: 2\n" in text


def test_bus_permissions_contain_no_password() -> None:
    """The committed file has variables, which nats-server reads from its environment."""
    text = permissions()

    for user in BUS_USERS:
        assert f'user: "{user}", password: ${password_variable(user)}\n' in text


@pytest.mark.servers
async def test_caddy_accepts_the_generated_file() -> None:
    """Caddy accepts the composition's Caddyfile as valid."""
    process = await asyncio.create_subprocess_exec(
        find_program(CADDY), "adapt", "--config", REPOSITORY / "deploy/caddy/Caddyfile", "--adapter", "caddyfile",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _out, errors = await process.communicate()

    assert process.returncode == 0, errors.decode()
