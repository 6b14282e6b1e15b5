import { someOf, total } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'

export const stores: Dashboard = {
  name: 'stores',
  title: 'Stores',
  description: 'Postgres, Redis, and the connections that processes keep to them.',
  rows: [
    {
      title: 'Servers',
      panels: [
        {
          title: 'Processes with an answer',
          description: 'Processes that a server answers within 1.5 seconds.',
          unit: 'short',
          alert: 'PostgresDown',
          queries: [{ expr: 'sum by (server) (callboard_server_up)', legend: '{{server}}' }],
        },
        {
          title: 'Processes without one',
          description: 'Processes that a server does not answer; zero while it answers all of them.',
          unit: 'short',
          alert: 'PostgresDown',
          queries: [{ expr: 'sum by (server) (callboard_server_up == bool 0)', legend: '{{server}}' }],
        },
        {
          title: 'Slowest answer',
          description:
            'Time that a server takes to answer a request that needs no work, as the slowest process sees it.',
          unit: 's',
          alert: 'ServerSlow',
          queries: [{ expr: 'max by (server) (callboard_server_answer_seconds)', legend: '{{server}}' }],
        },
        {
          title: 'Answers of Postgres',
          description: 'Time to answer a request that needs no work, by target.',
          unit: 's',
          width: 12,
          alert: 'PostgresDown',
          queries: [{ expr: 'max by (job) (callboard_server_answer_seconds{server="postgres"})', legend: '{{job}}' }],
        },
        {
          title: 'Answers of Redis',
          description: 'Time to answer a request that needs no work, by target.',
          unit: 's',
          width: 12,
          alert: 'RedisDown',
          queries: [{ expr: 'max by (job) (callboard_server_answer_seconds{server="redis"})', legend: '{{job}}' }],
        },
      ],
    },
    {
      title: 'Postgres',
      panels: [
        {
          title: 'Busy connections',
          description: 'Connections in use, by service.',
          unit: 'short',
          queries: [{ expr: 'sum by (service) (callboard_postgres_connections{state="busy"})', legend: '{{service}}' }],
        },
        {
          title: 'Share of the pool in use',
          description: 'Busy connections, as a share of the most that the pools of a service open.',
          unit: 'percentunit',
          queries: [
            {
              expr: 'sum by (service) (callboard_postgres_connections{state="busy"}) / sum by (service) (callboard_postgres_connections_limit)',
              legend: '{{service}}',
            },
          ],
        },
        {
          title: 'Work that waits for a connection',
          description: 'If this stays above zero, the pool is too small or statements are slow.',
          unit: 'short',
          queries: [{ expr: 'sum by (service) (callboard_postgres_waiting)', legend: '{{service}}' }],
        },
        {
          title: 'Idle connections',
          description: 'Open but unused connections, by service.',
          unit: 'short',
          width: 12,
          queries: [{ expr: 'sum by (service) (callboard_postgres_connections{state="idle"})', legend: '{{service}}' }],
        },
        {
          title: 'Limit of connections',
          description:
            'The most connections that the pools of a service open together (DATABASE_POOL_SIZE of each process).',
          unit: 'short',
          width: 12,
          queries: [{ expr: 'sum by (service) (callboard_postgres_connections_limit)', legend: '{{service}}' }],
        },
      ],
    },
    {
      title: 'Redis',
      panels: [
        {
          title: 'Memory of Redis',
          description: 'Memory in use, and the most that Redis may use (maxmemory); a limit of 0 means no limit.',
          unit: 'bytes',
          width: 12,
          queries: [
            { expr: 'max(callboard_redis_memory_bytes)', legend: 'in use' },
            { expr: 'max(callboard_redis_memory_limit_bytes)', legend: 'limit' },
          ],
        },
        {
          title: 'Keys that Redis dropped',
          description:
            'Keys that were evicted within five minutes for lack of memory: lost limits and nonces. Give Redis more memory, or set noeviction.',
          unit: 'short',
          width: 12,
          queries: [{ expr: 'clamp_min(max(delta(callboard_redis_evicted_keys[5m])), 0)', legend: 'evicted' }],
        },
      ],
    },
    {
      title: 'Readings',
      panels: [
        {
          title: 'Gauges that could not be read',
          description:
            'Readings for /metrics that failed or were late within five minutes, by source. Their panels have gaps.',
          unit: 'short',
          width: 12,
          queries: [{ expr: 'sum by (source) (increase(callboard_reading_failures_total[5m]))', legend: '{{source}}' }],
        },
        {
          title: 'Calls that ended as a fault',
          description: 'Handler calls per second that failed unexpectedly, as happens without a store.',
          unit: 'reqps',
          width: 12,
          queries: [
            {
              expr: someOf(
                total('callboard_operation_duration_seconds_count{outcome="fault"}'),
                total('callboard_operation_duration_seconds_count'),
              ),
              legend: 'faults',
            },
          ],
        },
      ],
    },
  ],
}
