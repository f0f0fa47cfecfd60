"""The Gateway API manifests of `deploy`: one route for pages and gRPC on one TLS listener, valid by the
published schemas.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from portico_contracts.topology import GATEWAY_PORT
from portico_harness.manifests import Manifest, documents, gateway_api_definitions, kustomized
from portico_stack.installation.demo import REPOSITORY

pytestmark = [pytest.mark.servers, pytest.mark.long, pytest.mark.xdist_group("go programs")]

ROUTES = ("HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute")


@pytest.fixture(name="built", scope="module")
def _built() -> list[Manifest]:
    return kustomized("gateway-api")


@pytest.fixture(name="route", scope="module")
def _route(built: list[Manifest]) -> Manifest:
    """The only route: an HTTPRoute and a GRPCRoute of one host would conflict (GEP-1016)."""
    [route] = [one for one in built if one["kind"] in ROUTES]
    return route


@pytest.fixture(name="public", scope="module")
def _public() -> Manifest:
    [gateway] = documents((REPOSITORY / "deploy" / "kubernetes" / "gateways" / "public.yaml").read_text())
    return gateway


def test_one_route_has_pages_and_grpc(built: list[Manifest], route: Manifest) -> None:
    """The Content-Type routes gRPC to the h2c port, everything else to the HTTP port; both are one port of HAProxy."""
    [service] = [one for one in built if one["kind"] == "Service" and one["metadata"]["name"] == "portico-gateway"]
    ports = {one["port"]: one for one in service["spec"]["ports"]}
    grpc, pages = route["spec"]["rules"]

    assert route["kind"] == "HTTPRoute"
    assert [[one["value"] for one in match["headers"]] for match in grpc["matches"]] == [
        ["application/grpc"],
        ["application/grpc+proto"],
    ]
    assert "matches" not in pages
    [to_grpc], [to_pages] = grpc["backendRefs"], pages["backendRefs"]
    assert {to_grpc["name"], to_pages["name"]} == {"portico-gateway"}
    assert ports[to_grpc["port"]]["appProtocol"] == "kubernetes.io/h2c"
    assert "appProtocol" not in ports[to_pages["port"]]
    assert {one["targetPort"] for one in ports.values()} == {GATEWAY_PORT}


def test_route_uses_the_tls_listener(route: Manifest, public: Manifest) -> None:
    """The route names its TLS listener, which accepts routes of this namespace only."""
    [parent], [listener] = route["spec"]["parentRefs"], public["spec"]["listeners"]

    assert (parent["name"], parent["namespace"]) == (public["metadata"]["name"], public["metadata"]["namespace"])
    assert parent["sectionName"] == listener["name"]
    assert (listener["protocol"], listener["tls"]["mode"]) == ("HTTPS", "Terminate")
    assert [listener["hostname"]] == route["spec"]["hostnames"]
    assert listener["allowedRoutes"] == {
        "kinds": [{"kind": "HTTPRoute"}],
        "namespaces": {
            "from": "Selector",
            "selector": {"matchLabels": {"kubernetes.io/metadata.name": route["metadata"]["namespace"]}},
        },
    }


@pytest.mark.parametrize("kind", ["HTTPRoute", "Gateway"])
def test_objects_are_valid(route: Manifest, public: Manifest, kind: str) -> None:
    """Objects are valid by the Gateway API's schemas without unknown members."""
    schema, [spec] = schema_of(kind), [one["spec"] for one in (route, public) if one["kind"] == kind]

    assert not list(Draft7Validator(schema).iter_errors(spec))
    for wrong in ({"hostnames": "login.example.org", "listeners": {}}, {"host": ["login.example.org"]}):
        assert list(Draft7Validator(schema).iter_errors({**spec, **wrong}))


def schema_of(kind: str) -> Manifest:
    """Returns the schema of the newest version from the published definitions."""
    definition = gateway_api_definitions() / f"gateway.networking.k8s.io_{kind.lower()}s.yaml"
    [version] = [one for one in yaml.safe_load(definition.read_text())["spec"]["versions"] if one["name"] == "v1"]
    found: Manifest = closed(version["schema"]["openAPIV3Schema"]["properties"]["spec"])
    return found


def closed(schema: Any) -> Any:
    """Forbids unknown members, which the API server would drop."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(value) for name, value in schema.items()}
    return (
        {**found, "additionalProperties": False}
        if isinstance(found.get("properties"), dict) and "type" in found
        else found
    )
