import { defineConfig } from 'vitest/config'
import { hasSecondPostgres } from './libs/testkit/src/servers/postgres.ts'
import { SECOND_POSTGRES } from './libs/testkit/src/setup.ts'

const globalSetup = ['./libs/testkit/src/setup.ts']
const limits = { testTimeout: 30_000, hookTimeout: 60_000 }

/** Suites that stand on Postgres run a second time where another version of it is at hand. */
const second = {
  ...limits,
  name: SECOND_POSTGRES,
  globalSetup,
  include: ['{libs/store,services}/**/*.test.ts'],
  // These do not touch Postgres, bring their own, or are about processes and chains rather than SQL.
  exclude: [
    '**/node_modules/**',
    '**/counters.*.test.ts',
    'services/*/src/**',
    'services/all/**',
    'services/gateway/**',
    'services/chain-indexer/test/lying-endpoint.test.ts',
    'services/agents/test/{relay-transfer,postgres-restarted}.test.ts',
    'services/*/test/kill*.test.ts',
  ],
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './libs/testkit/src/reporter.ts'],
    projects: [
      {
        test: {
          ...limits,
          name: 'callboard',
          globalSetup,
          include: ['{libs,services,demo,cli,deploy,helm,tools,faults,bench}/**/*.test.ts'],
        },
      },
      ...(hasSecondPostgres() ? [{ test: second }] : []),
    ],
  },
})
