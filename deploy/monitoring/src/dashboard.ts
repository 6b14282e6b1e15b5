import { placed, type Row } from './panels.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const OPERATION = 'callboard_operation_duration_seconds'
const EVENT = 'callboard_event_duration_seconds'
const CALL = 'callboard_chain_call_duration_seconds'
const UNRESOLVED = 'state=~"claimed|verified|signed|broadcast"'

const rate = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`
const quantile = (share: number, metric: string, by: string) =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${metric}_bucket[$__rate_interval])))`
const total = (metric: string) => `sum(rate(${metric}[$__rate_interval]))`

const atAGlance: Row = {
  title: 'At a glance',
  panels: [
    {
      title: 'Requests',
      description: 'HTTP requests per second, all operations.',
      unit: 'reqps',
      kind: 'stat',
      queries: [{ expr: total(`${HTTP}_count`), legend: 'requests' }],
    },
    {
      title: 'Failed',
      description: 'Share of requests answered with 5xx. The budget is one in a thousand.',
      unit: 'percentunit',
      kind: 'stat',
      limits: { orange: 0.001, red: 0.0144 },
      queries: [{ expr: `${total(`${HTTP}_count{status=~"5.."}`)} / ${total(`${HTTP}_count`)}`, legend: '5xx' }],
    },
    {
      title: 'Oldest unresolved payment',
      description: 'Time since the oldest payment without an outcome was claimed.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 60, red: 300 },
      queries: [{ expr: `max(callboard_payments_oldest_seconds{${UNRESOLVED}})`, legend: 'oldest' }],
    },
    {
      title: 'Oldest recorded block',
      description: 'Age of the last block whose settlements are recorded, of the chain that is furthest behind.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 30, red: 120 },
      queries: [{ expr: 'max(callboard_indexer_lag_seconds)', legend: 'age' }],
    },
    {
      title: 'Oldest waiting event',
      description: 'Age of the oldest event that no bus has yet, of all outboxes.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 5, red: 60 },
      queries: [{ expr: 'max(callboard_outbox_oldest_seconds)', legend: 'age' }],
    },
    {
      title: 'Dead letters',
      description: 'Events that consumers gave up. npm run operator -- dead-letters list shows them.',
      unit: 'short',
      kind: 'stat',
      limits: { orange: 1, red: 10 },
      queries: [{ expr: 'sum(max by (service) (callboard_dead_letters))', legend: 'events' }],
    },
  ],
}

