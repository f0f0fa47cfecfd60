"""``deploy/helm/portico``: the objects of the base as a Helm chart, in which those who install it decide some members (decision 0066).

No database, hook or secret is in it, and what it installs is what ``helm template`` prints: with the values of an overlay the same
objects that kustomize builds.
"""

from __future__ import annotations

import json
from typing import Final

from portico_contracts.topology import TOPOLOGY, Workload

from portico_stack.demo import REPOSITORY
from portico_stack.kubernetes import gateway_api, overlays, policies, secrets
from portico_stack.kubernetes.chart_readme import readme
from portico_stack.kubernetes.chart_values import defaults, example, schema
from portico_stack.kubernetes.gateway import CONFIGURATION, gateway_files, gateway_objects
from portico_stack.kubernetes.manifests import HEAD, written
from portico_stack.kubernetes.names import HOST, NAMESPACE, SETTINGS, VERSION, Manifest, name_of
from portico_stack.kubernetes.placeholders import choice, filled, given, pairs
from portico_stack.kubernetes.services import objects_of

_EXAMPLES: Final = {"small": "small", "production": "production", "gateway-api": "production"}
"""Overlays that have an example of values, and the one that has their settings."""

_HELPERS: Final = """\
{{- /* The image of a service: by its digest, else by the tag, else by the version of the chart. */ -}}
{{- define "portico.image" -}}
{{- $root := index . 0 }}{{- $name := index . 1 }}{{- $service := index $root.Values.services $name -}}
{{- $image := printf "%s/%s" $root.Values.image.repository $name -}}
{{- if $service.digest }}{{ printf "%s@%s" $image $service.digest }}{{ else -}}
{{ printf "%s:%s" $image (default $root.Chart.AppVersion $root.Values.image.tag) }}{{ end -}}
{{- end }}
{{- /* The host of the issuer, so that it is written once. */ -}}
{{- define "portico.host" -}}
{{ (urlParse .Values.settings.PORTICO_ISSUER).hostname }}
{{- end }}
{{- /* Several Secrets as one volume. */ -}}
{{- define "portico.projected" -}}
{{- $sources := list }}{{- range index . 1 }}{{- $sources = append $sources (dict "secret" .) }}{{- end -}}
{{ dict "defaultMode" (index . 0) "sources" $sources | toJson }}
{{- end }}
{{- /* The files of the gateway, with the names that replicas have in this namespace. */ -}}
{{- define "portico.haproxy" -}}
{{ .Files.Get "files/haproxy.cfg" | replace "DOMAIN" (printf "%s.svc.%s" .Release.Namespace .Values.clusterDomain) }}
{{- end }}
"""

_SETTINGS: Final = f"""\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {SETTINGS}
  namespace: {{{{ .Release.Namespace }}}}
data:
  {{{{- range $name, $value := .Values.settings }}}}
  {{{{ $name }}}}: {{{{ $value | quote }}}}
  {{{{- end }}}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {CONFIGURATION}
  namespace: {{{{ .Release.Namespace }}}}
data:
  haproxy.cfg: |
{{{{ include "portico.haproxy" . | trim | indent 4 }}}}
  words.map: |
{{{{ .Files.Get "files/words.map" | trim | indent 4 }}}}
"""

_NOTES: Final = """\
{{ .Chart.Name }} {{ .Chart.AppVersion }} is {{ .Values.settings.PORTICO_ISSUER }}.
Pods wait until there is a Secret for each service; docs/guides/kubernetes.md has their names and what is in them.
"""


def chart_files() -> dict[str, str]:
    """The files by name, below ``deploy/helm``; examples of values are beside the chart."""
    services = {f"{name}.yaml": _service(workload) for name, workload in TOPOLOGY.items()}
    templates = {
        **services,
        "gateway.yaml": _template(_gateway()),
        "network-policies.yaml": _only_if(".Values.networkPolicies.enabled", _template(_policies())),
        "ingress.yaml": _only_if(".Values.ingress.enabled", _template([_ingress()])),
        "gateway-api.yaml": _only_if(".Values.gatewayApi.enabled", _template([_route()])),
        "settings.yaml": _SETTINGS,
        "_helpers.tpl": _HELPERS,
        "NOTES.txt": _NOTES,
    }
    configuration = {
        name: text.replace(f"{NAMESPACE}.svc.cluster.local", "DOMAIN") for name, text in gateway_files().items()
    }
    files = {
        "Chart.yaml": HEAD + written([_chart()]),
        "README.md": readme(VERSION),
        "values.yaml": HEAD + defaults(),
        "values.schema.json": json.dumps(schema(), indent=2) + "\n",
        **{f"templates/{name}": HEAD * name.endswith(".yaml") + text for name, text in templates.items()},
        **{f"files/{name}": text for name, text in configuration.items()},
    }
    examples = {f"{overlay}.yaml": HEAD + example(overlay, _settings(of)) for overlay, of in _EXAMPLES.items()}
    sources = {"services": {name: {"secretSources": secrets.sources(one)} for name, one in TOPOLOGY.items()}}
    examples["secret-sources.yaml"] = HEAD + written([sources])
    return {**{f"portico/{name}": text for name, text in files.items()}, **examples}


def _settings(overlay: str) -> dict[str, str]:
    """Those of the overlay, which people write."""
    lines = (REPOSITORY / "deploy" / "kubernetes" / "overlays" / overlay / "settings.env").read_text().splitlines()
    given_lines = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in given_lines}


