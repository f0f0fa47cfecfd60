"""What `deploy/kubernetes` promises: valid objects, hardened pods, probes, and exactly the connections of the topology."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import kubernetes_validate.utils as kubernetes
import pytest
import yaml
from portico_contracts.topology import DRAIN_SECONDS, TOPOLOGY, UNANNOUNCED_SECONDS
from portico_harness.manifests import documents, kustomized
from portico_runtime.settings import known_names
from portico_stack.binaries import find_haproxy
from portico_stack.demo import REPOSITORY

FOLDER = REPOSITORY / "deploy" / "kubernetes"
OVERLAYS = ("small", "production")
VERSIONS = ("1.30", "1.37")
"""The oldest release that can wait before a stop without a shell, and the newest one whose schemas the tests have."""

COMPONENTS = ("authz", "token", "keys", "users", "login-ui", "console", "gateway")
STORES = {"redis": 6379, "mongo": 27017, "nats": 4222}


def base() -> list[dict[str, Any]]:
    """The objects of the base."""
    files = sorted(path for path in (FOLDER / "base").glob("*.yaml") if path.name != "kustomization.yaml")
    return [one for path in files for one in documents(path.read_text())]


builds = pytest.mark.long
"""Builds kustomize with Go where it is not installed, which takes a minute."""

BASE = base()
DEPLOYMENTS = {one["metadata"]["name"].removeprefix("portico-"): one for one in BASE if one["kind"] == "Deployment"}


@builds
@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_is_valid(version: str) -> None:
    """By the schemas of Kubernetes, where a member that is not known is a mistake."""
    overlays = [kustomized(overlay) for overlay in OVERLAYS]
    different = {yaml.dump(one): one for objects in overlays for one in objects}

    assert min(map(len, overlays)) > 35
    for one in different.values():
        kubernetes.validate(one, version, strict=True)


def test_a_mistake_would_be_noticed() -> None:
    """The schemas are really strict: a member that is misspelled, a value of another type."""
    deployment = yaml.safe_load(yaml.dump(DEPLOYMENTS["token"]))
    deployment["spec"]["replicaz"] = 2
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(deployment, VERSIONS[1], strict=True)


@pytest.mark.parametrize("name", COMPONENTS)
def test_pods_are_restricted(name: str) -> None:
    """The profile "restricted" of the Pod Security Standards, no account at the API server, nothing that can be written."""
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
def test_probes_and_the_end_of_a_pod(name: str) -> None:
    """Alive never depends on another program; a pod is killed only after it could finish what was under way."""
    pod = DEPLOYMENTS[name]["spec"]["template"]["spec"]
    [container] = pod["containers"]

    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": 9000}
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": 9000}
    assert container["startupProbe"]["httpGet"] == {"path": "/readyz", "port": 9000}
    assert container["lifecycle"]["preStop"] == {"sleep": {"seconds": UNANNOUNCED_SECONDS}}
    assert pod["terminationGracePeriodSeconds"] >= UNANNOUNCED_SECONDS + DRAIN_SECONDS + 10


def test_secrets_are_files_and_settings_are_passed_on() -> None:
    """No secret is in the environment; every service has its own and no other's; every setting has a name services know."""
    for name in TOPOLOGY:
        pod = DEPLOYMENTS[name]["spec"]["template"]["spec"]
        [container] = pod["containers"]
        secrets = [volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume]
        assert secrets == [f"portico-{name}"]
        assert {one["name"] for one in container["env"]} <= known_names() | {"PORTICO_SECRETS_DIR"}
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


def test_external_secrets_are_those_the_pods_wait_for() -> None:
    """The recipe has each Secret with exactly the files its service is given."""
    objects = documents((FOLDER / "secrets" / "external-secrets.yaml").read_text())
    made = {one["metadata"]["name"]: {key["secretKey"] for key in one["spec"]["data"]} for one in objects}

    assert made == {
        f"portico-{name}": {f"portico_{secret}" for secret in secrets} for name, secrets in EXTERNAL.items()
    }


def test_services_may_send_spans_to_a_collector_where_that_is_applied() -> None:
    """Every service to the one port of the collector's pods, and not the gateway, which sends none."""
    [policy] = documents((FOLDER / "tracing" / "collector.yaml").read_text())
    kubernetes.validate(policy, VERSIONS[1], strict=True)
    [rule] = policy["spec"]["egress"]
    [expression] = policy["spec"]["podSelector"]["matchExpressions"]

    assert policy["metadata"]["namespace"] == "portico"
    assert policy["spec"]["policyTypes"] == ["Egress"]
    assert expression["values"] == ["authz", "token", "keys", "users", "login-ui", "console"]
    assert rule["ports"] == [{"protocol": "TCP", "port": 4318}]
    assert [set(peer) for peer in rule["to"]] == [{"namespaceSelector", "podSelector"}]


