import { someOf, total } from '../promql.ts'
import { BUDGET_DAYS, RECORDED, shareOver } from '../slo/objective.ts'
import { OBJECTIVES, PROMISED } from '../slo/objectives.ts'
import type { Dashboard, Panel } from './dashboard.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const UNRESOLVED = 'state=~"claimed|verified|signed|broadcast|preconfirmed"'
const ALL = total(`${HTTP}_count`)
const OF_PROMISE = total(`${HTTP}_count{${PROMISED}}`)
const SETTLED = 'callboard_payment_outcomes_total{outcome="settled"}'

const budgetLeft: Panel[] = OBJECTIVES.map(({ id, title, promise, burn }) => ({
  title,
  description: `${promise} The panel shows what is left of the budget of ${BUDGET_DAYS} days; below zero, the promise is broken.`,
  unit: 'percentunit',
  kind: 'stat',
  width: 3,
  limits: { orange: 0.25, red: 0 },
  alert: burn.name,
  queries: [{ expr: `min by (slo) (${RECORDED.left}{slo="${id}"})`, legend: 'budget left' }],
}))

const burnRate = (window: string) => `${shareOver(window, '', 'slo')} / sum by (slo) (${RECORDED.budget})`

/** The state of the instance: what is promised, what is used up, and what is late now. */
export const overview: Dashboard = {
  name: 'overview',
  title: 'Overview and objectives',
  description: 'The service level objectives, what is left of their error budgets, and what is stuck now.',
  rows: [
    {
      title: `Error budgets of ${BUDGET_DAYS} days`,
      panels: [
        ...budgetLeft,
        {
          title: 'Services that are ready',
          description: 'How many of the nine services have a ready process.',
          unit: 'short',
          kind: 'stat',
          width: 3,
          alert: 'TargetDown',
          queries: [{ expr: 'count(count by (service) (callboard_service_ready == 1))', legend: 'services' }],
        },
        {
          title: 'Burn rate, 1 h',
          description:
            'How many times faster than allowed the budgets are spent. At 14.4, a month’s budget is used up in two days.',
          unit: 'short',
          width: 12,
          queries: [{ expr: burnRate('1h'), legend: '{{slo}}' }],
        },
        {
          title: 'Burn rate, 6 h',
          description: 'The same, over six hours. At 6, a month’s budget is used up in five days.',
          unit: 'short',
          width: 12,
          queries: [{ expr: burnRate('6h'), legend: '{{slo}}' }],
        },
      ],
    },
    {
      title: 'Now',
      panels: [
        {
          title: 'Failed',
          description: 'Share of requests answered with 5xx; no data without requests.',
          unit: 'percentunit',
          kind: 'stat',
          limits: { orange: 0.001, red: 0.0144 },
          alert: 'GatewayErrorBudgetBurn',
          queries: [
            {
              expr: `${someOf(total(`${HTTP}_count{${PROMISED}, status=~"5.."}`), OF_PROMISE)} / (${OF_PROMISE} > 0)`,
              legend: '5xx',
            },
          ],
        },
        {
          title: 'Oldest unresolved payment',
          description: 'Time since the oldest payment without an outcome was claimed.',
          unit: 's',
          kind: 'stat',
          limits: { orange: 60, red: 300 },
          alert: 'PaymentsUnresolved',
          queries: [{ expr: `max(callboard_payments_oldest_seconds{${UNRESOLVED}})`, legend: 'oldest' }],
        },
        {
          title: 'Silence of a chain',
          description: 'How long a network has left a service’s calls unanswered; it grows while a call hangs.',
          unit: 's',
          kind: 'stat',
          limits: { orange: 15, red: 60 },
          alert: 'ChainSilent',
          queries: [{ expr: 'max(callboard_chain_silent_seconds)', legend: 'silence' }],
        },
        {
          title: 'Oldest recorded block',
          description: 'Age of the last block whose settlements are recorded, for the chain that is furthest behind.',
          unit: 's',
          kind: 'stat',
          limits: { orange: 30, red: 120 },
          alert: 'IndexerBehind',
          queries: [{ expr: 'max(callboard_indexer_lag_seconds)', legend: 'age' }],
        },
        {
          title: 'Oldest waiting event',
          description: 'Age of the oldest event that is not yet on the bus, over all outboxes.',
          unit: 's',
          kind: 'stat',
          limits: { orange: 5, red: 60 },
          alert: 'OutboxStuck',
          queries: [{ expr: 'max(callboard_outbox_oldest_seconds)', legend: 'age' }],
        },
        {
          title: 'Dead letters',
          description: 'Events that consumers gave up. npm run operator -- dead-letters list shows them.',
          unit: 'short',
          kind: 'stat',
          limits: { orange: 1, red: 10 },
          alert: 'DeadLettersPresent',
          queries: [{ expr: 'sum(max by (service) (callboard_dead_letters))', legend: 'events' }],
        },
        {
          title: 'Requests',
          description: 'Answers of the gateway per second, and 5xx answers.',
          unit: 'reqps',
          queries: [
            { expr: ALL, legend: 'all' },
            { expr: someOf(total(`${HTTP}_count{status=~"5.."}`), ALL), legend: '5xx' },
          ],
        },
        {
          title: 'Settlements',
          description: 'Settled payments per hour, by network.',
          unit: 'short',
          queries: [{ expr: `3600 * sum by (network) (rate(${SETTLED}[$__rate_interval]))`, legend: '{{network}}' }],
        },
        {
          title: 'Ready processes',
          description: 'Ready processes by service. A line that ends means that no process of the service answers.',
          unit: 'short',
          alert: 'TargetDown',
          queries: [{ expr: 'sum by (service) (callboard_service_ready)', legend: '{{service}}' }],
        },
        {
          title: 'Behind',
          description:
            'How late the indexer and the prober are: the last recorded block of each chain, and the most overdue check.',
          unit: 's',
          alert: 'ProberBehind',
          queries: [
            { expr: 'max by (network) (callboard_indexer_lag_seconds)', legend: '{{network}}' },
            { expr: 'max(callboard_probe_oldest_due_seconds)', legend: 'checks' },
          ],
        },
        {
          title: 'Servers',
          description: 'Processes that a server answers; a step down means that a process lost the server.',
          unit: 'short',
          alert: 'PostgresDown',
          queries: [{ expr: 'sum by (server) (callboard_server_up)', legend: '{{server}}' }],
        },
        {
          title: 'Versions of Node',
          description:
            'Processes by the version of Node that runs them. Two lines for a long time mean that a rollout stopped halfway.',
          unit: 'short',
          queries: [{ expr: 'count by (version) (nodejs_version_info)', legend: '{{version}}' }],
        },
      ],
    },
  ],
}
