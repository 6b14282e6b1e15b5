{{/* Text with `%{name}` filled in. Takes text and values. */}}
{{- define "callboard.filled" -}}
{{- $text := .text -}}
{{- range $name, $value := .values -}}
{{- $text = replace (printf "%%{%s}" $name) (include "callboard.settingText" $value) $text -}}
{{- end -}}
{{- $text -}}
{{- end -}}

{{/* What a rule is given: its defaults, the replicas of its target, and over them what the values say of its alert. Takes root, one and target. */}}
{{- define "callboard.alertValues" -}}
{{- $values := deepCopy .one.defaults -}}
{{- if and .target (hasKey $values "replicas") -}}
{{- $_ := set $values "replicas" (include "callboard.leastReplicas" .target | int64) -}}
{{- end -}}
{{- range $name, $value := get .root.Values.monitoring.rules.alerts .one.rule.alert | default dict -}}
{{- $_ := set $values $name $value -}}
{{- end -}}
{{- $scope := printf "namespace='%s', release='%s'" .root.Release.Namespace .root.Release.Name -}}
{{- with .root.Values.monitoring.cluster -}}
{{- $scope = printf "cluster='%s', %s" . $scope -}}
{{- end -}}
{{- toJson (set $values "scope" $scope) -}}
{{- end -}}

{{/* A rule as Prometheus takes it. Takes root, one and values. */}}
{{- define "callboard.rule" -}}
{{- $rule := include "callboard.filled" (dict "text" (toJson .one.rule) "values" .values) | fromJson -}}
{{- $file := base $rule.annotations.runbook -}}
{{- with .root.Values.monitoring.rules.runbookUrl -}}
{{- $_ := unset $rule.annotations "runbook" -}}
{{- $_ := set $rule.annotations "runbook_url" (replace "{page}" (trimSuffix ".md" $file) .) -}}
{{- end -}}
{{- toJson $rule -}}
{{- end -}}

{{/* The groups of rules of this release: those that are on, and of services those that run. */}}
{{- define "callboard.rules" -}}
{{- $root := . -}}
{{- $targets := include "callboard.targets" . | fromYaml -}}
{{- $groups := list -}}
{{- range $path, $_ := .Files.Glob "files/rules/*.yaml" -}}
{{- range $group := ($root.Files.Get $path | fromYaml).groups -}}
{{- $rules := list -}}
{{- range $one := $group.rules -}}
{{- $service := get $one.rule.labels "service" -}}
{{- $target := get $targets ($service | default "") | default dict -}}
{{- $values := include "callboard.alertValues" (dict "root" $root "one" $one "target" $target) | fromJson -}}
{{- if and $values.enabled (or (not $service) $target) -}}
{{- $rules = append $rules (include "callboard.rule" (dict "root" $root "one" $one "values" $values) | fromJson) -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}
{{- $groups = append $groups (dict "name" $group.name "rules" $rules) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "groups" $groups) -}}
{{- end -}}
