"""The listener for client certificates in Kubernetes (decision 0151): off by default, and ready to use where it is on."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.gateway import MTLS_KEY_VARIABLE
from portico_contracts.topology import MTLS_PORT
from portico_harness.certificates import write_certificate
from portico_harness.manifests import Key, Manifest, by_name, documents, kustomized
from portico_stack.gateway.haproxy_certificates import CERTIFICATE_VARIABLE
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.binaries import find_haproxy

FOLDER = REPOSITORY / "deploy" / "kubernetes"


@pytest.fixture(name="overlay", scope="module")
def _overlay() -> dict[Key, Manifest]:
    return by_name(kustomized("client-certificates"))


def container_of(gateway: Manifest) -> Any:
    [one] = gateway["spec"]["template"]["spec"]["containers"]
    return one


def test_base_has_no_listener() -> None:
    """Without the overlay nothing leads to the port, and the gateway has neither certificate nor key."""
    files = [path for path in (FOLDER / "base").glob("*.yaml") if path.name != "kustomization.yaml"]
    base = by_name([one for path in files for one in documents(path.read_text())])
    container = container_of(base["Deployment", "portico-gateway"])
    names = {one["name"] for one in container["env"]}

    assert not {CERTIFICATE_VARIABLE, MTLS_KEY_VARIABLE} & names
    assert str(MTLS_PORT) not in str([one for one in base.values() if one["kind"] in ("Service", "NetworkPolicy")])


@pytest.mark.long
def test_listener_is_reached_past_the_ingress(overlay: dict[Key, Manifest]) -> None:
    """TLS ends at the gateway: its Service passes connections on, with the addresses of clients."""
    service = overlay["Service", "portico-gateway-mtls"]["spec"]
    policy = overlay["NetworkPolicy", "portico-gateway-mtls"]["spec"]
    [settings] = [one for (kind, name), one in overlay.items() if kind == "ConfigMap" and "settings" in name]

    assert (service["type"], service["externalTrafficPolicy"]) == ("LoadBalancer", "Local")
    assert service["ports"] == [{"name": "mtls", "port": MTLS_PORT, "targetPort": MTLS_PORT}]
    assert service["selector"] == policy["podSelector"]["matchLabels"]
    assert policy["ingress"] == [{"ports": [{"protocol": "TCP", "port": MTLS_PORT}]}]
    assert settings["data"]["PORTICO_MTLS_URL"] == f"https://mtls.id.example.com:{MTLS_PORT}"


@pytest.mark.long
def test_only_the_key_of_the_gateway_is_read_from_the_secret_of_token(overlay: dict[Key, Manifest]) -> None:
    container = container_of(overlay["Deployment", "portico-gateway"])
    secrets = [one["valueFrom"] for one in container["env"] if "valueFrom" in one]

    assert secrets == [{"secretKeyRef": {"name": "portico-token", "key": "portico_mtls_gateway_key"}}]


@pytest.mark.servers
@pytest.mark.long
def test_haproxy_listens_with_the_mounted_files(overlay: dict[Key, Manifest], tmp_path: Path) -> None:
    """HAProxy finds certificate and private key under the names that the volume gives the keys of a TLS Secret."""
    gateway = overlay["Deployment", "portico-gateway"]
    [volume] = [one for one in gateway["spec"]["template"]["spec"]["volumes"] if "secret" in one]
    container = container_of(gateway)
    [mounted] = [one["mountPath"] for one in container["volumeMounts"] if one["name"] == volume["name"]]
    [certificate] = [one["value"] for one in container["env"] if one["name"] == CERTIFICATE_VARIABLE]
    made = write_certificate(tmp_path, "mtls.id.example.com")
    secret = {"tls.crt": made.certificate, "tls.key": made.key}
    files = tmp_path / "mounted"
    files.mkdir()
    for item in volume["secret"]["items"]:
        shutil.copy(secret[item["key"]], files / item["path"])

    def checked(**variables: str) -> str:
        command: tuple[str | Path, ...] = (find_haproxy(), "-c", "-f", FOLDER / "base" / "haproxy.cfg")
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        return f"{done.stdout}{done.stderr}"

    variables = {
        CERTIFICATE_VARIABLE: certificate.replace(mounted, str(files)),
        MTLS_KEY_VARIABLE: "k" * 32,
        "PORTICO_HOST": "127.0.0.1",
    }
    assert checked(**variables) == "Configuration file is valid\n"
    (files / "tls.crt.key").unlink()
    assert "No Private Key found" in checked(**variables)