const requests: Row = {
  title: 'Requests',
  panels: [
    {
      title: 'Requests by operation',
      description: 'Answers of the gateway per second. `none` is pages and unknown paths.',
      unit: 'reqps',
      queries: [{ expr: rate(`${HTTP}_count`, 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Failures by operation',
      description: 'Answers with 5xx per second.',
      unit: 'reqps',
      queries: [
        { expr: rate(`${HTTP}_count{status=~"5.."}`, 'operation, status'), legend: '{{operation}} {{status}}' },
      ],
    },
    {
      title: 'Latency by operation, 95th percentile',
      description: 'From the request to the end of its answer, as the client feels it.',
      unit: 's',
      queries: [{ expr: quantile(0.95, HTTP, 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Handlers, 95th percentile',
      description: 'Time within the service that owns the operation; the rest of the latency is the way to it.',
      unit: 's',
      queries: [{ expr: quantile(0.95, OPERATION, 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Refusals and faults',
      description: 'Outcomes of handlers other than ok: refusal codes, and fault for what nobody expected.',
      unit: 'reqps',
      width: 24,
      queries: [
        { expr: rate(`${OPERATION}_count{outcome!="ok"}`, 'operation, outcome'), legend: '{{operation}} {{outcome}}' },
      ],
    },
  ],
}

const payments: Row = {
  title: 'Payments',
  panels: [
    {
      title: 'Outcomes',
      description: 'Payments that came to an outcome per second: settled, foreign, or the reason why not.',
      unit: 'cps',
      queries: [
        { expr: rate('callboard_payment_outcomes_total', 'network, outcome'), legend: '{{network}} {{outcome}}' },
      ],
    },
    {
      title: 'Not at their end',
      description: 'Payments by state. mined and reverted wait for finality.',
      unit: 'short',
      queries: [{ expr: 'max by (network, state) (callboard_payments_open)', legend: '{{network}} {{state}}' }],
    },
    {
      title: 'Oldest by state',
      description: 'Time since the oldest payment of a state was claimed.',
      unit: 's',
      queries: [
        { expr: 'max by (network, state) (callboard_payments_oldest_seconds)', legend: '{{network}} {{state}}' },
      ],
    },
    {
      title: 'Payments per transaction',
      description: 'Mean of the payments that share a settlement transaction.',
      unit: 'short',
      queries: [
        {
          expr: `${rate('callboard_settlement_legs_sum', 'network')} / ${rate('callboard_settlement_legs_count', 'network')}`,
          legend: '{{network}}',
        },
      ],
    },
    {
      title: 'Gas of the signing accounts',
      description: 'What each lane holds, in whole coins of its chain.',
      unit: 'short',
      queries: [{ expr: 'min by (network, lane) (callboard_lane_balance_coins)', legend: '{{network}} {{lane}}' }],
    },
    {
      title: 'Transactions on their way',
      description: 'Chain nonces of each lane that are in no block yet.',
      unit: 'short',
      queries: [{ expr: 'max by (network, lane) (callboard_lane_in_flight)', legend: '{{network}} {{lane}}' }],
    },
    {
      title: 'Longest wait of a lane',
      description: 'Time since the oldest payment was claimed that waits for a transaction of the lane.',
      unit: 's',
      queries: [{ expr: 'max by (network, lane) (callboard_lane_oldest_seconds)', legend: '{{network}} {{lane}}' }],
    },
    {
      title: 'Sent again, repriced, lost to a reorganisation',
      description: 'Per second. Each is dealt with by itself; many are a sign of a bad node or of fees that rise.',
      unit: 'cps',
      queries: [
        { expr: rate('callboard_lane_resent_total', 'network'), legend: '{{network}} sent again' },
        { expr: rate('callboard_lane_repriced_total', 'network'), legend: '{{network}} repriced' },
        { expr: rate('callboard_payment_blocks_vanished_total', 'network'), legend: '{{network}} block gone' },
      ],
    },
  ],
}

const chains: Row = {
  title: 'Chains',
  panels: [
    {
      title: 'Head, recorded, final',
      description: 'Block heights as the leader sees them.',
      unit: 'none',
      queries: [
        { expr: 'max by (network) (callboard_indexer_head_block)', legend: '{{network}} head' },
        { expr: 'max by (network) (callboard_indexer_cursor_block)', legend: '{{network}} recorded' },
        { expr: 'max by (network) (callboard_indexer_final_block)', legend: '{{network}} final' },
      ],
    },
    {
      title: 'Lag',
      description: 'Blocks from the last recorded one to the head.',
      unit: 'short',
      queries: [{ expr: 'max by (network) (callboard_indexer_lag_blocks)', legend: '{{network}}' }],
    },
    {
      title: 'Age of the last recorded block',
      description: 'By our clock: it also grows when the chain stands still or nobody leads.',
      unit: 's',
      queries: [{ expr: 'max by (network) (callboard_indexer_lag_seconds)', legend: '{{network}}' }],
    },
    {
      title: 'Leaders and halts',
      description: 'Replicas that follow each chain (one, but for a moment of change) and that gave it up.',
      unit: 'short',
      queries: [
        { expr: 'sum by (network) (callboard_indexer_leader)', legend: '{{network}} leaders' },
        { expr: 'sum by (network) (callboard_indexer_halted)', legend: '{{network}} halted' },
      ],
    },
    {
      title: 'Calls to nodes',
      description: 'JSON-RPC requests per second, by method and outcome.',
      unit: 'reqps',
      queries: [
        { expr: rate(`${CALL}_count`, 'network, method, outcome'), legend: '{{network}} {{method}} {{outcome}}' },
      ],
    },
    {
      title: 'Latency of nodes, 95th percentile',
      description: 'Time until a node answered, retries included.',
      unit: 's',
      queries: [{ expr: quantile(0.95, CALL, 'network, method'), legend: '{{network}} {{method}}' }],
    },
    {
      title: 'Reorganisations and faults of providers',
      description: 'Followed reorganisations, and steps given up because of a provider, per second.',
      unit: 'cps',
      width: 24,
      queries: [
        { expr: rate('callboard_indexer_reorgs_total', 'network'), legend: '{{network}} reorganisations' },
        { expr: rate('callboard_indexer_provider_errors_total', 'network, fault'), legend: '{{network}} {{fault}}' },
      ],
    },
  ],
}

const prober: Row = {
  title: 'Liveness',
  panels: [
    {
      title: 'Checks by what they found',
      description: 'Scheduled checks of endpoints per second.',
      unit: 'cps',
      queries: [{ expr: rate('callboard_probe_checks_total', 'state'), legend: '{{state}}' }],
    },
    {
      title: 'Schedule',
      description: 'Origins that are due and wait, that are visited now, and how late the longest due one is.',
      unit: 'short',
      queries: [
        { expr: 'max(callboard_probe_origins_due)', legend: 'due' },
        { expr: 'max(callboard_probe_origins_busy)', legend: 'visited' },
        { expr: 'max(callboard_probe_oldest_due_seconds)', legend: 'seconds late' },
      ],
    },
  ],
}

const events: Row = {
  title: 'Events',
  panels: [
    {
      title: 'Outboxes',
      description: 'Events written and not yet on the bus, by service.',
      unit: 'short',
      queries: [{ expr: 'max by (service) (callboard_outbox_waiting)', legend: '{{service}}' }],
    },
    {
      title: 'Lag of consumers',
      description: 'Events on the bus that a durable consumer has not finished. 0 where the bus is inside the process.',
      unit: 'short',
      queries: [{ expr: 'max by (consumer, event) (callboard_consumer_lag_events)', legend: '{{consumer}} {{event}}' }],
    },
    {
      title: 'Events handled',
      description: 'Deliveries per second by outcome; repeat is one that had been handled before.',
      unit: 'cps',
      queries: [
        { expr: rate(`${EVENT}_count`, 'consumer, event, outcome'), legend: '{{consumer}} {{event}} {{outcome}}' },
      ],
    },
    {
      title: 'Time per event, 95th percentile',
      description: 'Of one delivery, its transaction included.',
      unit: 's',
      queries: [{ expr: quantile(0.95, EVENT, 'consumer, event'), legend: '{{consumer}} {{event}}' }],
    },
    {
      title: 'Given up',
      description: 'Events that became dead letters within the hour.',
      unit: 'short',
      queries: [
        {
          expr: 'sum by (consumer, event) (increase(callboard_events_buried_total[1h]))',
          legend: '{{consumer}} {{event}}',
        },
      ],
    },
    {
      title: 'Jobs',
      description: 'Runs of recurring jobs per second.',
      unit: 'cps',
      queries: [
        { expr: rate('callboard_job_runs_total', 'service, job, outcome'), legend: '{{service}} {{job}} {{outcome}}' },
      ],
    },
  ],
}

const processes: Row = {
  title: 'Processes',
  panels: [
    {
      title: 'CPU',
      description: 'Cores in use, by process.',
      unit: 'short',
      queries: [{ expr: 'rate(process_cpu_seconds_total[$__rate_interval])', legend: '{{job}} {{instance}}' }],
    },
    {
      title: 'Memory',
      description: 'Resident memory.',
      unit: 'bytes',
      queries: [{ expr: 'process_resident_memory_bytes', legend: '{{job}} {{instance}}' }],
    },
    {
      title: 'Event loop delay, 99th percentile',
      description: 'How long work waits for its turn in the process.',
      unit: 's',
      queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds', legend: '{{job}} {{instance}}' }],
    },
    {
      title: 'Connections to Postgres',
      description: 'Busy connections of each pool, its limit, and the work that waits for one.',
      unit: 'short',
      queries: [
        { expr: 'sum by (service) (callboard_postgres_connections{state="busy"})', legend: '{{service}} busy' },
        { expr: 'sum by (service) (callboard_postgres_connections_limit)', legend: '{{service}} limit' },
        { expr: 'sum by (service) (callboard_postgres_waiting)', legend: '{{service}} waiting' },
      ],
    },
    {
      title: 'Away from the bus',
      description: 'Processes without a connection to the bus.',
      unit: 'short',
      queries: [{ expr: 'count by (job) (callboard_bus_connected == 0)', legend: '{{job}}' }],
    },
    {
      title: 'Gauges that could not be read',
      description: 'By source, within the hour; their panels have gaps.',
      unit: 'short',
      queries: [{ expr: 'sum by (source) (increase(callboard_reading_failures_total[1h])) > 0', legend: '{{source}}' }],
    },
  ],
}

/** The rows of the dashboard, from what clients feel to what causes it. */
export const ROWS: readonly Row[] = [atAGlance, requests, payments, chains, prober, events, processes]

/** dashboards/callboard.json, for Grafana 11 and newer. */
export const dashboard = (): string =>
  asFormatted({
    uid: 'callboard',
    title: 'Callboard',
    description:
      'Requests, payments, chains, liveness, events and processes of one Callboard. Made by npm run monitoring:gen.',
    tags: ['callboard'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'utc',
    annotations: { list: [] },
    links: [],
    templating: {
      list: [
        {
          name: 'datasource',
          label: 'Prometheus',
          type: 'datasource',
          query: 'prometheus',
          current: {},
          hide: 0,
          refresh: 1,
          regex: '',
          multi: false,
          includeAll: false,
          options: [],
        },
      ],
    },
    panels: placed(ROWS),
  })

/** JSON as the formatter of this repository leaves it: short lists stand in one line. */
const asFormatted = (value: object): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => `[${items.replaceAll(/\n\s+/g, ' ')}]`)}\n`
