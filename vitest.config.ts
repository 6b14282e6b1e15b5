import { defineConfig } from 'vitest/config'
import { longInTurns } from './libs/testkit/src/run/order.ts'
import { hasSecondPostgres } from './libs/testkit/src/servers/postgres.ts'
import { SECOND_POSTGRES } from './libs/testkit/src/setup.ts'

const setupFiles = ['./libs/testkit/src/sql/record.ts']
const OWN_REPORTERS = ['run/reporter', 'run/failed-files', 'sql/reporter'].map(
  (name) => `./libs/testkit/src/${name}.ts`,
)
const globalSetup = ['./libs/testkit/src/setup.ts']
const common = { testTimeout: 30_000, hookTimeout: 60_000, isolate: false }

const WORKSPACES = '{libs,services,demo,cli,deploy,helm,tools,faults,bench}'
const PURE = `${WORKSPACES}/**/src/**/*.test.ts`
const NOT_OURS = '**/node_modules/**'

/**
 * Files of one worker share its modules: reading them anew for each is a third of a run. These change what their process
 * holds for good, the authorities that it trusts or where its spans go, and have one of their own.
 */
const OWN_PROCESS = [
  'libs/runtime/test/observed.test.ts',
  'services/router/test/canary.test.ts',
  'services/all/test/oauth-documents.test.ts',
  'services/liveness-prober/test/broken-sellers.test.ts',
]

/**
 * These send no statement that another of the suites below does not send as well, and their subject is no lock, no
 * notification, no search and no migration. One version of Postgres is enough for them. Every run records what is sent; a
 * whole one fails where one of these sends what differs from all that the second version is sent (`sql/reporter.ts`).
 */
const NO_SQL_OF_THEIR_OWN = [
  'services/agents/test/{agent-routes,deciding,device-authorization,family-ended,settling,trusted-devices}.test.ts',
  'services/agents/test/backups/{backups,bad-input,relays,specification}.test.ts',
  'services/catalog/test/{activity,api-catalog,entry,feed-readers,following,link-keys,paging}.test.ts',
  'services/catalog/test/{projection,rebuild,services,shared-settlements}.test.ts',
  'services/chain-indexer/test/{identities,observes,reorg,stakes-and-burns}.test.ts',
  'services/listings/test/{claims,diagnosis,drafts-kept,freshness,life-of-a-listing,moving-words,names}.test.ts',
  'services/listings/test/{mirror,mirror-hostile-sources,own-service,probes-in-sum,publish,splitter-factory}.test.ts',
  'services/listings/test/{resync,samples,schema-bound,second-chain,status,stopped-charging}.test.ts',
  'services/listings/test/{offers-past-the-splitter,shared-revenue,suspension,withdraw}.test.ts',
  'services/liveness-prober/test/{before-the-gate,guarded-fetch,mcp-servers,probe,read-document}.test.ts',
  'services/liveness-prober/test/{schedule-gauges,signed-requests,unsolicited-calls}.test.ts',
  'services/oauth/test/{authorization-code,clients,contract-owners,metadata-documents}.test.ts',
  'services/oauth/test/{registrations,retention,sign-in}.test.ts',
  'services/router/test/{anthropic-api,call-cancel,call-kills,call-limits,call-money,call-upstreams}.test.ts',
  'services/router/test/{dead-gateway,large-calls,model-set,models-command,odd-upstreams,paying-calls}.test.ts',
  'services/router/test/{price-tiers,receipts,returned-tokens,top-up,upstream-health}.test.ts',
  'services/router/test/{stock,translated}-*.test.ts',
  'services/x402-facilitator/test/{batch,chain-faults,confirmation-policy,decode,gas-attacks,gas-quotas,given-up}.test.ts',
  'services/x402-facilitator/test/{lagging-node,lost-transaction,old-use,own-faults,payment-gauges,preconfirmed}.test.ts',
  'services/x402-facilitator/test/{preconfirmed-policy,purchase,receipts-by-heads,recovered,second-chain}.test.ts',
  'services/x402-facilitator/test/{settle,stock-server,stuck,surface,verified-then-settled,verify}.test.ts',
  'services/x402-facilitator/test/signers/signers.test.ts',
]

