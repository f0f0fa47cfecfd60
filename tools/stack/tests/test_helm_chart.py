"""The Helm chart `deploy/helm`: the objects of the overlays, and values that all have an effect (decision 0066)."""

from __future__ import annotations

import copy
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from portico_harness.manifests import (
    CHART,
    NAMESPACE,
    Key,
    Manifest,
    by_name,
    documents,
    helm,
    kustomized,
    refused_by_helm,
    rendered,
)
from portico_stack.installation.demo import REPOSITORY

pytestmark = [pytest.mark.servers, pytest.mark.long, pytest.mark.xdist_group("go programs")]

FOLDER = REPOSITORY / "deploy" / "helm"
OVERLAYS = ("small", "production", "gateway-api", "client-certificates")
SETTINGS = {"PORTICO_ISSUER": "https://login.example.org"}
ISSUER = {"settings": SETTINGS}
HASHED = re.compile(r"^(portico-(?:settings|gateway))-[a-z0-9]{10}$")
"""kustomize adds a hash to the names of ConfigMaps; the chart has it in a pod annotation."""


def without_hashes(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: without_hashes(value) for name, value in found.items()}
    if isinstance(found, list):
        return [without_hashes(one) for one in found]
    return HASHED.sub(r"\1", found) if isinstance(found, str) else found


def without_annotation(one: Manifest) -> Manifest:
    """Removes the annotation that restarts pods after changed settings."""
    one = copy.deepcopy(one)
    if one["kind"] == "Deployment":
        annotations = one["spec"]["template"]["metadata"].pop("annotations")
        assert list(annotations) == ["portico/settings"]
    return one


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_chart_equals_the_overlay(overlay: str) -> None:
    """With the example values the objects are those of kustomize, except for the namespace."""
    built = by_name([without_hashes(one) for one in kustomized(overlay)])
    made = by_name(
        documents(helm("template", "x", CHART, "--namespace", NAMESPACE, "--values", FOLDER / f"{overlay}.yaml"))
    )
    del built["Namespace", NAMESPACE]

    assert set(made) == set(built)
    for key, one in made.items():
        assert without_annotation(one) == built[key], key


def test_chart_passes_helm_lint() -> None:
    """The chart passes Helm's lint with the examples."""
    for overlay in OVERLAYS:
        assert "0 chart(s) failed" in helm("lint", "--strict", CHART, "--values", FOLDER / f"{overlay}.yaml")


def test_several_secrets_are_one_folder_of_files(tmp_path: Path) -> None:
    """The recipes for kustomize and Helm are equal, and each service has the files that it reads."""
    recipe = REPOSITORY / "deploy" / "kubernetes" / "secrets" / "projected.yaml"
    (tmp_path / "projected.yaml").write_text(recipe.read_text())
    overlay = os.path.relpath(REPOSITORY / "deploy" / "kubernetes" / "overlays" / "production", tmp_path.resolve())
    own = {"resources": [overlay], "patches": [{"path": "projected.yaml"}]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(own))
    built = by_name([without_hashes(one) for one in kustomized(tmp_path)])
    made = rendered(
        tmp_path, *(yaml.safe_load((FOLDER / f"{name}.yaml").read_text()) for name in ("production", "secret-sources"))
    )

    for name, files in FILES.items():
        volumes = pod(made, name)["spec"]["volumes"]
        assert volumes == pod(built, name)["spec"]["volumes"]
        [folder] = [one["projected"] for one in volumes if one["name"] == "secrets"]
        assert folder["defaultMode"] == 0o440
        assert {item["path"] for one in folder["sources"] for item in one["secret"]["items"]} == files
        assert not any("secret" in one for one in volumes)


FILES = {
    "authz": {"portico_bus_password", "portico_redis_password", "portico_login_api_key"},
    "token": {"portico_bus_password", "portico_redis_password"},
    "keys": {"portico_bus_password", "portico_mongo_password", "portico_master_keys"},
    "users": {"portico_bus_password", "portico_redis_password", "portico_mongo_password", "portico_master_keys"},
    "login-ui": {"portico_login_api_key"},
    "console": {"portico_redis_password", "portico_master_keys", "portico_console_client_key"},
}
"""The secrets of each service."""


def pod(objects: dict[Key, Manifest], component: str) -> Any:
    return objects["Deployment", f"portico-{component}"]["spec"]["template"]


