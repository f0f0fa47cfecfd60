"""What `deploy/helm` promises: the objects of the overlays, and values of which each has an effect and none is misread (decision 0066)."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kubernetes_validate.utils as kubernetes
import pytest
import yaml
from portico_harness.manifests import NAMESPACE, Manifest, documents, helm, kustomized, refused_by_helm
from portico_stack.demo import REPOSITORY

pytestmark = [pytest.mark.servers, pytest.mark.xdist_group("go programs")]

FOLDER = REPOSITORY / "deploy" / "helm"
CHART = FOLDER / "portico"
OVERLAYS = ("small", "production", "gateway-api")
ISSUER = {"settings": {"PORTICO_ISSUER": "https://login.example.org"}}
HASHED = re.compile(r"^(portico-(?:settings|gateway))-[a-z0-9]{10}$")
"""kustomize adds a digest to the names of ConfigMaps; the chart has it in an annotation of the pods."""

Key = tuple[str, str]


def rendered(tmp_path: Path, *values: dict[str, Any], namespace: str = NAMESPACE) -> dict[Key, Manifest]:
    """What the chart installs with these values, each over those before."""
    files = []
    for number, one in enumerate(values):
        file = tmp_path / f"{number}.yaml"
        file.write_text(yaml.safe_dump(one))
        files += ["--values", str(file)]
    return by_name(documents(helm("template", "anything", CHART, "--namespace", namespace, *files)))


def by_name(objects: list[Manifest]) -> dict[Key, Manifest]:
    """The objects by kind and name; no two have the same."""
    named = {(one["kind"], one["metadata"]["name"]): one for one in objects}
    assert len(named) == len(objects)
    return named


def without_hashes(found: Any) -> Any:
    """Names as they were before kustomize, wherever they are."""
    if isinstance(found, dict):
        return {name: without_hashes(value) for name, value in found.items()}
    if isinstance(found, list):
        return [without_hashes(one) for one in found]
    return HASHED.sub(r"\1", found) if isinstance(found, str) else found


def without_annotation(one: Manifest) -> Manifest:
    """An object without what makes new pods for other settings."""
    one = copy.deepcopy(one)
    if one["kind"] == "Deployment":
        annotations = one["spec"]["template"]["metadata"].pop("annotations")
        assert list(annotations) == ["portico/settings"]
    return one


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_chart_is_the_overlay(overlay: str) -> None:
    """With the example of values the objects are those that kustomize builds, but for the namespace itself."""
    built = by_name([without_hashes(one) for one in kustomized(overlay)])
    made = by_name(
        documents(helm("template", "x", CHART, "--namespace", NAMESPACE, "--values", FOLDER / f"{overlay}.yaml"))
    )
    del built["Namespace", NAMESPACE]

    assert set(made) == set(built)
    for key, one in made.items():
        assert without_annotation(one) == built[key], key


def test_the_chart_is_well_formed() -> None:
    """By Helm's own rules, with the examples."""
    for overlay in OVERLAYS:
        assert "0 chart(s) failed" in helm("lint", "--strict", CHART, "--values", FOLDER / f"{overlay}.yaml")


@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_everything_that_can_be_chosen_is_valid(tmp_path: Path, version: str) -> None:
    """By the schemas of Kubernetes, with every value another one than the default; routes have schemas of their own."""
    objects = rendered(tmp_path, EVERYTHING)

    assert ("Ingress", "portico-gateway") in objects
    for (kind, _name), one in objects.items():
        if kind != "HTTPRoute":
            kubernetes.validate(one, version, strict=True)


