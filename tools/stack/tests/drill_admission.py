"""A Kubernetes API server's admission of `deploy`: no warnings, and rejection of unhardened or misspelled objects.

`make admission` runs it, not `make test`, because the API server takes minutes to build. Pods are admitted,
not started.
"""

from __future__ import annotations

import copy
import functools
import subprocess
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import yaml
from portico_harness.api_server import ApiServer, api_server
from portico_harness.built_programs import helm
from portico_harness.eventually import eventually
from portico_harness.manifests import (
    CHART,
    NAMESPACE,
    Manifest,
    documents,
    gateway_api_definitions,
    go_module,
    kustomized,
)
from portico_stack.installation.demo import REPOSITORY

DEPLOY = REPOSITORY / "deploy"
BASE = DEPLOY / "kubernetes" / "base"
CREATED, CHANGED, FORBIDDEN = 201, 200, 403
COMPONENTS = ("authz", "token", "keys", "users", "login-ui", "console", "gateway")
RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/warn": "restricted"}
EXTERNAL_SECRETS = "github.com/external-secrets/external-secrets@v1.3.2"


@pytest.fixture(name="server", scope="module")
async def _server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ApiServer]:
    """With the definitions of the Gateway API and of External Secrets, and the base's objects."""
    async with api_server(tmp_path_factory.mktemp("api-server")) as server:
        external = go_module(EXTERNAL_SECRETS) / "config/crds/bases/external-secrets.io_externalsecrets.yaml"
        for file in (*sorted(gateway_api_definitions().glob("gateway.networking.k8s.io_*.yaml")), external):
            await define(server, yaml.safe_load(file.read_text()))
        for one in kustomized(BASE):
            answer = await server.apply(one)
            assert (answer.status, answer.warnings) == (CREATED, ()), (one["kind"], answer.message)
        await with_account(server, NAMESPACE)
        yield server


async def define(server: ApiServer, definition: Manifest) -> None:
    """Adds a kind, and waits until the API server serves it."""
    assert (await server.apply(definition)).status == CREATED
    group, plural = definition["spec"]["group"], definition["spec"]["names"]["plural"]
    [version] = [one["name"] for one in definition["spec"]["versions"] if one["storage"]]
    await eventually(lambda: server.names(f"/apis/{group}/{version}/{plural}"), lambda names: names == set())


async def with_account(server: ApiServer, namespace: str) -> None:
    """Creates the default service account, as a controller would; pods need it."""
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": namespace}}
    assert (await server.create(account)).status == CREATED


async def new_namespace(server: ApiServer, name: str) -> None:
    one = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": RESTRICTED}}
    assert (await server.create(one)).status == CREATED
    await with_account(server, name)


async def test_api_server_reports_its_version(server: ApiServer) -> None:
    """The API server reports the built version, on which some admission rules depend."""
    assert (await server.version()).startswith("v1.36.")


async def test_overlays_are_admitted_in_sequence(server: ApiServer) -> None:
    """Every object is admitted without a warning, and each overlay as an update of the previous one."""
    for overlay in ("small", "production", "gateway-api", "client-certificates"):
        objects = built(overlay)
        assert len(objects) > 35
        for one in objects:
            answer = await server.apply(one)
            assert answer.status in (CREATED, CHANGED), (overlay, one["kind"], answer.message)
            assert not answer.warnings, (overlay, one["kind"])

    assert "portico-gateway" in await server.names(
        f"/apis/gateway.networking.k8s.io/v1/namespaces/{NAMESPACE}/httproutes"
    )


async def test_dry_run_stores_nothing(server: ApiServer) -> None:
    """``--dry-run=server`` admits the documented examples and stores nothing."""
    await new_namespace(server, "gateways")
    for path in ("gateways/public.yaml", "secrets/external-secrets.yaml"):
        objects = documents((DEPLOY / "kubernetes" / path).read_text())
        for one in objects:
            answer = await server.apply(one, dry=True)
            assert (answer.status, answer.warnings) == (CREATED, ()), (path, answer.message)

    assert await server.names("/apis/gateway.networking.k8s.io/v1/gateways") == set()
    assert await server.names("/apis/external-secrets.io/v1/externalsecrets") == set()