def test_changed_settings_restart_pods(tmp_path: Path) -> None:
    """Changed settings change the pod template, because a pod reads its settings at startup."""
    found = [
        pod(rendered(tmp_path, ISSUER, {"settings": {"PORTICO_LOG_LEVEL": level}}), "keys")["metadata"]["annotations"]
        for level in ("info", "info", "debug")
    ]

    assert found[0] == found[1]
    assert found[1] != found[2]


GIVEN = "PORTICO_GATEWAY_PROXIES"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, "10.9.0.0/16 10.8.0.1"), ({GIVEN: "10.7.0.0/16"}, "10.7.0.0/16"), ({GIVEN: ""}, "")],
)
def test_services_know_the_proxies_of_the_gateway(tmp_path: Path, settings: dict[str, str], expected: str) -> None:
    """Services skip the addresses of the networks that the gateway trusts, unless their settings name others."""
    chosen = {"gateway": {"trustedProxies": ["10.9.0.0/16", "10.8.0.1"]}, "settings": settings}
    made = rendered(tmp_path, ISSUER, chosen)
    [container] = pod(made, "gateway")["spec"]["containers"]

    assert made["ConfigMap", "portico-settings"]["data"][GIVEN] == expected
    assert {"name": GIVEN, "value": "10.9.0.0/16 10.8.0.1"} in container["env"]


def test_changed_proxies_of_the_gateway_restart_services(tmp_path: Path) -> None:
    """Changed networks are a changed setting of the services."""
    before, after = (
        pod(rendered(tmp_path, ISSUER, {"gateway": {"trustedProxies": [one]}}), "keys")["metadata"]["annotations"]
        for one in ("10.9.0.0/16", "10.8.0.0/16")
    )

    assert before != after


def source(path: str) -> dict[str, Any]:
    """A Secret with one key, which becomes a file of this name."""
    return {"name": "one", "items": [{"key": "a", "path": path}]}


