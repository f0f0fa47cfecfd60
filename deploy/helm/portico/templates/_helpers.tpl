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
