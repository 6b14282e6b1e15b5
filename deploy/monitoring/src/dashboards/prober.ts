import { perSecond } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { handlersOf, processesOf } from './processes.ts'

export const prober: Dashboard = {
  name: 'prober',
  title: 'Liveness prober',
  description: 'Checks of endpoints, their results, and whether they are on time.',
  rows: [
    {
      title: 'Checks',
      panels: [
        {
          title: 'Checks by what they found',
          description: 'Scheduled checks of endpoints per second.',
          unit: 'cps',
          queries: [{ expr: perSecond('callboard_probe_checks_total', 'state'), legend: '{{state}}' }],
        },
        {
          title: 'How late',
          description: 'How late the most overdue endpoint and the most overdue paid resource are.',
          unit: 's',
          alert: 'ProberBehind',
          queries: [
            { expr: 'max(callboard_probe_oldest_due_seconds)', legend: 'endpoints' },
            { expr: 'max(callboard_discovery_oldest_due_seconds)', legend: 'paid resources' },
          ],
        },
        {
          title: 'Schedule',
          description: 'Origins that are due and waiting, and origins that are being visited.',
          unit: 'short',
          alert: 'ProberBehind',
          queries: [
            { expr: 'max(callboard_probe_origins_due)', legend: 'due' },
            { expr: 'max(callboard_probe_origins_busy)', legend: 'visited' },
          ],
        },
        {
          title: 'Probes of paid resources',
          description: 'Probes that discovery requested, per second, by result.',
          unit: 'cps',
          width: 12,
          queries: [{ expr: perSecond('callboard_probe_resources_total', 'state'), legend: '{{state}}' }],
        },
        {
          title: 'Replicas',
          description: 'Processes that probe. Each takes its share of the due origins.',
          unit: 'short',
          width: 12,
          alert: 'TooFewReplicas',
          queries: [{ expr: 'sum(callboard_service_ready{service="liveness-prober"})', legend: 'ready' }],
        },
      ],
    },
    handlersOf('liveness-prober'),
    processesOf('liveness-prober'),
  ],
}
