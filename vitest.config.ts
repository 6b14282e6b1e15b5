import { defineConfig } from 'vitest/config'
import { longestFirst } from './libs/testkit/src/run/longest-first.ts'
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
  'services/catalog/test/{activity,api-catalog,entry,feed-readers,following,link-keys,paging,past-settlements}.test.ts',
  'services/catalog/test/{projection,rebuild,services,shared-settlements}.test.ts',
  'services/chain-indexer/test/{identities,observes,reorg,stakes-and-burns}.test.ts',
  'services/listings/test/{claims,diagnosis,drafts-kept,freshness,life-of-a-listing,moving-words,names}.test.ts',
  'services/listings/test/{mirror,mirror-hostile-sources,own-service,probes-in-sum,publish,rejection,splitter-factory}.test.ts',
  'services/listings/test/{resync,samples,schema-bound,second-chain,status,stopped-charging}.test.ts',
  'services/listings/test/{offers-past-the-splitter,shared-revenue,suspension,withdraw}.test.ts',
  'services/liveness-prober/test/{before-the-gate,guarded-fetch,mcp-servers,probe,read-document}.test.ts',
  'services/liveness-prober/test/{schedule-gauges,signed-requests,unsolicited-calls}.test.ts',
  'services/oauth/test/{authorization-code,clients,contract-owners,metadata-documents}.test.ts',
  'services/oauth/test/{registrations,retention,sign-in}.test.ts',
  'services/router/test/{anthropic-api,call-cancel,call-kills,call-limits,call-money,call-upstreams}.test.ts',
  'services/router/test/{dead-gateway,large-calls,make-key,model-set,models-command,odd-upstreams,paying-calls}.test.ts',
  'services/router/test/{price-tiers,receipts,returned-tokens,top-up,upstream-health}.test.ts',
  'services/router/test/{stock,translated}-*.test.ts',
  'services/x402-facilitator/test/{batch,chain-faults,confirmation-policy,decode,gas-attacks,gas-quotas,given-up}.test.ts',
  'services/x402-facilitator/test/{lagging-node,lost-transaction,old-use,own-faults,payment-gauges,preconfirmed}.test.ts',
  'services/x402-facilitator/test/{preconfirmed-policy,purchase,receipts-by-heads,recovered,refused-forgotten,second-chain}.test.ts',
  'services/x402-facilitator/test/{settle,stock-server,stuck,surface,verified-then-settled,verify}.test.ts',
  'services/x402-facilitator/test/signers/signers.test.ts',
]

/** What takes longest, as last seen: a fresh checkout knows no times. */
const LONG = [
  'cli/test/cli.test.ts',
  'tools/test/split.test.ts',
  'faults/test/walk.test.ts',
  'services/all/test/examples.test.ts',
  'faults/test/attacks-in-one-process.test.ts',
  'faults/test/attacks-on-replicas.test.ts',
  'services/all/test/conformance.test.ts',
  'tools/test/image/image.test.ts',
  'services/all/test/demonstration.test.ts',
  'tools/test/document-commands.test.ts',
  'tools/test/packages.test.ts',
  'services/x402-facilitator/test/given-up.test.ts',
  'deploy/contracts/test/fuzz.test.ts',
  'services/all/test/second-instance.test.ts',
  'services/router/test/call-kills.test.ts',
  'services/x402-facilitator/test/kill.test.ts',
  'libs/bus/test/nats.test.ts',
  'services/x402-facilitator/test/kill-batch.test.ts',
  'services/all/test/plain-sellers.test.ts',
  'tools/test/dev.test.ts',
  'services/router/test/top-up.test.ts',
  'services/chain-indexer/test/lying-endpoint.test.ts',
  'services/all/test/openapi/generated-clients.test.ts',
  'services/gateway/test/pages.browser.test.ts',
  'libs/embedded/test/postgres.test.ts',
  'services/catalog/test/rebuild.test.ts',
  'services/all/test/own-account.test.ts',
  'deploy/monitoring/test/rules.test.ts',
  'services/listings/test/mirror-hostile-sources.test.ts',
  'services/router/test/odd-upstreams.test.ts',
  'services/listings/test/mirror-sources.test.ts',
  'services/all/test/mirrored-instance.test.ts',
  'tools/test/fuzz.test.ts',
  'tools/test/split-killed.test.ts',
  'services/router/test/dead-gateway.test.ts',
  'services/agents/test/settling.test.ts',
  'faults/test/router-money.test.ts',
  'services/listings/test/claims.test.ts',
]

/** Suites that stand on Postgres run a second time where another version of it is at hand. */
const second = {
  ...common,
  name: SECOND_POSTGRES,
  globalSetup,
  setupFiles,
  // What comes after a restore is SQL of every service, which their own suites do not send.
  include: ['{libs/store,services/!(all)}/test/**/*.test.ts', 'services/all/test/restored.test.ts'],
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
    // On two cores: half of its time a file waits, for a process, a chain or a timer, and other ones run meanwhile.
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(LONG) },
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
