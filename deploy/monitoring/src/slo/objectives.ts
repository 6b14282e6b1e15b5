import { whereConfigured } from '../alerts/alert.ts'
import type { Objective } from './objective.ts'

const HTTP = 'callboard_http_request_duration_seconds'
/** Without the answers that an instance sells no USDC: anyone may ask for that, and nothing is broken. */
export const PROMISED = 'operation!="router.onrampSession"'
const READS = 'operation=~"catalog[.].+"'
const PAYING = 'operation=~"x402-facilitator[.](settle|decode)|router[.]topUp"'
const SETTLING = 'operation="x402-facilitator.settle", status="200"'

const counted = (matchers: string) => (window: string) => `sum(rate(${HTTP}_count{${matchers}}[${window}]))`
/** Without failures it is zero if there are requests, and without requests there is no data. */
const failed = (matchers: string) => (window: string) =>
  `(sum(rate(${HTTP}_count{${matchers}, status=~"5.."}[${window}])) or 0 * ${counted(matchers)(window)})`
/** Prometheus 3 writes an integer bound as `5.0`, older versions as in the exposition. */
const slower = (matchers: string, seconds: string) => (window: string) =>
  `${counted(matchers)(window)} - sum(rate(${HTTP}_bucket{${matchers}, le=~"${seconds}(.0)?"}[${window}]))`

/**
 * 1 while a gauge is above the promised value, else 0. While no process shows it, though one did within the day, it
 * counts as late: its service is down.
 */
const late = (metric: string, seconds: number) => () =>
  `((max(${metric}) > bool ${seconds}) or (1 + 0 * max(last_over_time(${metric}[1d]))))`
const always = (metric: string) => () => `(1 + 0 * max(last_over_time(${metric}[1d])))`

const DUE = 'callboard_probe_oldest_due_seconds'
const RECORDED_BLOCK = 'callboard_indexer_lag_seconds'

/** Every promise, in the order of the page. */
export const OBJECTIVES: readonly Objective[] = [
  {
    id: 'requests',
    title: 'Requests are answered',
    promise: 'Of a thousand requests of any kind, at most one fails because of us.',
    measured:
      'The share of the gateway’s answers that are 5xx. A refusal (4xx) counts as an answer. Requests for parts that the instance does not run, and for onramp sessions, are left out.',
    budget: 0.001,
    events: 'requests',
    bad: failed(PROMISED),
    all: counted(PROMISED),
    burn: {
      name: 'GatewayErrorBudgetBurn',
      severity: 'critical',
      summary: 'The gateway answers too many requests with 5xx',
      says: 'of requests fail',
      leastPerSecond: 0.1,
      sight: whereConfigured(`${HTTP}_count`, 'gateway'),
    },
  },
  {
    id: 'reads',
    title: 'The directory can be read',
    promise: 'Of a thousand reads of the directory, at most one fails because of us.',
    measured: 'The share of answers to the catalogue’s operations that are 5xx.',
    budget: 0.001,
    events: 'requests',
    bad: failed(READS),
    all: counted(READS),
    burn: {
      name: 'ReadsErrorBudgetBurn',
      severity: 'critical',
      summary: 'Too many reads of the directory fail',
      says: 'of reads fail',
      leastPerSecond: 0.1,
    },
  },
  {
    id: 'read-latency',
    title: 'The directory is quick',
    promise: 'Of a hundred reads of the directory, at least 95 are answered within a quarter of a second.',
    measured:
      'The share of reads that take longer than 0.25 s at the gateway, from the request to the end of the answer.',
    budget: 0.05,
    events: 'requests',
    bad: slower(READS, '0.25'),
    all: counted(READS),
    burn: {
      name: 'ReadLatencyBudgetBurn',
      severity: 'warning',
      summary: 'Too many reads of the directory are slow',
      says: 'of reads take longer than a quarter of a second',
      leastPerSecond: 0.1,
    },
  },
  {
    id: 'payments',
    title: 'Payments succeed',
    promise: 'Of two hundred payments, at most one fails because of us.',
    measured:
      '5xx answers to settling, top-ups and paid calls, plus transactions that failed through no fault of their payer, as a share of all answers to them. A payment that is refused with a reason counts as an answer.',
    budget: 0.005,
    events: 'payments',
    bad: (window) =>
      `${failed(PAYING)(window)} + (sum(rate(callboard_settlement_own_failures_total[${window}])) or 0 * ${counted(PAYING)(window)})`,
    all: counted(PAYING),
    burn: {
      name: 'PaymentsErrorBudgetBurn',
      severity: 'critical',
      summary: 'Too many payments fail because of us',
      says: 'of payments fail through no fault of their payer',
      leastPerSecond: 0.01,
    },
  },
  {
    id: 'settlement-time',
    title: 'Payments settle quickly',
    promise: 'Of a hundred payments, at least 95 have their outcome within five seconds.',
    measured: 'The share of settle calls answered with 200 that take more than 5 s.',
    budget: 0.05,
    events: 'payments',
    bad: slower(SETTLING, '5'),
    all: counted(SETTLING),
    burn: {
      name: 'SettlementTimeBudgetBurn',
      severity: 'warning',
      summary: 'Too many payments take longer than five seconds',
      says: 'of payments take longer than five seconds',
      leastPerSecond: 0.01,
    },
  },
  {
    id: 'liveness',
    title: 'Liveness is fresh',
    promise: 'In 99 of a hundred minutes, no endpoint’s check is more than 15 minutes late.',
    measured: 'How late the most overdue check is. While no prober runs, it counts as late.',
    budget: 0.01,
    events: 'time',
    bad: late(DUE, 900),
    all: always(DUE),
    burn: {
      name: 'LivenessBudgetBurn',
      severity: 'warning',
      summary: 'Liveness is shown from old checks too often',
      says: 'of the time checks were more than 15 minutes late',
    },
  },
  {
    id: 'activity',
    title: 'Activity is fresh',
    promise: 'In 199 of two hundred minutes, the activity is at most a minute behind every chain.',
    measured:
      'The age of the last recorded block of the chain that is furthest behind. While no indexer runs, it counts as late.',
    budget: 0.005,
    events: 'time',
    bad: late(RECORDED_BLOCK, 60),
    all: always(RECORDED_BLOCK),
    burn: {
      name: 'ActivityBudgetBurn',
      severity: 'warning',
      summary: 'Activity is behind the chains too often',
      says: 'of the time the last recorded block was more than a minute old',
    },
  },
]
