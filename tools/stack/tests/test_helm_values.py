"""Each documented value of the chart has an effect: changed, it appears in the installed objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import kubernetes_validate.utils as kubernetes
import pytest
import yaml
from portico_harness.manifests import CHART, Key, Manifest, rendered

pytestmark = [pytest.mark.servers, pytest.mark.long, pytest.mark.xdist_group("go programs")]

NAMES = ("authz", "token", "keys", "users", "login-ui", "console")
SERVICE = "services.<service>."
ISSUER = {"PORTICO_ISSUER": "https://login.example.org:8443"}
HOST = "login.example.org"

Made = dict[Key, Manifest]


class Choice(NamedTuple):
    """A changed value and its expected result.

    Attributes:
        other: a non-default value.
        find: returns the place where it has its effect.
        wanted: the expected content there.
    """

    other: Any
    find: Callable[[Made], object]
    wanted: object


def deployment(made: Made, component: str) -> Any:
    return made["Deployment", f"portico-{component}"]["spec"]


def pod(made: Made, component: str) -> Any:
    return deployment(made, component)["template"]


def container(made: Made, component: str) -> Any:
    [one] = pod(made, component)["spec"]["containers"]
    return one


def scaler(made: Made) -> Any:
    return made["HorizontalPodAutoscaler", "portico-token"]["spec"]


def ingress(made: Made) -> Any:
    return made["Ingress", "portico-gateway"]


def listener(made: Made) -> Any:
    return made["Service", "portico-gateway-mtls"]


SMALL = {"requests": {"cpu": 3, "memory": "3Gi"}, "limits": {"memory": "3Gi"}}
ANNOTATIONS = {"example.org/team": "identity"}
PARENTS = [{"name": "door", "namespace": "doors", "sectionName": "tls", "port": 8443}]
PRIVATE_HOST = {"to": [{"ipBlock": {"cidr": "10.20.0.9/32"}}], "ports": [{"protocol": "TCP", "port": 8443}]}
PODS = {
    "to": [
        {
            "namespaceSelector": {"matchLabels": ANNOTATIONS},
            "podSelector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
        }
    ]
}
PORTS = {"ports": [{"port": 8000, "endPort": 8010}, {"protocol": "UDP", "port": "ldap"}]}
EGRESS = [PRIVATE_HOST, PODS, PORTS]
DIGEST = "sha256:" + "ab" * 32

CHOICES: dict[str, Choice] = {
    "settings": Choice(
        {**ISSUER, "PORTICO_LOG_LEVEL": "debug", "PORTICO_AUTHZ_URL": "http://elsewhere:1"},
        lambda made: made["ConfigMap", "portico-settings"]["data"],
        {
            **ISSUER,
            "PORTICO_LOG_LEVEL": "debug",
            "PORTICO_AUTHZ_URL": "http://elsewhere:1",
            "PORTICO_TOKEN_URL": "http://portico-token:8000",
            "PORTICO_KEYS_URL": "http://portico-keys:8000",
            "PORTICO_USERS_URL": "http://portico-users:8000",
            "PORTICO_CONSOLE_SERVICE_URL": "http://portico-console:8000",
            "PORTICO_TRUSTED_PROXIES": "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fd00::/8",
            "PORTICO_GATEWAY_PROXIES": "10.9.0.0/16 10.8.0.1",
        },
    ),
    "image.repository": Choice("example.org/x", lambda made: container(made, "authz")["image"].rpartition("/")[0], "example.org/x"),
    "image.tag": Choice("1.2.3", lambda made: container(made, "authz")["image"].rpartition(":")[2], "1.2.3"),
    "image.pullSecrets": Choice(
        [{"name": "registry"}],
        lambda made: [pod(made, one)["spec"]["imagePullSecrets"] for one in (*NAMES, "gateway")],
        [[{"name": "registry"}]] * 7,
    ),
    "services.token.autoscaling.minReplicas": Choice(3, lambda made: scaler(made)["minReplicas"], 3),
    "services.token.autoscaling.maxReplicas": Choice(15, lambda made: scaler(made)["maxReplicas"], 15),
    "services.token.autoscaling.cpuPercent": Choice(
        50, lambda made: scaler(made)["metrics"][0]["resource"]["target"]["averageUtilization"], 50
    ),
    "gateway.image": Choice("example.org/haproxy:3.2", lambda made: container(made, "gateway")["image"], "example.org/haproxy:3.2"),
    "gateway.replicas": Choice(4, lambda made: deployment(made, "gateway")["replicas"], 4),
    "gateway.resources": Choice(SMALL, lambda made: container(made, "gateway")["resources"], SMALL),
    "gateway.trustedProxies": Choice(
        ["10.9.0.0/16", "10.8.0.1"],
        lambda made: container(made, "gateway")["env"][1:2],
        [{"name": "PORTICO_GATEWAY_PROXIES", "value": "10.9.0.0/16 10.8.0.1"}],
    ),
    "gateway.clientCertificates.enabled": Choice(
        True, lambda made: [one["containerPort"] for one in container(made, "gateway")["ports"]], [8080, 8444]
    ),
    "gateway.clientCertificates.tlsSecret": Choice(
        "its-own", lambda made: pod(made, "gateway")["spec"]["volumes"][-1]["secret"]["secretName"], "its-own"
    ),
    "gateway.clientCertificates.keySecret": Choice(
        "its-key",
        lambda made: container(made, "gateway")["env"][-1]["valueFrom"]["secretKeyRef"],
        {"name": "its-key", "key": "portico_mtls_gateway_key"},
    ),
    "gateway.clientCertificates.serviceType": Choice(
        "ClusterIP", lambda made: (listener(made)["spec"]["type"], "externalTrafficPolicy" in listener(made)["spec"]), ("ClusterIP", False)
    ),
    "gateway.clientCertificates.port": Choice(443, lambda made: listener(made)["spec"]["ports"][0]["port"], 443),
    "gateway.clientCertificates.annotations": Choice(
        {"example.org/balancer": "internal"}, lambda made: listener(made)["metadata"]["annotations"], {"example.org/balancer": "internal"}
    ),
    "ipv6": Choice(
        True,
        lambda made: [one["value"] for name in (*NAMES, "gateway") for one in container(made, name)["env"] if one["name"] == "PORTICO_HOST"],
        ["::"] * 7,
    ),
    "spreadOver": Choice(
        "topology.kubernetes.io/region",
        lambda made: {pod(made, one)["spec"]["topologySpreadConstraints"][0]["topologyKey"] for one in (*NAMES, "gateway")},
        {"topology.kubernetes.io/region"},
    ),
    "podAnnotations": Choice(
        ANNOTATIONS,
        lambda made: [pod(made, one)["metadata"]["annotations"]["example.org/team"] for one in (*NAMES, "gateway")],
        ["identity"] * 7,
    ),
    "clusterDomain": Choice(
        "cluster.example",
        lambda made: "portico-token-pods.elsewhere.svc.cluster.example:8000" in made["ConfigMap", "portico-gateway"]["data"]["haproxy.cfg"],
        True,
    ),
    "networkPolicies.monitoringNamespace": Choice(
        "watching",
        lambda made: made["NetworkPolicy", "portico-token"]["spec"]["ingress"][-1]["from"][0]["namespaceSelector"]["matchLabels"],
        {"kubernetes.io/metadata.name": "watching"},
    ),
    "networkPolicies.egress": Choice(
        EGRESS,
        lambda made: [name for name in NAMES if made["NetworkPolicy", f"portico-{name}"]["spec"]["egress"][-3:] == EGRESS],
        ["authz", "users"],
    ),
    "ingress.enabled": Choice(True, lambda made: ingress(made)["spec"]["rules"][0]["host"], HOST),
    "ingress.className": Choice("nginx", lambda made: ingress(made)["spec"]["ingressClassName"], "nginx"),
    "ingress.annotations": Choice({"example.org/limit": "10"}, lambda made: ingress(made)["metadata"]["annotations"], {"example.org/limit": "10"}),
    "ingress.tlsSecret": Choice("its-own", lambda made: ingress(made)["spec"]["tls"], [{"hosts": [HOST], "secretName": "its-own"}]),
    "gatewayApi.enabled": Choice(True, lambda made: made["HTTPRoute", "portico-gateway"]["spec"]["hostnames"], [HOST]),
    "gatewayApi.parentRefs": Choice(PARENTS, lambda made: made["HTTPRoute", "portico-gateway"]["spec"]["parentRefs"], PARENTS),
}  # fmt: skip
"""Values that can be set together; those of each service are below."""


def of_service(name: str) -> dict[str, Choice]:
    """Returns values of a service, unique per service so that none can be confused."""
    replicas = 10 + NAMES.index(name)
    amounts = {"requests": {"cpu": f"{replicas}", "memory": "5Gi"}, "limits": {"memory": "5Gi"}}
    return {
        "resources": Choice(amounts, lambda made: container(made, name)["resources"], amounts),
        "existingSecret": Choice(
            f"own-{name}",
            lambda made: pod(made, name)["spec"]["volumes"][0],
            {"name": "secrets", "secret": {"secretName": f"own-{name}", "defaultMode": 0o440}},
        ),
        "env": Choice(
            {"PORTICO_LOG_LEVEL": "info", "PORTICO_PEOPLE_IN_MEMORY": f"{replicas}00000"},
            lambda made: container(made, name)["env"][-2:],
            [
                {"name": "PORTICO_LOG_LEVEL", "value": "info"},
                {"name": "PORTICO_PEOPLE_IN_MEMORY", "value": f"{replicas}00000"},
            ],
        ),
    }


def instead(name: str) -> dict[str, Choice]:
    """Returns alternative values of a service; the replica count of token requires that autoscaling is off."""
    replicas = 10 + NAMES.index(name)
    sources = [
        {"name": f"bus-{name}", "items": [{"key": "password", "path": "portico_bus_password"}]},
        {"name": f"files-{name}", "optional": True},
    ]
    folder = {"defaultMode": 0o440, "sources": [{"secret": one} for one in sources]}
    return {
        "replicas": Choice(replicas, lambda made: deployment(made, name)["replicas"], replicas),
        "secretSources": Choice(
            sources,
            lambda made: pod(made, name)["spec"]["volumes"][0],
            {"name": "secrets", "projected": folder},
        ),
    }


OFF: dict[str, Choice] = {
    "settings": Choice(ISSUER, lambda made: set(made["ConfigMap", "portico-settings"]["data"]) > set(ISSUER), True),
    "image.digest": Choice(
        DIGEST, lambda made: {container(made, name)["image"] for name in NAMES}, {f"portico/services@{DIGEST}"}
    ),
    "services.token.autoscaling.enabled": Choice(
        False, lambda made: [kind for kind, _ in made if kind == "HorizontalPodAutoscaler"], []
    ),
    "networkPolicies.enabled": Choice(False, lambda made: [kind for kind, _ in made if kind == "NetworkPolicy"], []),
}
"""Values that remove something, and the digest, which replaces the tag."""

TOGETHER = {**CHOICES, **{f"services.{name}.{path}": one for name in NAMES for path, one in of_service(name).items()}}
OTHERWISE = {**OFF, **{f"services.{name}.{path}": one for name in NAMES for path, one in instead(name).items()}}


def nested(choices: dict[str, Choice]) -> dict[str, Any]:
    """Converts paths to the nested structure of a values file."""
    found: dict[str, Any] = {}
    for path, one in choices.items():
        *folders, name = path.split(".")
        inner = found
        for folder in folders:
            inner = inner.setdefault(folder, {})
        inner[name] = one.other
    return found


@pytest.fixture(name="made", scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Made, Made]:
    together, otherwise = (tmp_path_factory.mktemp(name) for name in ("together", "otherwise"))
    return (
        rendered(together, nested(TOGETHER), namespace="elsewhere"),
        rendered(otherwise, nested(OTHERWISE), namespace="elsewhere"),
    )


@pytest.mark.parametrize("path", TOGETHER)
def test_each_value_has_its_effect(made: tuple[Made, Made], path: str) -> None:
    """Each documented value appears in its place of the installed objects."""
    _other, find, wanted = TOGETHER[path]

    assert find(made[0]) == wanted


@pytest.mark.parametrize("path", OTHERWISE)
def test_each_alternative_value_has_its_effect(made: tuple[Made, Made], path: str) -> None:
    """Disabled parts are absent, and alternative values appear in their place."""
    _other, find, wanted = OTHERWISE[path]

    assert find(made[1]) == wanted


def test_every_value_is_tested() -> None:
    """The README documents every value of values.yaml, and these tests change each of them."""
    _head, _, table = (CHART / "README.md").read_text().partition("\n## Values\n")
    documented = set(re.findall(r"^\| `([^`]+)` \| ", table, re.MULTILINE))
    defaults = yaml.safe_load((CHART / "values.yaml").read_text())
    chosen = {path: one.other for choices in (TOGETHER, OTHERWISE) for path, one in choices.items()}

    assert {common(path) for path in chosen} == documented
    for path, other in chosen.items():
        assert at(defaults, path) != other, path
    assert {common(path) for path in leaves(defaults, documented, ())} == documented


def common(path: str) -> str:
    """Returns the documented path; values common to all services are documented once."""
    services, _, rest = path.partition(".")
    _name, _, value = rest.partition(".")
    return f"{SERVICE}{value}" if services == "services" and not value.startswith("autoscaling") else path


def at(values: Any, path: str) -> object:
    for name in path.split("."):
        values = values[name]
    return values


def leaves(values: Any, known: set[str], path: tuple[str, ...]) -> Iterator[str]:
    """Returns the paths below which nothing is documented."""
    for name, one in values.items():
        here = ".".join((*path, name))
        if common(here) in known or not isinstance(one, dict):
            yield here
        else:
            yield from leaves(one, known, (*path, name))


@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_objects_with_changed_values_are_valid(made: tuple[Made, Made], version: str) -> None:
    """With every value changed the objects are valid by the schemas of Kubernetes; routes have separate schemas."""
    for objects in made:
        for (kind, _name), one in objects.items():
            assert one["metadata"]["namespace"] == "elsewhere"
            if kind != "HTTPRoute":
                kubernetes.validate(one, version, strict=True)
