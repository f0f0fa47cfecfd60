"""``deploy/helm/portico``: the base as a Helm chart with values (decision 0066).

With the values of an overlay it installs the same objects that kustomize builds; it has no hook or secret.
"""

from __future__ import annotations

import json
from typing import Final

from portico_contracts.gateway import PROXIES_VARIABLE
from portico_contracts.topology import TOPOLOGY, Workload

from portico_stack.installation.demo import REPOSITORY
from portico_stack.kubernetes import client_certificates, gateway_api, overlays, policies, secrets
from portico_stack.kubernetes.chart_readme import readme
from portico_stack.kubernetes.chart_values import defaults, example, schema
from portico_stack.kubernetes.gateway import CONFIGURATION, gateway_files, gateway_objects
from portico_stack.kubernetes.names import SETTINGS, VERSION, Manifest, values_of
from portico_stack.kubernetes.services import objects_of
from portico_stack.kubernetes.writers import HEAD, template, written

_EXAMPLES: Final = {
    "small": "small",
    "production": "production",
    "gateway-api": "production",
    "client-certificates": "production",
}
"""Overlays with an example of values, and the overlay with their settings."""

_DERIVED: Final = f"""\
{{{{- /* The settings with the networks of the gateway, so that they are written once. */ -}}}}
{{{{- define "portico.settings" -}}}}
{{{{- $proxies := dict "{PROXIES_VARIABLE}" (.Values.gateway.trustedProxies | join " ") -}}}}
{{{{ hasKey .Values.settings "{PROXIES_VARIABLE}" | ternary .Values.settings (merge $proxies .Values.settings) | toJson }}}}
{{{{- end }}}}
"""

_HELPERS: Final = """\
{{- /* The image of all services: by its digest, else by the tag, else by the version of the chart. */ -}}
{{- define "portico.image" -}}
{{- $image := printf "%s/services" .Values.image.repository -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" $image .Values.image.digest }}{{ else -}}
{{ printf "%s:%s" $image (default .Chart.AppVersion .Values.image.tag) }}{{ end -}}
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
  {{{{- range $name, $value := include "portico.settings" . | fromJson }}}}
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
    """Returns the files by name, below ``deploy/helm``; examples of values are next to the chart."""
    services = {f"{name}.yaml": _service(workload) for name, workload in TOPOLOGY.items()}
    templates = {
        **services,
        "gateway.yaml": template(gateway_objects()),
        "network-policies.yaml": _only_if(".Values.networkPolicies.enabled", template(policies.policies())),
        "ingress.yaml": _only_if(".Values.ingress.enabled", template([overlays.ingress()])),
        "gateway-api.yaml": _only_if(".Values.gatewayApi.enabled", template([gateway_api.route()])),
        "client-certificates.yaml": _only_if(client_certificates.ENABLED, _listener()),
        "settings.yaml": _SETTINGS,
        "_helpers.tpl": _HELPERS + _DERIVED,
        "NOTES.txt": _NOTES,
    }
    files = {
        "Chart.yaml": HEAD + written([_chart()]),
        "README.md": readme(VERSION),
        "values.yaml": HEAD + defaults(),
        "values.schema.json": json.dumps(schema(), indent=2) + "\n",
        **{f"templates/{name}": HEAD * name.endswith(".yaml") + text for name, text in templates.items()},
        **{f"files/{name}": text for name, text in gateway_files("DOMAIN").items()},
    }
    examples = {f"{overlay}.yaml": HEAD + example(overlay, _settings(of)) for overlay, of in _EXAMPLES.items()}
    sources = {"services": {name: {"secretSources": secrets.sources(one)} for name, one in TOPOLOGY.items()}}
    examples["secret-sources.yaml"] = HEAD + written([sources])
    return {**{f"portico/{name}": text for name, text in files.items()}, **examples}


def _settings(overlay: str) -> dict[str, str]:
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
    objects = objects_of(workload)
    scalers = [one for one in objects if one["kind"] == "HorizontalPodAutoscaler"]
    text = template([one for one in objects if one not in scalers])
    enabled = f"{values_of(workload.name)}.autoscaling.enabled"
    return text + "".join(_only_if(enabled, "---\n" + template([one])) for one in scalers)


def _listener() -> str:
    policy = "---\n" + template([client_certificates.policy()])
    return template([client_certificates.listener()]) + _only_if(".Values.networkPolicies.enabled", policy)


def _only_if(condition: str, text: str) -> str:
    return f"{{{{- if {condition} }}}}\n{text}{{{{- end }}}}\n"