SECRETS = {"secretSources": [source("portico_bus_password")]}


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({}, "PORTICO_ISSUER"),
        ({"settings": {"PORTICO_ISSUER": "http://login.example.org"}}, "PORTICO_ISSUER"),
        ({"settings": {"PORTICO_ISSUER": "https://login.example.org/"}}, "PORTICO_ISSUER"),
        ({"settings": {"PORTICO_ISUER": "https://login.example.org"}}, "PORTICO_ISUER"),
        ({"settings": {**SETTINGS, "PORTICO_REDIS_PASSWORD": "x"}}, "PORTICO_REDIS_PASSWORD"),
        ({"settings": {**SETTINGS, "PORTICO_DRAIN_SECONDS": 3}}, "PORTICO_DRAIN_SECONDS"),
        ({"settings": {**SETTINGS, "PORTICO_DRAIN_SECONDS": "long"}}, "PORTICO_DRAIN_SECONDS"),
        ({"settings": {**SETTINGS, "PORTICO_REDIS_WAIT_REPLICAS": "1.5"}}, "PORTICO_REDIS_WAIT_REPLICAS"),
        ({"settings": {**SETTINGS, "PORTICO_SMTP_SECURITY": "ssl"}}, "PORTICO_SMTP_SECURITY"),
        ({"settings": {**SETTINGS, "PORTICO_HOST": "127.0.0.1"}}, "PORTICO_HOST"),
        ({**ISSUER, "replicas": 3}, "replicas"),
        ({**ISSUER, "image": {"repository": "registry.example.org/portico/"}}, "repository"),
        ({**ISSUER, "image": {"tag": "1 2"}}, "tag"),
        ({**ISSUER, "image": {"pullSecrets": ["registry"]}}, "pullSecrets"),
        ({**ISSUER, "services": {"tokens": {"replicas": 3}}}, "tokens"),
        ({**ISSUER, "services": {"token": {"replica": 3}}}, "replica"),
        ({**ISSUER, "services": {"token": {"replicas": 0}}}, "replicas"),
        ({**ISSUER, "services": {"keys": {"replicas": 16}}}, "replicas"),
        ({**ISSUER, "services": {"token": {"autoscaling": {"maxReplicas": 16}}}}, "maxReplicas"),
        ({**ISSUER, "services": {"token": {"autoscaling": {"minReplicas": 16}}}}, "minReplicas"),
        ({**ISSUER, "services": {"token": {"autoscaling": {"cpuPercent": 170}}}}, "cpuPercent"),
        ({**ISSUER, "services": {"token": {"resources": {"limit": {"memory": "1Gi"}}}}}, "limit"),
        ({**ISSUER, "services": {"token": {"resources": {"limits": {"memory": "1GB"}}}}}, "memory"),
        ({**ISSUER, "services": {"token": {"env": {"PORTICO_MASTER_KEYS": "x"}}}}, "PORTICO_MASTER_KEYS"),
        ({**ISSUER, "services": {"token": {"env": {"PORTICO_PORT": "8001"}}}}, "PORTICO_PORT"),
        ({**ISSUER, "services": {"keys": {"autoscaling": {"enabled": True}}}}, "autoscaling"),
        ({**ISSUER, "image": {"digest": "sha256:abc"}}, "digest"),
        ({**ISSUER, "services": {"keys": {"existingSecret": "Its_Own"}}}, "existingSecret"),
        ({**ISSUER, "services": {"keys": {**SECRETS, "existingSecret": "its-own"}}}, "existingSecret"),
        ({**ISSUER, "services": {"keys": {"secretSources": [{"items": []}]}}}, "name"),
        ({**ISSUER, "services": {"keys": {"secretSources": [source("portico_bus_pasword")]}}}, "path"),
        ({**ISSUER, "services": {"keys": {"secretSources": [source("portico_issuer")]}}}, "path"),
        ({**ISSUER, "services": {"keys": {"secretSources": [source("../run.py")]}}}, "path"),
        ({**ISSUER, "gateway": {"image": "haproxy 3.2"}}, "image"),
        ({**ISSUER, "gateway": {"clientCertificates": {"serviceType": "ExternalName"}}}, "serviceType"),
        ({**ISSUER, "gateway": {"clientCertificates": {"port": 70_000}}}, "port"),
        ({**ISSUER, "gateway": {"trustedProxies": ["10.0.0.0/8 192.168.0.0/16"]}}, "trustedProxies"),
        ({**ISSUER, "spreadOver": "topology.kubernetes.io/"}, "spreadOver"),
        ({**ISSUER, "podAnnotations": {"example.org/team": 7}}, "podAnnotations"),
        ({**ISSUER, "clusterDomain": ".local"}, "clusterDomain"),
        ({**ISSUER, "ingress": {"enable": True}}, "enable"),
        ({**ISSUER, "ingress": {"className": "NGINX"}}, "className"),
        ({**ISSUER, "ingress": {"tlsSecret": ""}}, "tlsSecret"),
        ({**ISSUER, "ingress": {"annotations": {"example.org/limit": 10}}}, "annotations"),
        ({**ISSUER, "networkPolicies": {"enabled": "yes"}}, "enabled"),
        ({**ISSUER, "networkPolicies": {"monitoringNamespace": "a.b"}}, "monitoringNamespace"),
        ({**ISSUER, "networkPolicies": {"egress": [{}]}}, "egress"),
        ({**ISSUER, "networkPolicies": {"egress": [{"to": []}]}}, "to"),
        ({**ISSUER, "networkPolicies": {"egress": [{"port": 8443}]}}, "port"),
        ({**ISSUER, "networkPolicies": {"egress": [{"ports": [{"port": 70_000}]}]}}, "port"),
        ({**ISSUER, "networkPolicies": {"egress": [{"ports": [{"endPort": 9000}]}]}}, "endPort"),
        ({**ISSUER, "networkPolicies": {"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.1"}}]}]}}, "cidr"),
        ({**ISSUER, "networkPolicies": {"egress": [{"to": [{"ipBlocks": []}]}]}}, "ipBlocks"),
        ({**ISSUER, "gatewayApi": {"parentRefs": []}}, "parentRefs"),
        ({**ISSUER, "gatewayApi": {"parentRefs": [{"name": "door", "listener": "https"}]}}, "listener"),
    ],
)
def test_invalid_values_are_refused(tmp_path: Path, values: dict[str, Any], named: str) -> None:
    """Misspelled names, secrets among the settings and values of wrong types are refused by name."""
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump(values))

    assert named in refused_by_helm("template", "x", CHART, "--values", file)
