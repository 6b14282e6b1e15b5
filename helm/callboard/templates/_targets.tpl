{{/*
The enabled targets by name, each with its values (defaults beneath its own) and the facts of its service.
A template that asks for them learns first of everything that is wrong with the values.
*/}}
{{- define "callboard.targets" -}}
{{- $facts := .Files.Get "files/targets.yaml" | fromYaml -}}
{{- $targets := dict -}}
{{- range $name, $fact := $facts.targets -}}
{{- $own := get $.Values.targets $name | default dict -}}
{{- $values := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy $own) -}}
{{- if $values.enabled -}}
{{- $_ := set $targets $name (dict "name" $name "facts" $fact "values" $values) -}}
{{- end -}}
{{- end -}}
{{- include "callboard.check" (dict "root" . "targets" $targets) -}}
{{- toYaml $targets -}}
{{- end -}}

{{/* A value as the environment carries it. */}}
{{- define "callboard.settingText" -}}
{{- if or (kindIs "map" .) (kindIs "slice" .) -}}
{{- toJson . -}}
{{- else if kindIs "float64" . -}}
{{- ternary (int64 .) . (eq (floor .) .) -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* A setting out of an existing Secret. Takes setting, secret and target (a name). */}}
{{- define "callboard.fromSecret" -}}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret.existingSecret | quote }}
      key: {{ ternary .target (.secret.key | default .setting) (.secret.keyPerTarget | default false) | quote }}
{{- end -}}

{{/* The environment of a target: what the chart decides, and of the settings those that the service reads. */}}
{{- define "callboard.env" -}}
{{- $root := .root -}}
{{- $target := .target -}}
- name: TARGET
  value: {{ $target.name }}
- name: ADMIN_HOST
  value: 0.0.0.0
- name: ADMIN_PORT
  value: "9464"
- name: MIGRATIONS
  value: wait
- name: CALLBOARD_DATA
  value: /tmp/callboard
{{- if $target.facts.edge }}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "8402"
{{- end }}
{{- range $setting, $fact := $target.facts.settings }}
{{- if hasKey $target.values.settings $setting }}
- name: {{ $setting }}
  value: {{ include "callboard.settingText" (get $target.values.settings $setting) | quote }}
{{- else if hasKey $root.Values.settings $setting }}
- name: {{ $setting }}
  value: {{ include "callboard.settingText" (get $root.Values.settings $setting) | quote }}
{{- else if hasKey $root.Values.secrets $setting }}
{{ include "callboard.fromSecret" (dict "setting" $setting "secret" (get $root.Values.secrets $setting) "target" $target.name) }}
{{- end }}
{{- end }}
{{- with $target.values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The time from SIGTERM to the end by the target's own settings, in whole seconds. Takes root and target. */}}
{{- define "callboard.endingSeconds" -}}
{{- $settings := mergeOverwrite (deepCopy .root.Values.settings) .target.values.settings -}}
{{- div (add (int64 $settings.SHUTDOWN_DELAY_MS) (int64 $settings.SHUTDOWN_GRACE_MS) 999) 1000 -}}
{{- end -}}

{{/* The least number of replicas a target has. */}}
{{- define "callboard.leastReplicas" -}}
{{- ternary .values.replicas .values.autoscaling.minReplicas (eq .values.autoscaling.kind "none") | int64 -}}
{{- end -}}

{{- define "callboard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "callboard.podSecurity" -}}
runAsNonRoot: true
seccompProfile:
  type: RuntimeDefault
{{- end -}}