def test_only_token_follows_the_load() -> None:
    """Its replicas are the autoscaler's, so that applying the manifests again does not reset them; all others have a number."""
    scaled = [one["spec"]["scaleTargetRef"]["name"] for one in BASE if one["kind"] == "HorizontalPodAutoscaler"]
    budgets = [one["metadata"]["name"] for one in BASE if one["kind"] == "PodDisruptionBudget"]

    assert scaled == ["portico-token"]
    assert [name for name, one in DEPLOYMENTS.items() if "replicas" not in one["spec"]] == ["token"]
    assert sorted(budgets) == sorted(f"portico-{name}" for name in COMPONENTS)


@builds
def test_overlays_differ_as_they_say() -> None:
    """One replica of each on a small cluster, and no autoscaler; zones and an Ingress in production."""
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
    """The Services of users and of the gateway name the protocol, so that what balances it does not speak HTTP/1.1."""
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
def test_haproxy_reads_the_configuration_of_the_gateway() -> None:
    """Without a warning, with the names of the replicas."""
    file = FOLDER / "base" / "haproxy.cfg"
    done = subprocess.run([find_haproxy(), "-c", "-f", file], capture_output=True, text=True, check=False)

    assert done.stdout + done.stderr == "Configuration file is valid\n"
    assert "server-template token-1- 16 portico-token-pods.portico.svc.cluster.local:8000" in Path(file).read_text()


class Edge(NamedTuple):
    """A connection from one component to a port of another one."""

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
"""Between ours: nothing else may connect to anything."""

TO_STORES = {
    ("authz", "nats"), ("authz", "redis"), ("token", "nats"), ("token", "redis"), ("keys", "nats"), ("keys", "mongo"),
    ("users", "nats"), ("users", "redis"), ("users", "mongo"), ("console", "redis"),
}  # fmt: skip
OUTSIDE = {("authz", 443), ("users", 443), ("users", 587), ("users", 465), ("users", 25)}
PORTS = (8000, 8080, 8100, 9000, 22)


def policies_of(component: str) -> Iterator[dict[str, Any]]:
    """Those that select its pods."""
    labels = {"app.kubernetes.io/part-of": "portico", "app.kubernetes.io/component": component}
    for one in BASE:
        if one["kind"] == "NetworkPolicy":
            wanted = one["spec"]["podSelector"].get("matchLabels", {})
            if wanted.items() <= labels.items():
                yield one["spec"]


def allows(rules: Iterable[dict[str, Any]], side: str, peer: str | None, port: int) -> bool:
    """A rule opens a port for pods of a component; None for an address outside of the cluster."""
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
    """Both ends allow it, as a network plugin decides."""
    leaves = any(allows(one.get("egress", []), "to", edge.target, edge.port) for one in policies_of(edge.source))
    enters = any(allows(one.get("ingress", []), "from", edge.source, edge.port) for one in policies_of(edge.target))
    return leaves and enters


def test_exactly_the_edges_of_the_topology_are_open() -> None:
    """Every component to every port of every other one: what is written down here, and nothing else."""
    found = {
        edge
        for source in COMPONENTS
        for target in COMPONENTS
        for port in PORTS
        if source != target and may_connect(edge := Edge(source, target, port))
    }

    # Every address may enter at the gateway; none of ours has a way there.
    assert found == EDGES


def test_each_component_reaches_its_stores_and_no_others() -> None:
    """The ports of the servers, from those that use them."""
    found = {
        (name, store)
        for name in COMPONENTS
        for store, port in STORES.items()
        if any(allows(one.get("egress", []), "to", None, port) for one in policies_of(name))
    }

    assert found == TO_STORES


def test_only_authz_and_users_call_out() -> None:
    """To https outside of the cluster, never to an address inside; users also to a mail server."""
    found = {
        (name, port)
        for name in COMPONENTS
        for port in (25, 80, 443, 465, 587)
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
    assert all("10.0.0.0/8" in one["except"] and "169.254.0.0/16" in one["except"] for one in blocks)


def test_everything_is_closed_without_a_rule() -> None:
    """A pod of ours that no policy names may neither be reached nor reach anything but the names of others."""
    [nothing] = [one["spec"] for one in BASE if one["metadata"]["name"] == "portico-nothing"]

    assert nothing == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
