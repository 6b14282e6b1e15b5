import type { ProbeState } from '@callboard/contract'
import type { Collectors, Sample } from '@callboard/runtime'
import { Counter, Gauge, type Registry } from 'prom-client'
import { VERDICTS } from './domain/probe-state.ts'
import { scheduleLoad } from './store/origin.repository.ts'
import type { ProberDb } from './store/tables.ts'

/** The prober's metrics in addition to the usual ones. */
export interface ProberMeters {
  /** Scheduled checks that were recorded. */
  readonly checks: Counter<'state'>
  /** Probes of resources named by settled payments, counted once the result is published. */
  readonly resources: Counter<'state'>
  readonly originsDue: Gauge
  readonly oldestDueSeconds: Gauge
  readonly originsBusy: Gauge
}

export function proberMeters(registry: Registry): ProberMeters {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help: `${help} All replicas show the same.`, registers: [registry] })
  return {
    checks: new Counter({
      name: 'callboard_probe_checks_total',
      help: 'Scheduled checks of endpoints, by result.',
      labelNames: ['state'],
      registers: [registry],
    }),
    resources: new Counter({
      name: 'callboard_probe_resources_total',
      help: 'Probes of resources that settled payments name, by result.',
      labelNames: ['state'],
      registers: [registry],
    }),
    originsDue: gauge(
      'callboard_probe_origins_due',
      'Origins whose endpoints are due and that no replica is visiting.',
    ),
    oldestDueSeconds: gauge(
      'callboard_probe_oldest_due_seconds',
      'How late the most overdue origin is; 0 if none is due.',
    ),
    originsBusy: gauge('callboard_probe_origins_busy', 'Origins that a replica is visiting now.'),
  }
}

/** Exports every state from the start, and reads the schedule whenever `/metrics` is requested. */
export function readSchedule(
  meters: ProberMeters,
  collectors: Collectors,
  { db, clock }: { readonly db: ProberDb; readonly clock: { now(): number } },
): void {
  for (const state of Object.keys(VERDICTS) as ProbeState[]) {
    meters.checks.inc({ state }, 0)
    meters.resources.inc({ state }, 0)
  }
  collectors.add('liveness-prober schedule', async () => {
    const { due, oldestSeconds, busy } = await scheduleLoad(db, new Date(clock.now()))
    const of = (gauge: Gauge, value: number): Sample => ({ gauge, labels: {}, value })
    return [of(meters.originsDue, due), of(meters.oldestDueSeconds, oldestSeconds), of(meters.originsBusy, busy)]
  })
}