def _chart() -> Manifest:
    return {
        "apiVersion": "v2",
        "name": "portico",
        "description": "An OpenID Connect provider with user, MFA and identity-provider management",
        "type": "application",
        "version": VERSION,
        "appVersion": VERSION,
        "kubeVersion": ">=1.30.0-0",
    }


def _service(workload: Workload) -> str:
    # A name with a hyphen is no name in the language of templates.
    of = f'(index .Values.services "{workload.name}")' if "-" in workload.name else f".Values.services.{workload.name}"
    objects = objects_of(workload)
    scalers = [one for one in objects if one["kind"] == "HorizontalPodAutoscaler"]
    others = [one for one in objects if one not in scalers]
    for one in others:
        if one["kind"] == "Deployment":
            _fill_service(one, workload, of)
    text = _template(others)
    if not scalers:
        return text
    [scaler] = scalers
    scaler["spec"]["minReplicas"] = given(f"{of}.autoscaling.minReplicas")
    scaler["spec"]["maxReplicas"] = given(f"{of}.autoscaling.maxReplicas")
    target = scaler["spec"]["metrics"][0]["resource"]["target"]
    target["averageUtilization"] = given(f"{of}.autoscaling.cpuPercent")
    return text + _only_if(f"{of}.autoscaling.enabled", "---\n" + _template([scaler]))


def _fill_service(deployment: Manifest, workload: Workload, of: str) -> None:
    spec = deployment["spec"]
    if workload.scaling:
        spec |= choice("replicas", f"not {of}.autoscaling.enabled", f"{of}.replicas")
    pod, [container] = _fill(deployment, of), spec["template"]["spec"]["containers"]
    container["image"] = given(f'include "portico.image" (list $ "{workload.name}") | quote')
    container["env"].append(pairs(f"{of}.env"))
    [volume] = [one for one in pod["volumes"] if "secret" in one]
    _fill_secrets(volume, workload, of)


def _fill_secrets(volume: Manifest, workload: Workload, of: str) -> None:
    """One Secret, or several as one folder of files."""
    one = volume.pop("secret")
    mode = one["defaultMode"]
    name = f'({of}.existingSecret | default "{name_of(workload.name)}")'
    volume |= choice(
        "projected", f"{of}.secretSources", f'include "portico.projected" (list {mode} {of}.secretSources)'
    )
    volume |= choice("secret", f"not {of}.secretSources", f'dict "secretName" {name} "defaultMode" {mode} | toJson')


def _fill(deployment: Manifest, of: str) -> Manifest:
    """What all pods have in common; returns the description of the pod."""
    spec, template = deployment["spec"], deployment["spec"]["template"]
    pod: Manifest = template["spec"]
    [container] = pod["containers"]
    if "replicas" in spec:
        spec["replicas"] = given(f"{of}.replicas")
    pod["topologySpreadConstraints"][0]["topologyKey"] = given(".Values.spreadOver | quote")
    container["resources"] = given(f"{of}.resources | toJson")
    pod |= choice("imagePullSecrets", ".Values.image.pullSecrets", ".Values.image.pullSecrets | toJson")
    # A pod reads its settings when it starts: others make new pods.
    template["metadata"]["annotations"] = given(
        'merge (dict "portico/settings" (sha256sum (print (include "portico.haproxy" .) (.Values.settings | toJson))))'
        " .Values.podAnnotations | toJson"
    )
    return pod


def _gateway() -> list[Manifest]:
    objects = gateway_objects()
    for one in objects:
        if one["kind"] == "Deployment":
            _fill(one, ".Values.gateway")
            [container] = one["spec"]["template"]["spec"]["containers"]
            container["image"] = given(".Values.gateway.image | quote")
            container["env"][0]["value"] = given('.Values.gateway.trustedProxies | join " " | quote')
    return objects


def _policies() -> list[Manifest]:
    monitoring = given(".Values.networkPolicies.monitoringNamespace | quote")
    return [_replaced(one, policies.MONITORING, monitoring) for one in policies.policies()]


def _ingress() -> Manifest:
    ingress = _replaced(overlays.ingress(), HOST, given('include "portico.host" . | quote'))
    ingress["spec"]["tls"][0]["secretName"] = given(".Values.ingress.tlsSecret | quote")
    ingress["spec"] |= choice("ingressClassName", ".Values.ingress.className", ".Values.ingress.className | quote")
    ingress["metadata"] |= choice("annotations", ".Values.ingress.annotations", ".Values.ingress.annotations | toJson")
    return ingress


def _route() -> Manifest:
    route = _replaced(gateway_api.route(), HOST, given('include "portico.host" . | quote'))
    route["spec"]["parentRefs"] = given(".Values.gatewayApi.parentRefs | toJson")
    return route


def _replaced(found: Manifest, before: str, after: str) -> Manifest:
    """The object with another text wherever it has exactly that one."""
    replaced: Manifest = json.loads(json.dumps(found).replace(json.dumps(before), json.dumps(after)))
    return replaced


def _template(objects: list[Manifest]) -> str:
    """The objects in the namespace of the release."""
    for one in objects:
        one["metadata"]["namespace"] = given(".Release.Namespace")
    return filled(written(objects))


def _only_if(condition: str, text: str) -> str:
    return f"{{{{- if {condition} }}}}\n{text}{{{{- end }}}}\n"
