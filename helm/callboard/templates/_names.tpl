{{- define "callboard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/*
Short enough that "-<target>-admin" still fits into 63 characters. A Service's name begins with a letter (RFC 1035), so a release whose
name does not stands behind the chart's.
*/}}
{{- define "callboard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if not (regexMatch "^[a-z]" .Release.Name) -}}
{{- printf "%s-%s" .Chart.Name .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "callboard.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "callboard.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "callboard.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* What a selector matches: it never changes. Takes root and component. */}}
{{- define "callboard.selector" -}}
app.kubernetes.io/name: {{ include "callboard.name" .root | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The labels of a pod: nothing that changes with the chart alone, for that would restart it. Takes root and component. */}}
{{- define "callboard.podLabels" -}}
{{ include "callboard.selector" . }}
app.kubernetes.io/version: {{ default .root.Chart.AppVersion .root.Values.image.tag | trunc 63 | trimAll "-_." | quote }}
app.kubernetes.io/part-of: callboard
{{- end -}}

{{/* The labels of an object. Takes root and component. */}}
{{- define "callboard.labels" -}}
{{ include "callboard.podLabels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}
