{{/*
The enabled targets by name, each with its values (defaults beneath its own) and the facts of its service.
A template that asks for them learns first of everything that is wrong with the values. They are worked out once for all templates,
which share what stands under `.Values`: each of them doing so was most of what a render took.
*/}}
{{- define "callboard.targets" -}}
{{- if not (hasKey .Values "_targets") -}}
{{- $_ := set .Values "_targets" (include "callboard.targetsAnew" .) -}}
{{- end -}}
{{- .Values._targets -}}
{{- end -}}

{{- define "callboard.targetsAnew" -}}
{{- $facts := .Files.Get "files/targets.yaml" | fromYaml -}}
{{- $work := .Files.Get "files/scaling/work.yaml" | fromYaml -}}
{{- $targets := dict -}}
{{- range $name, $fact := $facts.targets -}}
{{- with get $work.targets $name -}}
{{- $_ := set $fact "work" . -}}
{{- end -}}
{{- $own := get $.Values.targets $name | default dict -}}
{{- $values := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy $own) -}}
{{- if $values.enabled -}}
{{- $_ := set $targets $name (dict "name" $name "facts" $fact "values" $values "poolSize" $facts.poolSize) -}}
{{- end -}}
{{- end -}}
{{- include "callboard.check" (dict "root" . "targets" $targets) -}}
{{- toYaml $targets -}}
{{- end -}}

{{/* A value as the environment carries it. Go writes small numbers as 1e-05, which is no amount in USD. */}}
{{- define "callboard.settingText" -}}
{{- if or (kindIs "map" .) (kindIs "slice" .) -}}
{{- toJson . -}}
{{- else if kindIs "float64" . -}}
{{- if eq (floor .) . -}}
{{- int64 . -}}
{{- else if contains "e-" (toString .) -}}
{{- printf "%.18f" . | regexFind "^[0-9-]+\\.[0-9]*[1-9]" -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* Where files of Secrets stand in a container. */}}
{{- define "callboard.secretsFolder" -}}
/etc/callboard/secrets
{{- end -}}

{{/* The key of a Secret that a target reads. Takes setting, secret and target (a name). */}}
{{- define "callboard.secretKey" -}}
{{- ternary .target (.secret.key | default .setting) (.secret.keyPerTarget | default false) -}}
{{- end -}}

{{/* A setting out of an existing Secret. Takes setting, secret and target (a name); with files, those that are files by their path; `as` where the setting it is for is another. */}}
{{- define "callboard.fromSecret" -}}
{{- if and .files .secret.file -}}
- name: {{ .as | default .setting }}_FILE
  value: {{ include "callboard.secretsFolder" . }}/{{ .setting }}
{{- else -}}
- name: {{ .as | default .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret.existingSecret | quote }}
      key: {{ include "callboard.secretKey" . | quote }}
{{- end -}}
{{- end -}}

{{/* The Secrets that a target reads as files, as sources of a projected volume; empty without. Takes root and target. */}}
{{- define "callboard.secretFiles" -}}
{{- $root := .root -}}
{{- $target := .target -}}
{{- range $setting, $_ := $target.facts.settings }}
{{- $secret := get $root.Values.secrets $setting | default dict }}
{{- if $secret.file }}
- secret:
    name: {{ $secret.existingSecret | quote }}
    items:
      - key: {{ include "callboard.secretKey" (dict "setting" $setting "secret" $secret "target" $target.name) | quote }}
        path: {{ $setting }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The environment of a target: what the chart decides, and of the settings those that the service reads. */}}
{{- define "callboard.env" -}}
{{- $root := .root -}}
{{- $target := .target -}}
- name: TARGET
  value: {{ $target.name }}
- name: ADMIN_HOST
  value: {{ $root.Values.listenOn | default "0.0.0.0" | quote }}
- name: ADMIN_PORT
  value: "9464"
- name: MIGRATIONS
  value: wait
- name: CALLBOARD_DATA
  value: /tmp/callboard
{{- if $target.facts.edge }}
- name: HOST
  value: {{ $root.Values.listenOn | default "0.0.0.0" | quote }}
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
{{ include "callboard.fromSecret" (dict "setting" $setting "secret" (get $root.Values.secrets $setting) "target" $target.name "files" true) }}
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

{{/* How long a target may take to be ready, in seconds, before its container is started again. Takes a target. */}}
{{- define "callboard.startSeconds" -}}
{{- $startup := .values.probes.startup -}}
{{- add (int64 $startup.initialDelaySeconds) (mul (int64 $startup.periodSeconds) (int64 $startup.failureThreshold)) -}}
{{- end -}}

{{/* The least number of replicas a target has. */}}
{{- define "callboard.leastReplicas" -}}
{{- ternary .values.replicas .values.autoscaling.minReplicas (eq .values.autoscaling.kind "none") | int64 -}}
{{- end -}}

{{/*
The connections to Postgres that a target may open: those of its pool and one that listens, of each replica, with those of the old
replicas while they are replaced. Kubernetes does not wait for a pod that is ending before it makes the next one, so all of them may
still be at work beside the new ones. Behind a pooler they are the sessions that it holds past it. Takes root and target.
*/}}
{{- define "callboard.connections" -}}
{{- $values := .target.values -}}
{{- $settings := mergeOverwrite (deepCopy .root.Values.settings) $values.settings -}}
{{- $pool := get $settings "DATABASE_POOL_SIZE" | default .target.poolSize | int64 -}}
{{- $replicas := ternary $values.replicas $values.autoscaling.maxReplicas (eq $values.autoscaling.kind "none") | int64 -}}
{{- $each := add $pool 1 -}}
{{- if hasKey .root.Values.secrets "DATABASE_DIRECT_URL" -}}
{{- $chains := max 1 (include "callboard.chainCount" . | int64) -}}
{{- $each = add .target.facts.sessions (ternary $chains 0 .target.facts.leadsChains) -}}
{{- end -}}
{{- ternary (mul 2 $replicas $each) 0 .target.facts.tables -}}
{{- end -}}

{{/* The same of each target that speaks with Postgres, as `name count`, of the migration step and of the pooler, one to a line. */}}
{{- define "callboard.connectionLines" -}}
{{- $root := .root -}}
{{- $tables := 0 -}}
{{- range $name, $target := .targets -}}
{{- if $target.facts.tables }}
{{- $tables = add $tables 1 }}
{{ $name }} {{ include "callboard.connections" (dict "root" $root "target" $target) }}
{{- end -}}
{{- end }}
{{- if ne $root.Values.migrations.mode "none" }}
migrate {{ $tables }}
{{- end }}
{{- if $root.Values.postgres.poolerConnections }}
pooler {{ int64 $root.Values.postgres.poolerConnections }}
{{- end }}
{{- end -}}

{{/* Their sum. */}}
{{- define "callboard.allConnections" -}}
{{- $sum := 0 -}}
{{- range splitList "\n" (include "callboard.connectionLines" .) -}}
{{- with trim . -}}
{{- $sum = add $sum (splitList " " . | last | int64) -}}
{{- end -}}
{{- end -}}
{{- $sum -}}
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

{{/*
Where a pod beside those of the targets may run: by `own`, the values given for it alone, and otherwise like every target. Takes root
and own.
*/}}
{{- define "callboard.scheduling" -}}
{{- $root := .root -}}
{{- $own := .own -}}
{{- range $field := list "nodeSelector" "affinity" "tolerations" "priorityClassName" }}
{{- with get $own $field | default (get $root.Values.defaults $field) }}
{{ toYaml (dict $field .) }}
{{- end }}
{{- end }}
{{- end -}}
