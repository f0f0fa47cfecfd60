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
{{- /* The settings with the networks of the gateway, so that they are written once. */ -}}
{{- define "portico.settings" -}}
{{- $proxies := dict "PORTICO_GATEWAY_PROXIES" (.Values.gateway.trustedProxies | join " ") -}}
{{ hasKey .Values.settings "PORTICO_GATEWAY_PROXIES" | ternary .Values.settings (merge $proxies .Values.settings) | toJson }}
{{- end }}
