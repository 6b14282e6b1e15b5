import { modules } from '@callboard/all'
import { type Alert, alert, type Group } from './alert.ts'

const SERVICES = modules.map(({ name }) => name)
const READY = 'callboard_service_ready'

/** A dead process answers no scrape, and its series end: no process is left that runs the service. */
const targetDown = (service: string): Alert =>
  alert({
    name: 'TargetDown',
    severity: 'critical',
    service,
    parameters: { for: '1m' },
    expr: () => `absent(${READY}{service="${service}"})`,
    summary: 'No process of {{ $labels.service }} answers',
    description: 'Prometheus reaches none of them: all died, or Prometheus is cut off from them.',
  })

/** A replica removed from the scrape configuration, like a deleted pod, has no `up` that could report it. */
const tooFewReplicas = (service: string): Alert =>
  alert({
    name: 'TooFewReplicas',
    severity: 'warning',
    service,
    parameters: { for: '5m', replicas: 1 },
    expr: ({ replicas }) => {
      const ready = `count by (service) (${READY}{service="${service}"} == 1)`
      return `${ready} < ${replicas}
or
${ready} < count by (service) (${READY}{service="${service}"})`
    },
    summary: 'Only {{ $value }} processes of {{ $labels.service }} are ready',
    description:
      'The service should have more, or a running process is not ready; the next failure may take the service down.',
  })

/** Prometheus's job names of processes: those of the services, and that of a process with all of them. */
const JOBS = ['callboard', ...SERVICES].join('|')

export const processes: Group = {
  name: 'processes',
  alerts: [
    ...SERVICES.map(targetDown),
    // While Postgres or NATS is down no service is ready, and those have pages of their own.
    alert({
      name: 'TargetNotReady',
      severity: 'critical',
      parameters: { for: '3m' },
      expr: () => `max by (service) (${READY}) == 0
unless on ()
min by () (callboard_server_up{server=~"postgres|nats"}) == 0`,
      summary: 'No process of {{ $labels.service }} is ready',
      description: 'They run but accept no work; `/readyz` of each process says why.',
    }),
    ...SERVICES.map(tooFewReplicas),
    alert({
      name: 'ProcessDown',
      severity: 'warning',
      parameters: { for: '2m', jobs: JOBS },
      expr: ({ jobs }) => `count by (job) (up{job=~"${jobs}"} == 0) > 0`,
      summary: '{{ $value }} processes of {{ $labels.job }} do not answer',
      description: 'Prometheus knows them but cannot read their metrics.',
    }),
    alert({
      name: 'HalfOfProcessesDown',
      severity: 'critical',
      parameters: { for: '1m', share: 0.5, jobs: JOBS },
      expr: ({ jobs, share }) => `count(up{job=~"${jobs}"} == 0) / count(up{job=~"${jobs}"}) >= ${share}`,
      summary: '{{ $value | humanizePercentage }} of all processes do not answer',
      description: 'A node, a zone or the network between them and Prometheus is gone.',
    }),
  ],
}
