{{/*
What a target is scaled by: `resources`, with the percentage of what is requested, and `work`, each with name, per, target and
expr. Takes a target.
*/}}
{{- define "callboard.measures" -}}
{{- $scaling := .values.autoscaling -}}
{{- $kinds := list "cpu" -}}
{{- if gt (int64 $scaling.targetMemoryUtilizationPercentage) 0 -}}
{{- $kinds = list "cpu" "memory" -}}
{{- end -}}
{{- $work := list -}}
{{- if has $scaling.kind (list "work" "keda") -}}
{{- with .facts.work -}}
{{- $kinds = .resources -}}
{{- range $key, $metric := .metrics -}}
{{- $work = append $work (merge (dict "target" (get $scaling.work $key | default $metric.target)) $metric) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $percentages := dict "cpu" $scaling.targetCPUUtilizationPercentage "memory" $scaling.targetMemoryUtilizationPercentage -}}
{{- $resources := dict -}}
{{- range $kind := $kinds -}}
{{- $percentage := get $percentages $kind | int64 -}}
{{- if gt $percentage 0 -}}
{{- $_ := set $resources $kind $percentage -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "resources" $resources "work" $work) -}}
{{- end -}}

{{/* The matchers of this release's series, as PromQL has them. */}}
{{- define "callboard.scope" -}}
{{- with .Values.monitoring.cluster -}}
{{- printf "cluster='%s', " . -}}
{{- end -}}
{{- printf "namespace='%s', release='%s'" .Release.Namespace .Release.Name -}}
{{- end -}}

{{/*
The replicas that a Deployment is rendered with. What scales it decides, so that the number of the cluster is kept, brought between
the least and the most; before there is a Deployment it is the least. It is always rendered: Helm puts a number that it leaves out
back to the API's default, which is one. Takes root and target.
*/}}
{{- define "callboard.replicas" -}}
{{- $scaling := .target.values.autoscaling -}}
{{- if eq $scaling.kind "none" -}}
{{- int64 .target.values.replicas -}}
{{- else -}}
{{- $name := printf "%s-%s" (include "callboard.fullname" .root) .target.name -}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace $name -}}
{{- $replicas := dig "spec" "replicas" (int64 $scaling.minReplicas) $live | int64 -}}
{{- min (int64 $scaling.maxReplicas) (max $replicas (int64 $scaling.minReplicas)) -}}
{{- end -}}
{{- end -}}

{{/* How many chains the settings name, 0 where they stand in a Secret. Takes root and target. */}}
{{- define "callboard.chainCount" -}}
{{- $settings := mergeOverwrite (deepCopy .root.Values.settings) .target.values.settings -}}
{{- $chains := get $settings "RPC_URLS" | default dict -}}
{{- if kindIs "string" $chains -}}
{{- $chains = fromJson $chains -}}
{{- end -}}
{{- len $chains -}}
{{- end -}}
