import type { Row } from '../panels.ts'

export const processes: Row = {
  title: 'Processes',
  panels: [
    {
      title: 'Ready',
      description: 'Processes that are ready, by service. A line that ends is a service of which none answers.',
      unit: 'short',
      queries: [{ expr: 'sum by (service) (callboard_service_ready)', legend: '{{service}}' }],
    },
    {
      title: 'Answers of servers',
      description:
        'Time that Postgres, NATS and Redis take for a question that needs no work, and processes without an answer.',
      unit: 's',
      queries: [
        { expr: 'max by (server) (callboard_server_answer_seconds)', legend: '{{server}}' },
        { expr: 'count by (server) (callboard_server_up == 0)', legend: '{{server}} away from so many' },
      ],
    },
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
      description: 'How long work waits for its turn in the process, beyond the 100 ms between two measurements.',
      unit: 's',
      queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds - 0.1', legend: '{{job}} {{instance}}' }],
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