EVERYTHING: dict[str, Any] = {
    "settings": {"PORTICO_ISSUER": "https://login.example.org:8443", "PORTICO_LOG_LEVEL": "debug"},
    "image": {"repository": "registry.example.org/portico", "tag": "1.2.3", "pullSecrets": [{"name": "registry"}]},
    "services": {
        "login-ui": {"replicas": 5, "existingSecret": "its-own", "env": {"PORTICO_LOG_LEVEL": "info"}},
        "token": {"autoscaling": {"minReplicas": 3, "maxReplicas": 30, "cpuPercent": 50}},
        "users": {"digest": "sha256:" + "ab" * 32, "resources": {"requests": {"cpu": "2", "memory": "2Gi"}}},
    },
    "gateway": {
        "image": "registry.example.org/haproxy:3.2",
        "replicas": 4,
        "trustedProxies": ["10.9.0.0/16", "10.8.0.1"],
    },
    "spreadOver": "topology.kubernetes.io/region",
    "podAnnotations": {"example.org/team": "identity"},
    "clusterDomain": "cluster.example",
    "networkPolicies": {"monitoringNamespace": "watching"},
    "ingress": {
        "enabled": True,
        "className": "nginx",
        "annotations": {"example.org/limit": "10"},
        "tlsSecret": "its-certificate",
    },
    "gatewayApi": {"enabled": True, "parentRefs": [{"name": "door", "namespace": "doors"}]},
}


def pod(objects: dict[Key, Manifest], component: str) -> Any:
    """What the pods of a component are made from."""
    return objects["Deployment", f"portico-{component}"]["spec"]["template"]