async def test_chart_is_installed_upgraded_and_removed(server: ApiServer) -> None:
    """Helm installs and upgrades the chart with each overlay's values, and an uninstall leaves nothing."""
    await new_namespace(server, "by-helm")
    own = ("--namespace", "by-helm", "--kubeconfig", server.kubeconfig)
    deployments = "/apis/apps/v1/namespaces/by-helm/deployments"

    helm("install", "portico", CHART, *own, "--values", DEPLOY / "helm" / "small.yaml")
    assert await server.names(deployments) == {f"portico-{name}" for name in COMPONENTS}
    for examples in (("production",), ("gateway-api",), ("client-certificates",), ("production", "secret-sources")):
        values = [part for name in examples for part in ("--values", DEPLOY / "helm" / f"{name}.yaml")]
        assert "STATUS: deployed" in helm("upgrade", "portico", CHART, *own, *values)
    helm("uninstall", "portico", *own)
    assert await server.names(deployments) == set()
    assert await server.names("/api/v1/namespaces/by-helm/services") == set()


async def test_helm_installs_nothing_after_a_rejection(server: ApiServer) -> None:
    """An error that the values schema cannot express, such as a maximum below the minimum, is reported."""
    await new_namespace(server, "refused")
    wrong = ("--set", "services.token.autoscaling.minReplicas=11")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        helm("install", "portico", CHART, "--namespace", "refused", "--kubeconfig", server.kubeconfig,
             "--values", DEPLOY / "helm" / "production.yaml", *wrong)  # fmt: skip

    assert "spec.maxReplicas" in refused.value.stderr


@functools.cache
def built(overlay: str) -> list[Manifest]:
    """Returns an overlay's objects, cached."""
    return kustomized(overlay)


def found(kind: str, name: str) -> Manifest:
    [one] = [one for one in built("gateway-api") if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return copy.deepcopy(one)


def pod_of(component: str) -> Manifest:
    name = f"portico-{component}"
    template = found("Deployment", name)["spec"]["template"]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": NAMESPACE, "name": name, "labels": template["metadata"]["labels"]},
        "spec": template["spec"],
    }


@pytest.mark.parametrize("component", COMPONENTS)
async def test_pods_are_admitted(server: ApiServer, component: str) -> None:
    """The profile "restricted" admits the pods, without a service account token or service links."""
    answer = await server.create(pod_of(component))

    assert (answer.status, answer.warnings) == (CREATED, ()), answer.message
    spec = answer.body["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False
    assert not [volume for volume in spec["volumes"] if "serviceAccountToken" in str(volume)]


def without_seccomp(spec: Manifest) -> None:
    del spec["securityContext"]["seccompProfile"]


def as_root(spec: Manifest) -> None:
    spec["securityContext"] |= {"runAsUser": 0, "runAsNonRoot": False}


def of_any_user(spec: Manifest) -> None:
    del spec["securityContext"]["runAsNonRoot"]


def with_capabilities(spec: Manifest) -> None:
    del spec["containers"][0]["securityContext"]["capabilities"]


def with_escalation(spec: Manifest) -> None:
    spec["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = True


def with_a_folder_of_the_node(spec: Manifest) -> None:
    spec["volumes"].append({"name": "node", "hostPath": {"path": "/"}})


def on_the_network_of_the_node(spec: Manifest) -> None:
    spec["hostNetwork"] = True


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (without_seccomp, "seccompProfile"),
        (as_root, "runAsUser=0"),
        (of_any_user, "runAsNonRoot != true"),
        (with_capabilities, "unrestricted capabilities"),
        (with_escalation, "allowPrivilegeEscalation != false"),
        (with_a_folder_of_the_node, "hostPath"),
        (on_the_network_of_the_node, "host namespaces"),
    ],
)
async def test_unhardened_pod_is_rejected(server: ApiServer, change: Callable[[Manifest], None], named: str) -> None:
    """Without any single hardening rule the pod is forbidden, and its Deployment gets a warning."""
    pod = pod_of("token")
    pod["metadata"]["name"] = "not-hardened"
    change(pod["spec"])
    answer = await server.create(pod)

    assert answer.status == FORBIDDEN, answer.body
    assert named in answer.message
    deployment = found("Deployment", "portico-token")
    change(deployment["spec"]["template"]["spec"])
    warned = await server.apply(deployment, dry=True)
    assert warned.status == CHANGED
    assert any(named in warning for warning in warned.warnings)


