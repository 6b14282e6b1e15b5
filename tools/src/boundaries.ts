/** Which of our workspaces may import which. Unlisted ones (testkit, services/all, tools, tests) may import all. */
const WORKSPACES: Readonly<Record<string, readonly string[]>> = {
  'libs/values': [],
  'libs/x402': ['values'],
  'libs/contract': ['values', 'x402'],
  'libs/sealing': [],
  'libs/search-index': [],
  'libs/evm': ['values', 'x402'],
  'libs/store': ['values'],
  'libs/bus': ['values', 'contract'],
  'libs/runtime': ['values', 'contract', 'store', 'bus'],
  'libs/embedded': ['values', 'evm'],
  'libs/conformance': ['values', 'contract', 'x402'],
  'services/gateway': ['values', 'contract', 'bus', 'runtime', 'store', 'x402'],
  'services/catalog': ['values', 'values/schema-hash', 'contract', 'store', 'bus', 'runtime', 'search-index', 'x402'],
  'services/listings': [
    'values',
    'values/schema-hash',
    'values/site',
    'contract',
    'store',
    'bus',
    'runtime',
    'evm',
    'x402',
  ],
  'services/router': ['values', 'contract', 'store', 'bus', 'runtime', 'x402', 'evm', 'sealing'],
  'services/oauth': ['values', 'contract', 'store', 'bus', 'runtime', 'evm', 'sealing'],
  'services/agents': ['values', 'contract', 'store', 'bus', 'runtime', 'evm', 'sealing'],
  'services/x402-facilitator': ['values', 'values/site', 'contract', 'store', 'bus', 'runtime', 'evm', 'x402'],
  'services/liveness-prober': [
    'values',
    'values/site',
    'contract',
    'store',
    'bus',
    'runtime',
    'evm',
    'x402',
    'sealing',
  ],
  'services/chain-indexer': ['values', 'contract', 'store', 'bus', 'runtime', 'evm', 'x402'],
  'libs/client': ['values', 'contract', 'x402'],
  demo: ['values', 'evm', 'client'],
  cli: ['values', 'contract', 'client', 'evm/splitter', 'evm/splitter-factories'],
}

const SERVICES_WITH_TABLES = Object.keys(WORKSPACES).filter(
  (workspace) => workspace.startsWith('services/') && workspace !== 'services/gateway',
)
const CHAIN_READERS = ['libs/x402', 'libs/evm', 'libs/embedded', 'libs/conformance', 'libs/client', 'demo', 'cli']
const SERVICES_ON_CHAIN = ['listings', 'oauth', 'x402-facilitator', 'chain-indexer'].map((name) => `services/${name}`)

/** Packages that only some workspaces may use. */
const PACKAGES: readonly { readonly names: readonly string[]; readonly workspaces: readonly string[] }[] = [
  { names: ['fastify', '@fastify/*'], workspaces: ['services/gateway'] },
  { names: ['kysely'], workspaces: ['libs/store', 'libs/runtime', ...SERVICES_WITH_TABLES] },
  { names: ['kysely/*', 'ioredis'], workspaces: ['libs/store'] },
  { names: ['pg'], workspaces: ['libs/store', 'libs/runtime', 'libs/embedded'] },
  { names: ['@nats-io/*'], workspaces: ['libs/bus'] },
  { names: ['undici'], workspaces: ['services/liveness-prober', 'services/router', 'libs/evm'] },
  { names: ['ipaddr.js'], workspaces: ['services/liveness-prober'] },
  { names: ['@hpke/*'], workspaces: ['libs/sealing'] },
  { names: ['preact', 'preact/*', 'preact-render-to-string', 'htm', 'htm/*'], workspaces: ['services/gateway'] },
  { names: ['viem', 'viem/*'], workspaces: [...CHAIN_READERS, ...SERVICES_ON_CHAIN] },
  { names: ['@opentelemetry/*'], workspaces: ['libs/bus', 'libs/runtime', 'services/gateway'] },
  { names: ['@x402/*'], workspaces: ['demo', 'libs/conformance', 'libs/client'] },
  { names: ['vitest', 'testcontainers'], workspaces: ['libs/conformance'] },
]

const TESTS = ['!**/*.test.ts', '!**/*.bench.ts']

/** Pure workspaces: no node:*, no environment. A schema's hash has an entry point of its own, for services. */
const PURE = ['libs/values/**', 'libs/x402/src/**', 'libs/contract/src/**', '!libs/values/src/schema-hash.ts', ...TESTS]

function override(workspace: string, may: readonly string[]) {
  const ours = ['@callboard/*', '@callboard/*/*', ...may.map((name) => `!@callboard/${name}`)]
  const foreign = PACKAGES.filter(({ workspaces }) => !workspaces.includes(workspace)).flatMap(({ names }) => names)
  const patterns = [
    { group: ours, message: `${workspace} may import of ours only: ${may.join(', ') || 'nothing'}.` },
    { group: foreign, message: `${workspace} must not know this package.` },
  ]
  const noRestrictedImports = { level: 'error', options: { patterns } }
  return { includes: [`${workspace}/src/**`, ...TESTS], linter: { rules: { style: { noRestrictedImports } } } }
}

/** biome.boundaries.json: the tables above in the linter's format. */
export function boundariesConfig(): string {
  const pure = {
    includes: PURE,
    linter: { rules: { correctness: { noNodejsModules: 'error' }, style: { noProcessEnv: 'error' } } },
  }
  const overrides = [pure, ...Object.entries(WORKSPACES).map(([workspace, may]) => override(workspace, may))]
  return `${JSON.stringify({ $schema: './node_modules/@biomejs/biome/configuration_schema.json', overrides })}\n`
}
