{{/* What is wrong with the settings of one target, one sentence a line. Takes root and target. */}}
{{- define "callboard.settingProblems" -}}
{{- $root := .root -}}
{{- $target := .target -}}
{{- range $setting, $value := $target.values.settings }}
{{- if not (hasKey $target.facts.settings $setting) }}
{{ printf "targets.%s.settings.%s: %s does not read it." $target.name $setting $target.name }}
{{- end }}
{{- end }}
{{- range $target.values.extraEnv }}
{{- if or (hasKey $target.facts.settings .name) (has .name (list "TARGET" "ADMIN_HOST" "ADMIN_PORT" "MIGRATIONS" "CALLBOARD_DATA" "HOST" "PORT" "FACILITATOR_KEYS")) }}
{{ printf "targets.%s.extraEnv names %s, which is a setting: give it under settings or secrets, or leave it to the chart." $target.name .name }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Required settings that are not given, and those that are given twice. Takes root and targets. */}}
{{- define "callboard.givenProblems" -}}
{{- $root := .root -}}
{{- $needed := dict -}}
{{- $twice := dict -}}
{{- range $name, $target := .targets -}}
{{- range $setting, $fact := $target.facts.settings -}}
{{- $inValues := or (hasKey $target.values.settings $setting) (hasKey $root.Values.settings $setting) -}}
{{- $inSecrets := hasKey $root.Values.secrets $setting -}}
{{- if and $inValues $inSecrets -}}
{{- $_ := set $twice $setting true -}}
{{- else if and $fact.required (not $inValues) (not $inSecrets) -}}
{{- $known := get $needed $setting | default (dict "secret" $fact.secret "by" list) -}}
{{- $_ := set $needed $setting (dict "secret" $fact.secret "by" (append $known.by $name)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $setting, $need := $needed }}
{{ printf "%s is needed by %s: give secrets.%s%s." $setting (join ", " $need.by) $setting (ternary "" (printf " or settings.%s" $setting) $need.secret) }}
{{- end }}
{{- range $setting, $_ := $twice }}
{{ printf "%s stands under settings and under secrets: give it once." $setting }}
{{- end }}
{{- end -}}

{{/* What is wrong with the scaling of one target. Takes root and target. */}}
{{- define "callboard.scalingProblems" -}}
{{- $scaling := .target.values.autoscaling -}}
{{- $at := printf "targets.%s" .target.name -}}
{{- if ne $scaling.kind "none" }}
{{- if gt (int64 $scaling.minReplicas) (int64 $scaling.maxReplicas) }}
{{ printf "%s.autoscaling: minReplicas is above maxReplicas." $at }}
{{- end }}
{{- end }}
{{- $measures := include "callboard.measures" .target | fromYaml }}
{{- $work := get (.target.facts.work | default dict) "metrics" | default dict }}
{{- range $measure, $_ := $scaling.work }}
{{- if not (hasKey $work $measure) }}
{{ printf "%s.autoscaling.work.%s: %s is not measured by it%s." $at $measure $.target.name (ternary "" (printf ", but by %s" (keys $work | sortAlpha | join ", ")) (empty $work)) }}
{{- end }}
{{- end }}
{{- if has $scaling.kind (list "cpu" "work") }}
{{- if eq (int64 $scaling.minReplicas) 0 }}
{{ printf "%s.autoscaling: by %s no target scales to nothing; minReplicas is at least 1." $at (ternary "CPU" "its work" (eq $scaling.kind "cpu")) }}
{{- end }}
{{- range $resource, $_ := $measures.resources }}
{{- if not (get (get $.target.values.resources "requests" | default dict) $resource) }}
{{ printf "%s.autoscaling.kind is %s, which is measured against resources.requests.%s: give it." $at $scaling.kind $resource }}
{{- end }}
{{- end }}
{{- with $scaling.triggers }}
{{ printf "%s.autoscaling.triggers are KEDA's: set kind to keda." $at }}
{{- end }}
{{- end }}
{{- if and (eq $scaling.kind "work") (not .target.facts.work) }}
{{ printf "%s.autoscaling.kind is work, and of %s nothing but CPU and memory is measured: set kind to cpu." $at .target.name }}
{{- end }}
{{- if and (eq $scaling.kind "keda") (not $scaling.triggers) }}
{{- if eq (int64 $scaling.minReplicas) 0 }}
{{ printf "%s.autoscaling: without a replica no work of it is measured, and its calls, jobs and outbox wait for one; minReplicas is at least 1, or give autoscaling.triggers that start it." $at }}
{{- end }}
{{- $lag := and .target.facts.consumers .root.Values.keda.natsMonitoringEndpoint }}
{{- if not (or $lag (and $measures.work .root.Values.keda.prometheusAddress)) }}
{{- if $measures.work }}
{{ printf "%s.autoscaling.kind is keda: give keda.prometheusAddress, where KEDA reads %s." $at (keys $work | sortAlpha | join ", ") }}
{{- end }}
{{- if .target.facts.consumers }}
{{ printf "%s.autoscaling.kind is keda: give keda.natsMonitoringEndpoint, where KEDA reads the lag." $at }}
{{- end }}
{{- if not (or $measures.work .target.facts.consumers) }}
{{ printf "%s.autoscaling.kind is keda, and it consumes no events that could lag: give autoscaling.triggers, or another kind." $at }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (ne $scaling.kind "none") (eq (get (.target.facts.work | default dict) "atMost" | default "") "chains") }}
{{- $chains := include "callboard.chainCount" . | int64 }}
{{- if and (gt $chains 0) (gt (int64 $scaling.maxReplicas) $chains) }}
{{ printf "%s.autoscaling.maxReplicas is %d, and RPC_URLS names %d chains: each has one leader, so more replicas than chains do nothing. Give at most %d, or kind none with two replicas, the second to take over." $at (int64 $scaling.maxReplicas) $chains $chains }}
{{- end }}
{{- end }}
{{- if .target.facts.leadsChains }}
{{- $settings := mergeOverwrite (deepCopy .root.Values.settings) .target.values.settings }}
{{- $pool := get $settings "DATABASE_POOL_SIZE" | default .target.poolSize | int64 }}
{{- $chains := include "callboard.chainCount" . | int64 }}
{{- if lt $pool (add $chains 2) }}
{{ printf "targets.%s: DATABASE_POOL_SIZE is %d, and leading %d chains takes at least %d connections: raise it." .target.name $pool $chains (add $chains 2) }}
{{- end }}
{{- end }}
{{- $needed := include "callboard.endingSeconds" . | int64 }}
{{- $given := int64 .target.values.terminationGracePeriodSeconds }}
{{- if and (gt $given 0) (le $given $needed) }}
{{ printf "%s.terminationGracePeriodSeconds is %d, and SHUTDOWN_DELAY_MS with SHUTDOWN_GRACE_MS take %d: work in flight would be cut off." $at $given $needed }}
{{- end }}
{{- end -}}

