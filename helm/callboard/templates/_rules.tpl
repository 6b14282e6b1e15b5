{{/* Text with `%{name}` filled in. Takes text and values. */}}
{{- define "callboard.filled" -}}
{{- $text := .text -}}
{{- range $name, $value := .values -}}
{{- $text = replace (printf "%%{%s}" $name) (include "callboard.settingText" $value) $text -}}
{{- end -}}
{{- $text -}}
{{- end -}}

{{/*
What a rule is given: its defaults, the replicas of its target, and over them what the values say of its alert, or of the alert
whose parameters a recording shares. Takes root, one and target.
*/}}
{{- define "callboard.alertValues" -}}
{{- $values := deepCopy .one.defaults -}}
{{- if and .target (hasKey $values "replicas") -}}
{{- $_ := set $values "replicas" (include "callboard.leastReplicas" .target | int64) -}}
{{- end -}}
{{- range $name, $value := get .root.Values.monitoring.rules.alerts (.one.parametersOf | default .one.rule.alert | default "") | default dict -}}
{{- $_ := set $values $name $value -}}
{{- end -}}
{{- toJson (set $values "scope" (include "callboard.scope" .root)) -}}
{{- end -}}

{{/* A rule as Prometheus takes it. Takes root, one and values. */}}
{{- define "callboard.rule" -}}
{{- $rule := include "callboard.filled" (dict "text" (toJson .one.rule) "values" .values) | fromJson -}}
{{- if and $rule.alert .root.Values.monitoring.rules.runbookUrl -}}
{{- $file := base $rule.annotations.runbook -}}
{{- $_ := unset $rule.annotations "runbook" -}}
{{- $_ := set $rule.annotations "runbook_url" (replace "{page}" (trimSuffix ".md" $file) .root.Values.monitoring.rules.runbookUrl) -}}
{{- end -}}
{{- toJson $rule -}}
{{- end -}}

{{/* The groups of rules of this release: those that are on, and of services those of which there is always a replica. */}}
{{- define "callboard.rules" -}}
{{- $root := . -}}
{{- $targets := include "callboard.targets" . | fromYaml -}}
{{- $groups := list -}}
{{- range $path, $_ := .Files.Glob "files/rules/*.yaml" -}}
{{- range $group := ($root.Files.Get $path | fromYaml).groups -}}
{{- $rules := list -}}
{{- range $one := $group.rules -}}
{{- $service := get ($one.rule.labels | default dict) "service" -}}
{{- $target := get $targets ($service | default "") | default dict -}}
{{- $values := include "callboard.alertValues" (dict "root" $root "one" $one "target" $target) | fromJson -}}
{{- $runs := false -}}
{{- with $target -}}
{{- $runs = gt (include "callboard.leastReplicas" . | int64) 0 -}}
{{- end -}}
{{- if and (or $one.rule.record $values.enabled) (or (not $service) $runs) -}}
{{- $rules = append $rules (include "callboard.rule" (dict "root" $root "one" $one "values" $values) | fromJson) -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}
{{- $made := dict "name" $group.name "rules" $rules -}}
{{- with $group.interval -}}
{{- $_ := set $made "interval" . -}}
{{- end -}}
{{- $groups = append $groups $made -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "groups" $groups) -}}
{{- end -}}
