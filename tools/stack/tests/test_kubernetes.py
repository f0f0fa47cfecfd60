"""`deploy/kubernetes`: valid objects, hardened pods, probes, and exactly the connections of the topology."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import kubernetes_validate.utils as kubernetes
import pytest
import yaml
from portico_contracts.topology import DRAIN_SECONDS, TOPOLOGY, UNANNOUNCED_SECONDS
from portico_harness.manifests import documents, kustomized
from portico_runtime.settings.loading import known_names
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.binaries import find_haproxy

FOLDER = REPOSITORY / "deploy" / "kubernetes"
OVERLAYS = ("small", "production")
VERSIONS = ("1.30", "1.37")
"""The oldest release with a sleep action before stop, and the newest one with schemas in the tests."""

COMPONENTS = ("authz", "token", "keys", "users", "login-ui", "console", "gateway")
STORES = {"redis": 6379, "sentinel": 26379, "mongo": 27017, "nats": 4222}


def base() -> list[dict[str, Any]]:
    files = sorted(path for path in (FOLDER / "base").glob("*.yaml") if path.name != "kustomization.yaml")
    return [one for path in files for one in documents(path.read_text())]


builds = pytest.mark.long
"""Builds kustomize with Go where it is not installed, which takes a minute."""

BASE = base()
DEPLOYMENTS = {one["metadata"]["name"].removeprefix("portico-"): one for one in BASE if one["kind"] == "Deployment"}


@pytest.mark.slow
@builds
def test_every_object_is_valid() -> None:
    """Objects are valid by the schemas of Kubernetes, where unknown members are errors."""
    overlays = [kustomized(overlay) for overlay in (*OVERLAYS, "client-certificates")]
    different = {json.dumps(one, sort_keys=True): one for objects in overlays for one in objects}

    assert min(map(len, overlays)) > 35
    for version, one in product(VERSIONS, different.values()):
        assert violation_in(one, version) == "", (version, one["kind"], one["metadata"]["name"])


def violation_in(manifest: dict[str, Any], version: str) -> str:
    try:
        kubernetes.validate(manifest, version, strict=True)
    except kubernetes.ValidationError as error:
        return error.message
    return ""


def test_schemas_are_strict() -> None:
    """A misspelled member and a value of another type are detected."""
    deployment = yaml.safe_load(yaml.dump(DEPLOYMENTS["token"]))
    deployment["spec"]["replicaz"] = 2
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(deployment, VERSIONS[1], strict=True)


@pytest.mark.parametrize("name", COMPONENTS)
def test_pods_are_restricted(name: str) -> None:
    """Pods have the profile "restricted", no API server account and no writable file system."""
    pod = DEPLOYMENTS[name]["spec"]["template"]["spec"]
    [container] = pod["containers"]

    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
    assert {next(iter(set(volume) - {"name"})) for volume in pod["volumes"]} <= {"secret", "emptyDir", "configMap"}
    assert container["resources"]["limits"]["memory"] == container["resources"]["requests"]["memory"]


@pytest.mark.parametrize("name", [name for name in COMPONENTS if name != "gateway"])
def test_probes_and_shutdown(name: str) -> None:
    """Liveness depends on no other program, and a pod is killed only after its requests had time to finish."""
    pod = DEPLOYMENTS[name]["spec"]["template"]["spec"]
    [container] = pod["containers"]

    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": 9000}
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": 9000}
    assert container["startupProbe"]["httpGet"] == {"path": "/readyz", "port": 9000}
    assert container["lifecycle"]["preStop"] == {"sleep": {"seconds": UNANNOUNCED_SECONDS}}
    assert pod["terminationGracePeriodSeconds"] >= UNANNOUNCED_SECONDS + DRAIN_SECONDS + 10


def test_secrets_are_files_and_settings_are_passed_on() -> None:
    """Secrets are files of one service each and not in the environment, and every setting has a known name."""
    for name in TOPOLOGY:
        pod = DEPLOYMENTS[name]["spec"]["template"]["spec"]
        [container] = pod["containers"]
        secrets = [volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume]
        assert secrets == [f"portico-{name}"]
        assert {one["name"] for one in container["env"]} <= known_names() | {"PORTICO_SECRETS_DIR", "PORTICO_SERVICE"}
        assert {"name": "PORTICO_SERVICE", "value": name} in container["env"]
        assert not any("valueFrom" in one for one in container["env"])
    for overlay in OVERLAYS:
        lines = (FOLDER / "overlays" / overlay / "settings.env").read_text().splitlines()
        names = {line.partition("=")[0] for line in lines if line and not line.startswith("#")}
        assert names <= known_names()
        assert not {name for name in names if name.endswith(("PASSWORD", "KEY", "KEYS", "SECRET"))}


EXTERNAL = {
    "authz": {"bus_password", "redis_password", "login_api_key"},
    "token": {"bus_password", "redis_password"},
    "keys": {"bus_password", "mongo_password", "master_keys"},
    "users": {"bus_password", "redis_password", "mongo_password", "master_keys"},
    "login-ui": {"login_api_key"},
    "console": {"redis_password", "master_keys", "console_client_key"},
}
"""The files of each service."""


def test_external_secrets_match_the_pods() -> None:
    """The recipe has each Secret with exactly the files of its service."""
    objects = documents((FOLDER / "secrets" / "external-secrets.yaml").read_text())
    made = {one["metadata"]["name"]: {key["secretKey"] for key in one["spec"]["data"]} for one in objects}

    assert made == {
        f"portico-{name}": {f"portico_{secret}" for secret in secrets} for name, secrets in EXTERNAL.items()
    }


def test_services_may_send_spans_to_a_collector() -> None:
    """Where the policy is applied, every service may reach the collector's port, and the gateway may not."""
    [policy] = documents((FOLDER / "tracing" / "collector.yaml").read_text())
    kubernetes.validate(policy, VERSIONS[1], strict=True)
    [rule] = policy["spec"]["egress"]
    [expression] = policy["spec"]["podSelector"]["matchExpressions"]

    assert policy["metadata"]["namespace"] == "portico"
    assert policy["spec"]["policyTypes"] == ["Egress"]
    assert expression["values"] == ["authz", "token", "keys", "users", "login-ui", "console"]
    assert rule["ports"] == [{"protocol": "TCP", "port": 4318}]
    assert [set(peer) for peer in rule["to"]] == [{"namespaceSelector", "podSelector"}]