{{/* What is wrong with the values as a whole. Takes root and targets. */}}
{{- define "callboard.problems" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{ include "callboard.givenProblems" . }}
{{- range $target := .targets }}
{{ include "callboard.settingProblems" (dict "root" $root "target" $target) }}
{{ include "callboard.scalingProblems" (dict "root" $root "target" $target) }}
{{- end }}
{{- if not .targets }}
{{ print "No target is enabled." }}
{{- end }}
{{- range $setting, $secret := $values.secrets }}
{{- if and $secret.key $secret.keyPerTarget }}
{{ printf "secrets.%s: key and keyPerTarget say two things; give one." $setting }}
{{- end }}
{{- end }}
{{- if and $values.image.tag $values.image.digest }}
{{ print "image.tag and image.digest say two things; give one." }}
{{- end }}
{{- $gateway := hasKey .targets "gateway" }}
{{- if and (or $values.ingress.enabled $values.httpRoute.enabled) (not $gateway) }}
{{ print "ingress and httpRoute lead to the gateway, which is not enabled." }}
{{- end }}
{{- if and $values.ingress.enabled (not $values.ingress.hosts) }}
{{ print "ingress.enabled: give ingress.hosts." }}
{{- end }}
{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) }}
{{ print "httpRoute.enabled: give httpRoute.parentRefs, the Gateways it is for." }}
{{- end }}
{{- if and (or $values.ingress.enabled $values.httpRoute.enabled) $gateway }}
{{- $settings := mergeOverwrite (deepCopy $values.settings) (index .targets "gateway").values.settings }}
{{- $proxies := get $settings "TRUST_PROXY" | toString }}
{{- if not (or (hasKey $settings "TRUST_PROXY") (hasKey $values.secrets "TRUST_PROXY")) }}
{{ print "ingress and httpRoute put a proxy before the gateway, and all of its clients would count as one address: give targets.gateway.settings.TRUST_PROXY, its networks (10.0.0.0/8) or how many proxies there are (1)." }}
{{- else if has $proxies (list "true" "false") }}
{{ printf "TRUST_PROXY is %s: give the networks of the proxies (10.0.0.0/8) or how many there are (1)." $proxies }}
{{- end }}
{{- end }}
{{- with $values.fullnameOverride }}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" .) }}
{{ printf "fullnameOverride is %s: the names of Services begin with a letter and hold a-z, 0-9 and -." . }}
{{- end }}
{{- end }}
{{- if eq $values.migrations.mode "job" }}
{{- range $target := .targets }}
{{- if le (include "callboard.startSeconds" $target | int64) (int64 $values.migrations.activeDeadlineSeconds) }}
{{ printf "targets.%s.probes.startup: it gives up before migrations.activeDeadlineSeconds (%d) are over, for which the target waits." $target.name (int64 $values.migrations.activeDeadlineSeconds) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (ne $values.migrations.mode "none") (not (hasKey $values.secrets "DATABASE_URL")) }}
{{ print "DATABASE_URL is needed by the migration step: give secrets.DATABASE_URL, or set migrations.mode to none where another release runs it." }}
{{- end }}
{{- if and $values.migrations.databaseRolePrefix (not (get (get $values.secrets "DATABASE_URL" | default dict) "keyPerTarget")) }}
{{ print "migrations.databaseRolePrefix grants to roles as which no target signs in: give secrets.DATABASE_URL.keyPerTarget." }}
{{- end }}
{{- $direct := get $values.secrets "DATABASE_DIRECT_URL" | default dict }}
{{- if and $direct (ne (get $direct "keyPerTarget" | default false) (get (get $values.secrets "DATABASE_URL" | default dict) "keyPerTarget" | default false)) }}
{{ print "secrets.DATABASE_URL and secrets.DATABASE_DIRECT_URL lead to the same rows: give keyPerTarget to both or to none." }}
{{- end }}
{{- if not $direct }}
{{- if $values.postgres.poolerConnections }}
{{ print "postgres.poolerConnections is of a pooler: give secrets.DATABASE_DIRECT_URL, the way past it." }}
{{- end }}
{{- if hasKey $values.settings "DATABASE_POOLER_PREPARES" }}
{{ print "settings.DATABASE_POOLER_PREPARES is of a pooler: give secrets.DATABASE_DIRECT_URL, the way past it." }}
{{- end }}
{{- end }}
{{- if and (eq $values.migrations.mode "none") $values.migrations.databaseRolePrefix }}
{{ print "migrations.databaseRolePrefix has no Job to go to: migrations.mode is none." }}
{{- end }}
{{- $most := int64 $values.postgres.maxConnections }}
{{- $wanted := include "callboard.allConnections" . | int64 }}
{{- if and (gt $most 0) (gt $wanted $most) }}
{{ printf "postgres.maxConnections is %d, and the targets may open %d connections (%s): raise it, or lower DATABASE_POOL_SIZE or replicas." $most $wanted (include "callboard.connectionLines" . | trim | splitList "\n" | join ", ") }}
{{- end }}
{{- if and (eq $values.migrations.mode "none") $values.migrations.extraEnv }}
{{ print "migrations.extraEnv has no Job to go to: migrations.mode is none." }}
{{- end }}
{{- end -}}

{{/* Fails with every problem at once. Takes root and targets. */}}
{{- define "callboard.check" -}}
{{- $problems := list -}}
{{- range splitList "\n" (include "callboard.problems" .) -}}
{{- with trim . -}}
{{- $problems = append $problems . -}}
{{- end -}}
{{- end -}}
{{- with $problems -}}
{{- fail (printf "\nThe values have problems:\n  %s" (uniq . | join "\n  ")) -}}
{{- end -}}
{{- end -}}
