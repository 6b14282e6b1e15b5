import { perSecond } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { handlersOf, processesOf } from './processes.ts'

export const prober: Dashboard = {
  name: 'prober',
  title: 'Liveness prober',
  description: 'Checks of endpoints, what they find, and whether they come in time.',
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
          description: 'How late the longest due endpoint and the longest due paid resource are.',
          unit: 's',
          alert: 'ProberBehind',
          queries: [
            { expr: 'max(callboard_probe_oldest_due_seconds)', legend: 'endpoints' },
            { expr: 'max(callboard_discovery_oldest_due_seconds)', legend: 'paid resources' },
          ],
        },
        {
          title: 'Schedule',
          description: 'Origins that are due and wait, and that are visited now.',
          unit: 'short',
          alert: 'ProberBehind',
          queries: [
            { expr: 'max(callboard_probe_origins_due)', legend: 'due' },
            { expr: 'max(callboard_probe_origins_busy)', legend: 'visited' },
          ],
        },
        {
          title: 'Probes of paid resources',
          description: 'Probes that discovery asked for, per second, by what they found.',
          unit: 'cps',
          width: 12,
          queries: [{ expr: perSecond('callboard_probe_resources_total', 'state'), legend: '{{state}}' }],
        },
        {
          title: 'Replicas',
          description: 'Processes that probe, of which each takes its share of what is due.',
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