CHOICES: dict[str, tuple[Callable[[dict[Key, Manifest]], object], object]] = {
    "settings": (lambda made: made["ConfigMap", "portico-settings"]["data"], EVERYTHING["settings"]),
    "image": (lambda made: pod(made, "authz")["spec"]["containers"][0]["image"], "registry.example.org/portico/authz:1.2.3"),
    "pull secrets": (lambda made: pod(made, "gateway")["spec"]["imagePullSecrets"], [{"name": "registry"}]),
    "digest": (lambda made: pod(made, "users")["spec"]["containers"][0]["image"], "registry.example.org/portico/users@sha256:" + "ab" * 32),
    "replicas": (lambda made: made["Deployment", "portico-login-ui"]["spec"]["replicas"], 5),
    "secret": (lambda made: pod(made, "login-ui")["spec"]["volumes"][0]["secret"]["secretName"], "its-own"),
    "own setting": (lambda made: pod(made, "login-ui")["spec"]["containers"][0]["env"][-1], {"name": "PORTICO_LOG_LEVEL", "value": "info"}),
    "no replicas beside an autoscaler": (lambda made: "replicas" in made["Deployment", "portico-token"]["spec"], False),
    "least": (lambda made: made["HorizontalPodAutoscaler", "portico-token"]["spec"]["minReplicas"], 3),
    "most": (lambda made: made["HorizontalPodAutoscaler", "portico-token"]["spec"]["maxReplicas"], 30),
    "load": (
        lambda made: made["HorizontalPodAutoscaler", "portico-token"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"],
        50,
    ),
    "resources": (lambda made: pod(made, "users")["spec"]["containers"][0]["resources"]["requests"], {"cpu": "2", "memory": "2Gi"}),
    "gateway's image": (lambda made: pod(made, "gateway")["spec"]["containers"][0]["image"], "registry.example.org/haproxy:3.2"),
    "gateway's replicas": (lambda made: made["Deployment", "portico-gateway"]["spec"]["replicas"], 4),
    "gateway's proxies": (
        lambda made: pod(made, "gateway")["spec"]["containers"][0]["env"],
        [{"name": "PORTICO_GATEWAY_PROXIES", "value": "10.9.0.0/16 10.8.0.1"}],
    ),
    "spread": (
        lambda made: pod(made, "keys")["spec"]["topologySpreadConstraints"][0]["topologyKey"],
        "topology.kubernetes.io/region",
    ),
    "annotation": (lambda made: pod(made, "console")["metadata"]["annotations"]["example.org/team"], "identity"),
    "names of replicas": (
        lambda made: "portico-token-pods.elsewhere.svc.cluster.example:8000" in made["ConfigMap", "portico-gateway"]["data"]["haproxy.cfg"],
        True,
    ),
    "metrics": (
        lambda made: made["NetworkPolicy", "portico-token"]["spec"]["ingress"][-1]["from"][0]["namespaceSelector"]["matchLabels"],
        {"kubernetes.io/metadata.name": "watching"},
    ),
    "ingress' class": (lambda made: made["Ingress", "portico-gateway"]["spec"]["ingressClassName"], "nginx"),
    "ingress' annotation": (lambda made: made["Ingress", "portico-gateway"]["metadata"]["annotations"], {"example.org/limit": "10"}),
    "ingress' host": (lambda made: made["Ingress", "portico-gateway"]["spec"]["rules"][0]["host"], "login.example.org"),
    "ingress' certificate": (
        lambda made: made["Ingress", "portico-gateway"]["spec"]["tls"],
        [{"hosts": ["login.example.org"], "secretName": "its-certificate"}],
    ),
    "route's host": (lambda made: made["HTTPRoute", "portico-gateway"]["spec"]["hostnames"], ["login.example.org"]),
    "route's parent": (
        lambda made: made["HTTPRoute", "portico-gateway"]["spec"]["parentRefs"],
        [{"name": "door", "namespace": "doors"}],
    ),
    "namespace": (lambda made: {one["metadata"]["namespace"] for one in made.values()}, {"elsewhere"}),
}  # fmt: skip


@pytest.fixture(name="everything", scope="module")
def _everything(tmp_path_factory: pytest.TempPathFactory) -> dict[Key, Manifest]:
    return rendered(tmp_path_factory.mktemp("everything"), EVERYTHING, namespace="elsewhere")


@pytest.mark.parametrize("what", CHOICES)
def test_each_value_has_its_effect(everything: dict[Key, Manifest], what: str) -> None:
    """What is chosen is where it belongs."""
    find, wanted = CHOICES[what]

    assert find(everything) == wanted


def test_what_is_switched_off_is_not_there(tmp_path: Path) -> None:
    """Neither rules of the network nor an autoscaler, whose Deployment has a number then; without a word no Ingress and no route."""
    off = {
        "networkPolicies": {"enabled": False},
        "services": {"token": {"autoscaling": {"enabled": False}, "replicas": 7}},
    }
    objects = rendered(tmp_path, ISSUER, off)

    assert {kind for kind, _name in objects} == {"ConfigMap", "Deployment", "PodDisruptionBudget", "Service"}
    assert objects["Deployment", "portico-token"]["spec"]["replicas"] == 7


def test_other_settings_make_new_pods(tmp_path: Path) -> None:
    """A pod reads its settings when it starts."""
    found = [
        pod(rendered(tmp_path, ISSUER, {"settings": {"PORTICO_LOG_LEVEL": level}}), "keys")["metadata"]["annotations"]
        for level in ("info", "info", "debug")
    ]

    assert found[0] == found[1]
    assert found[1] != found[2]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({}, "PORTICO_ISSUER"),
        ({"settings": {"PORTICO_ISUER": "https://login.example.org"}}, "PORTICO_ISUER"),
        ({"settings": {**ISSUER["settings"], "PORTICO_REDIS_PASSWORD": "x"}}, "PORTICO_REDIS_PASSWORD"),
        ({"settings": {**ISSUER["settings"], "PORTICO_DRAIN_SECONDS": 3}}, "PORTICO_DRAIN_SECONDS"),
        ({**ISSUER, "replicas": 3}, "replicas"),
        ({**ISSUER, "services": {"tokens": {"replicas": 3}}}, "tokens"),
        ({**ISSUER, "services": {"token": {"replica": 3}}}, "replica"),
        ({**ISSUER, "services": {"token": {"replicas": 0}}}, "replicas"),
        ({**ISSUER, "services": {"token": {"env": {"PORTICO_MASTER_KEYS": "x"}}}}, "PORTICO_MASTER_KEYS"),
        ({**ISSUER, "services": {"keys": {"autoscaling": {"enabled": True}}}}, "autoscaling"),
        ({**ISSUER, "services": {"keys": {"digest": "sha256:abc"}}}, "digest"),
        ({**ISSUER, "ingress": {"enable": True}}, "enable"),
        ({**ISSUER, "networkPolicies": {"enabled": "yes"}}, "enabled"),
    ],
)
def test_a_value_that_would_be_misread_is_refused(tmp_path: Path, values: dict[str, Any], named: str) -> None:
    """Misspelled names, secrets among the settings, numbers where text is meant: with the name in the answer."""
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump(values))

    assert named in refused_by_helm("template", "x", CHART, "--values", file)