/** What takes longest, in seconds as last measured: a fresh checkout knows no times. */
const LONG = {
  'cli/test/cli.test.ts': 202,
  'tools/test/split.test.ts': 188,
  'faults/test/walk.test.ts': 164,
  'services/all/test/examples.test.ts': 145,
  'faults/test/attacks-in-one-process.test.ts': 121,
  'faults/test/attacks-on-replicas.test.ts': 94,
  'services/all/test/conformance.test.ts': 93,
  'tools/test/image/image.test.ts': 89,
  'services/all/test/demonstration.test.ts': 71,
  'tools/test/document-commands.test.ts': 64,
  'tools/test/packages.test.ts': 64,
  'services/x402-facilitator/test/given-up.test.ts': 58,
  'deploy/contracts/test/fuzz.test.ts': 54,
  'services/all/test/second-instance.test.ts': 47,
  'services/router/test/call-kills.test.ts': 45,
  'services/x402-facilitator/test/kill.test.ts': 42,
  'libs/bus/test/nats.test.ts': 41,
  'services/x402-facilitator/test/kill-batch.test.ts': 39,
  'services/all/test/plain-sellers.test.ts': 39,
  'tools/test/dev.test.ts': 38,
  'services/router/test/top-up.test.ts': 38,
  'services/chain-indexer/test/lying-endpoint.test.ts': 37,
  'services/all/test/openapi/generated-clients.test.ts': 37,
  'services/gateway/test/pages.browser.test.ts': 36,
  'libs/embedded/test/postgres.test.ts': 35,
  'services/catalog/test/rebuild.test.ts': 34,
  'services/all/test/own-account.test.ts': 33,
  'deploy/monitoring/test/rules.test.ts': 33,
  'services/listings/test/mirror-hostile-sources.test.ts': 31,
  'services/router/test/odd-upstreams.test.ts': 31,
  'services/listings/test/mirror-sources.test.ts': 31,
  'services/all/test/mirrored-instance.test.ts': 30,
  'tools/test/fuzz.test.ts': 29,
  'tools/test/split-killed.test.ts': 29,
  'services/router/test/dead-gateway.test.ts': 28,
  'services/agents/test/settling.test.ts': 28,
  'faults/test/router-money.test.ts': 28,
  'services/listings/test/claims.test.ts': 27,
  'faults/test/rolling-streams.test.ts': 27,
  'services/x402-facilitator/test/kill-confirmation.test.ts': 26,
  'libs/bus/test/local.test.ts': 25,
  'services/x402-facilitator/test/chain-faults.test.ts': 25,
  'services/gateway/test/owner-pages.browser.test.ts': 23,
  'libs/runtime/test/batch/batch.test.ts': 23,
  'services/catalog/test/discovery.test.ts': 22,
  'tools/test/mutate.test.ts': 22,
  'helm/test/rendering.test.ts': 21,
  'libs/bus/test/stream.test.ts': 20,
}

/** On two cores: half of its time a file waits, for a process, a chain or a timer, and other ones run meanwhile. */
const WORKERS = 4

/** Suites that stand on Postgres run a second time where another version of it is at hand. */
const second = {
  ...common,
  name: SECOND_POSTGRES,
  globalSetup,
  setupFiles,
  // What comes after a restore, and the story of a payment, are SQL that the services' own suites do not send.
  include: ['{libs/store,services/!(all)}/test/**/*.test.ts', 'services/all/test/{payment-unread,restored}.test.ts'],
  // These do not touch Postgres, bring their own, or are about processes and chains rather than SQL.
  exclude: [
    NOT_OURS,
    ...OWN_PROCESS,
    ...NO_SQL_OF_THEIR_OWN,
    '**/counters.*.test.ts',
    'services/gateway/**',
    'services/chain-indexer/test/lying-endpoint.test.ts',
    'services/agents/test/{relay-transfer,postgres-restarted}.test.ts',
    'services/*/test/kill*.test.ts',
    'services/liveness-prober/test/fleet/**',
  ],
}

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: longInTurns(LONG, WORKERS) },
    reporters: ['default', ...OWN_REPORTERS],
    projects: [
      // Beside the sources stand tests that need no server; every other one has its place in a folder `test`.
      { test: { ...common, name: 'unit', include: [PURE], exclude: [NOT_OURS] } },
      {
        test: {
          ...common,
          name: 'callboard',
          globalSetup,
          setupFiles,
          include: [`${WORKSPACES}/**/*.test.ts`],
          exclude: [NOT_OURS, PURE, ...OWN_PROCESS],
        },
      },
      { test: { ...common, name: 'own process', globalSetup, isolate: true, include: OWN_PROCESS } },
      ...(hasSecondPostgres() ? [{ test: second }] : []),
    ],
  },
})