def test_only_token_is_autoscaled() -> None:
    """Token's manifest has no replica count, so that applying it does not reset the autoscaler."""
    scaled = [one["spec"]["scaleTargetRef"]["name"] for one in BASE if one["kind"] == "HorizontalPodAutoscaler"]
    budgets = [one["metadata"]["name"] for one in BASE if one["kind"] == "PodDisruptionBudget"]

    assert scaled == ["portico-token"]
    assert [name for name, one in DEPLOYMENTS.items() if "replicas" not in one["spec"]] == ["token"]
    assert sorted(budgets) == sorted(f"portico-{name}" for name in COMPONENTS)


@pytest.mark.slow
@builds
def test_overlays_differ_as_documented() -> None:
    """The small overlay has one replica each without autoscaling, and production has zones and an Ingress."""
    small, production = kustomized("small"), kustomized("production")

    assert {one["spec"].get("replicas") for one in small if one["kind"] == "Deployment"} == {1}
    assert "HorizontalPodAutoscaler" not in {one["kind"] for one in small}
    keys = {
        one["spec"]["template"]["spec"]["topologySpreadConstraints"][0]["topologyKey"]
        for one in production
        if one["kind"] == "Deployment"
    }
    assert keys == {"topology.kubernetes.io/zone"}
    [ingress] = [one for one in production if one["kind"] == "Ingress"]
    assert ingress["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]["name"] == "portico-gateway"


def test_plain_grpc_stays_http2() -> None:
    """The Services of users and gateway declare the protocol, so that load balancers do not speak HTTP/1.1."""
    services = {one["metadata"]["name"]: one for one in BASE if one["kind"] == "Service"}
    grpc = {
        name: port
        for name, one in services.items()
        for port in one["spec"]["ports"]
        if port.get("appProtocol") == "kubernetes.io/h2c"
    }

    assert set(grpc) == {"portico-users", "portico-users-pods", "portico-gateway"}
    assert {port["port"] for port in grpc.values()} == {8100}
    assert {name for name, one in services.items() if one["spec"].get("clusterIP") == "None"} == {
        f"portico-{name}-pods" for name in TOPOLOGY
    }


@pytest.mark.servers
def test_haproxy_reads_the_gateway_configuration() -> None:
    """HAProxy reads the configuration without a warning, with the names of the replicas."""
    file = FOLDER / "base" / "haproxy.cfg"
    done = subprocess.run([find_haproxy(), "-c", "-f", file], capture_output=True, text=True, check=False)

    assert done.stdout + done.stderr == "Configuration file is valid\n"
    assert "server-template token-1- 16 portico-token-pods.portico.svc.cluster.local:8000" in Path(file).read_text()


class Edge(NamedTuple):
    source: str
    target: str
    port: int


EDGES = {
    *(Edge("gateway", name, port) for name in TOPOLOGY for port in (8000, 9000)),
    Edge("gateway", "users", 8100),
    Edge("login-ui", "authz", 8000),
    Edge("console", "token", 8000),
    Edge("console", "keys", 8000),
    Edge("console", "users", 8000),
    Edge("authz", "console", 8000),
}
"""All permitted internal connections."""

TO_STORES = {
    ("authz", "nats"), ("authz", "redis"), ("authz", "sentinel"), ("token", "nats"), ("token", "redis"),
    ("token", "sentinel"), ("keys", "nats"), ("keys", "mongo"), ("users", "nats"), ("users", "redis"),
    ("users", "sentinel"), ("users", "mongo"), ("console", "redis"), ("console", "sentinel"),
}  # fmt: skip
OUTSIDE = {("authz", 443), *(("users", port) for port in (443, 25, 465, 587, 2525, 389, 636))}
INTERNAL = {
    "0.0.0.0/0": {"10.0.0.0/8", "169.254.0.0/16"},
    "::/0": {"fc00::/7", "fe80::/10", "64:ff9b::a00:0/104", "64:ff9b::a9fe:0/112"},
}
PORTS = (8000, 8080, 8100, 9000, 22)


def policies_of(component: str) -> Iterator[dict[str, Any]]:
    labels = {"app.kubernetes.io/part-of": "portico", "app.kubernetes.io/component": component}
    for one in BASE:
        if one["kind"] == "NetworkPolicy":
            wanted = one["spec"]["podSelector"].get("matchLabels", {})
            if wanted.items() <= labels.items():
                yield one["spec"]


def allows(rules: Iterable[dict[str, Any]], side: str, peer: str | None, port: int) -> bool:
    """Reports whether a rule opens a port for a component's pods; None means an external address."""
    return any(
        port in [one["port"] for one in rule.get("ports", [])] and _means(rule.get(side), peer) for rule in rules
    )


def _means(peers: list[dict[str, Any]] | None, component: str | None) -> bool:
    if peers is None:
        return True
    if component is None:
        return any("ipBlock" in one for one in peers)
    return any(
        one.get("podSelector", {}).get("matchLabels", {}).get("app.kubernetes.io/component") == component
        for one in peers
    )


def may_connect(edge: Edge) -> bool:
    """Reports whether the policies of both ends allow a connection, as a network plugin decides."""
    leaves = any(allows(one.get("egress", []), "to", edge.target, edge.port) for one in policies_of(edge.source))
    enters = any(allows(one.get("ingress", []), "from", edge.source, edge.port) for one in policies_of(edge.target))
    return leaves and enters


def test_network_policies_allow_exactly_the_topology() -> None:
    """Of all component pairs and ports exactly the listed connections are open."""
    found = {
        edge
        for source in COMPONENTS
        for target in COMPONENTS
        for port in PORTS
        if source != target and may_connect(edge := Edge(source, target, port))
    }

    # Any address may reach the gateway; internal components may not.
    assert found == EDGES


def test_components_reach_their_stores_only() -> None:
    """Each component reaches the server ports that it uses and no others."""
    found = {
        (name, store)
        for name in COMPONENTS
        for store, port in STORES.items()
        if any(allows(one.get("egress", []), "to", None, port) for one in policies_of(name))
    }

    assert found == TO_STORES


def test_only_authz_and_users_call_out() -> None:
    """Both may reach external https and no internal addresses, and users also mail servers and directories."""
    found = {
        (name, port)
        for name in COMPONENTS
        for port in (25, 80, 389, 443, 465, 587, 636, 2525, 3268)
        if any(allows(one.get("egress", []), "to", None, port) for one in policies_of(name))
    }
    blocks = [
        peer["ipBlock"]
        for name in COMPONENTS
        for one in policies_of(name)
        for rule in one.get("egress", [])
        for peer in rule.get("to", [])
        if "ipBlock" in peer
    ]

    assert found == OUTSIDE
    assert {one["cidr"] for one in blocks} == set(INTERNAL)
    assert all(INTERNAL[one["cidr"]] <= set(one["except"]) for one in blocks)


def test_mail_servers_and_directories_may_have_private_addresses() -> None:
    """The service users may reach both at any address: the rules name only their ports."""
    ports = {25, 465, 587, 2525, 389, 636}
    rules = [rule for one in policies_of("users") for rule in one.get("egress", [])]
    found = [rule for rule in rules if ports & {one["port"] for one in rule["ports"]}]

    assert {one["port"] for rule in found for one in rule["ports"]} == ports
    assert not any("to" in rule for rule in found)


def test_default_policy_denies_everything() -> None:
    """The default policy selects every pod and allows no ingress or egress, so every connection needs a rule."""
    [nothing] = [one["spec"] for one in BASE if one["metadata"]["name"] == "portico-nothing"]

    assert nothing == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
