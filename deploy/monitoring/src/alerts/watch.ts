import { type Alert, alert, type Group } from './alert.ts'

/** True if a process showed the metric within `memory` and none does now, or if none shows one that all should. */
function blind({ name, sight }: Alert, memory: string): string[] {
  if (!sight) return []
  const { metric, isEverywhere } = sight
  const gone = isEverywhere
    ? `absent(${metric})`
    : `group by () (last_over_time(${metric}[${memory}])) unless group by () (${metric})`
  return [`label_replace(${gone}, "blind", "${name}", "", "")`]
}

/** The alerts that wake a person, where one could be silenced. */
const critical = (groups: readonly Group[]): Alert[] =>
  groups.flatMap(({ alerts }) => alerts).filter(({ severity, sight }) => severity === 'critical' && sight)

/** @param service the only one that shows what these alerts watch: an instance without it does not miss them */
const alertBlind = (watched: readonly Alert[], service: string | undefined): Alert =>
  alert({
    name: 'AlertBlind',
    severity: 'critical',
    service,
    parameters: { for: '3m', memory: '1h' },
    expr: ({ memory }) => watched.flatMap((one) => blind(one, memory)).join('\nor\n'),
    summary: '{{ $labels.blind }} cannot fire',
    description: 'No process shows the metric that this alert watches.',
  })

/** The alerts that watch the alerts themselves. */
export const watch = (groups: readonly Group[]): Group => ({
  name: 'watch',
  alerts: [
    // It always fires. Its receiver calls a person when it stops: then Prometheus or Alertmanager is dead.
    alert({
      name: 'Watchdog',
      severity: 'none',
      parameters: { for: '0s' },
      expr: () => 'vector(1)',
      summary: 'Alerts reach their receiver',
      description: 'This alert always fires. A receiver that stops getting it calls a person.',
    }),
    ...Map.groupBy(critical(groups), ({ sight }) => sight?.service)
      .entries()
      .map(([service, watched]) => alertBlind(watched, service)),
  ],
})