async def test_pods_fit_into_a_quota(server: ApiServer) -> None:
    """Under a quota the pods are admitted because they set limits, and a pod without limits is rejected."""
    await new_namespace(server, "quota")
    hard = {"requests.cpu": "20", "requests.memory": "20Gi", "limits.memory": "20Gi"}
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "all", "namespace": "quota"},
        "spec": {"hard": hard},
    }
    created = await server.create(quota)
    assert created.status == CREATED
    used = dict.fromkeys(hard, "0")
    assert (await server.put_status({**created.body, "status": {"hard": hard, "used": used}})).status == CHANGED
    boundless = pod_of("token")
    boundless["metadata"] |= {"name": "boundless", "namespace": "quota"}
    del boundless["spec"]["containers"][0]["resources"]

    # The API server applies a new quota with a delay.
    answer = await eventually(lambda: server.create(boundless, dry=True), lambda one: one.status == FORBIDDEN)
    assert "must specify" in answer.message
    for component in COMPONENTS:
        pod = pod_of(component)
        pod["metadata"]["namespace"] = "quota"
        assert (await server.create(pod)).status == CREATED


@pytest.mark.parametrize(
    ("kind", "name", "path", "value", "named"),
    [
        ("Deployment", "portico-token", ("spec", "replicaz"), 2, "spec.replicaz"),
        ("Deployment", "portico-users", ("spec", "replicas"), "two", "spec.replicas"),
        ("Deployment", "portico-users", ("spec", "selector", "matchLabels"), {"a": "b"}, "selector"),
        ("Deployment", "portico-users", ("spec", "template", "spec", "containers", 0, "resources", "limits", "memory"), "1Mi", "must be less than or equal to memory limit"),
        ("Service", "portico-users", ("spec", "ports", 0, "port"), 80_000, "spec.ports[0].port"),
        ("NetworkPolicy", "portico-users", ("spec", "policyTypes"), ["Inwards"], "spec.policyTypes"),
        ("PodDisruptionBudget", "portico-users", ("spec", "minAvailable"), 1, "minAvailable and maxUnavailable cannot be both set"),
        ("HorizontalPodAutoscaler", "portico-token", ("spec", "maxReplicas"), 1, "spec.maxReplicas"),
        ("HTTPRoute", "portico-gateway", ("spec", "hostname"), "id.example.com", "spec.hostname"),
        ("HTTPRoute", "portico-gateway", ("spec", "hostnames"), ["id.example.com:443"], "spec.hostnames[0]"),
        ("HTTPRoute", "portico-gateway", ("spec", "rules", 0, "backendRefs", 0, "port"), 0, "spec.rules[0].backendRefs[0].port"),
    ],
)  # fmt: skip
async def test_invalid_objects_are_rejected(
    server: ApiServer, kind: str, name: str, path: tuple[str | int, ...], value: object, named: str
) -> None:
    """Misspelled members, wrong types and contradictions are rejected with the member's name."""
    one = found(kind, name)
    assert (await server.apply(one)).status in (CREATED, CHANGED)
    inner: Any = one
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    answer = await server.apply(one)

    # Unknown members are an error of the merge, with status 500.
    assert answer.status in (400, 422, 500), answer.body
    assert named in answer.message
