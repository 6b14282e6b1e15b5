import type { Row } from './dashboard.ts'

/**
 * Panels on the processes of some services: readiness, CPU, memory, event loop.
 * @param services by their `service` and `job` labels; a process with every service has the job `callboard`
 */
export const processesOf = (...services: readonly string[]): Row => {
  const service = `service=~"${services.join('|')}"`
  const job = `job=~"${[...services, 'callboard'].join('|')}"`
  return {
    title: 'Processes',
    panels: [
      {
        title: 'Ready',
        description: 'Processes that are ready. A line that ends means that no process of the service answers.',
        unit: 'short',
        width: 6,
        alert: 'TargetDown',
        queries: [{ expr: `sum by (service) (callboard_service_ready{${service}})`, legend: '{{service}}' }],
      },
      {
        title: 'CPU',
        description: 'Cores in use, by process.',
        unit: 'short',
        width: 6,
        queries: [
          { expr: `rate(process_cpu_seconds_total{${job}}[$__rate_interval])`, legend: '{{job}} {{instance}}' },
        ],
      },
      {
        title: 'Memory',
        description: 'Resident memory, by process.',
        unit: 'bytes',
        width: 6,
        queries: [{ expr: `process_resident_memory_bytes{${job}}`, legend: '{{job}} {{instance}}' }],
      },
      {
        title: 'Event loop delay, 99th percentile',
        description: 'How long work waits for its turn in the process, beyond the 100 ms between two measurements.',
        unit: 's',
        width: 6,
        queries: [
          {
            expr: `clamp_min(nodejs_eventloop_lag_p99_seconds{${job}} - 0.1, 0)`,
            legend: '{{job}} {{instance}}',
          },
        ],
      },
    ],
  }
}

/** Panels on the handlers of some services: rate, duration, and failures. @param services the prefixes of operations */
export const handlersOf = (...services: readonly string[]): Row => {
  const operations = `operation=~"(${services.join('|')})[.].+"`
  const duration = 'callboard_operation_duration_seconds'
  return {
    title: 'Operations',
    panels: [
      {
        title: 'Calls by operation',
        description: 'Calls that handlers took per second, including internal calls.',
        unit: 'reqps',
        queries: [
          {
            expr: `sum by (operation) (rate(${duration}_count{${operations}}[$__rate_interval]))`,
            legend: '{{operation}}',
          },
        ],
      },
      {
        title: 'Handlers, 95th percentile',
        description: 'Time inside the service; the rest of the latency is spent on the way to it.',
        unit: 's',
        queries: [
          {
            expr: `histogram_quantile(0.95, sum by (le, operation) (rate(${duration}_bucket{${operations}}[$__rate_interval])))`,
            legend: '{{operation}}',
          },
        ],
      },
      {
        title: 'Outcomes',
        description: 'Outcomes of calls per second: ok, the code of a refusal, cancelled by the caller, or fault.',
        unit: 'reqps',
        queries: [
          {
            expr: `sum by (outcome) (rate(${duration}_count{${operations}}[$__rate_interval]))`,
            legend: '{{outcome}}',
          },
        ],
      },
    ],
  }
}
