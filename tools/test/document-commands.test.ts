import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandsIn, commandsInDocuments, ROOT } from './document-commands.ts'

/** How a command is known to work. */
type Shown =
  /** A test runs the whole program behind it. */
  | { readonly test: string; readonly says: string }
  /** Run here: with `--help`, and with an option that does not exist. */
  | 'helps'
  /** Run here as it is. */
  | 'run'
  /** A script of `npm run check`, or one that every test run uses. */
  | { readonly goesThrough: string }
  /** It needs what is missing here; its files must exist, and a test reads its arguments. */
  | { readonly needs: string; readonly test?: string }

/** Run on the control plane of `npm run cluster:real`. */
const TYPED = { needs: 'a cluster', test: 'helm/src/cluster/first-call/first-call.ts' } as const
const instance = (says: string) => ({ test: 'services/all/test/demonstration.test.ts', says })

/** Every command in the documents, by prefix; the longest match counts. */
const COMMANDS: Readonly<Record<string, Shown>> = {
  'npm ci': { goesThrough: 'the tests stand on what it installed' },
  'npm test': { goesThrough: 'this run' },
  'npm run test:unit': { goesThrough: 'this run' },
  'npm start': instance("describe('npm start'"),
  'npm start -- --list-targets': 'run',
  'npm start -- --migrate': { test: 'libs/runtime/test/migrations.test.ts', says: 'await migrateServices(' },
  'npm run operator -- payment': instance("operator('payment', evidence.transaction)"),
  'npm start -- --print-config': instance("'--print-config works beside it"),
  'npm run dev': { test: 'tools/test/dev.test.ts', says: "describe('npm run dev'" },
  'npm run reset': { test: 'tools/test/dev.test.ts', says: "'reset refuses while it runs" },
  'npm run psql': { test: 'tools/test/dev.test.ts', says: "'psql gets the database" },
  'npm run affected': 'helps',
  'npm run gen': 'helps',
  'npm run new:operation': { test: 'tools/test/new-operation.test.ts', says: "describe('npm run new:operation'" },
  'npm run demo': instance("'npm run demo repeats it"),
  'npm run dev:split': { test: 'tools/test/split.test.ts', says: 'startCluster({' },
  'npm run operator': instance("'the operator verifies a listing"),
  'npm run operator -- dead-letters': instance("'an event that was given up is handled"),
  'npm run operator -- sources': instance("'the operator adds, imports and removes a source"),
  'npm run operator -- mirror': instance("'a second, small source is mirrored"),
  'npm run operator -- posting': instance("'the operator takes a posting down"),
  'npm run operator -- reconcile': {
    test: 'services/all/test/restored.test.ts',
    says: "'the operator reconciles, and they start'",
  },
  'npm run operator -- router': instance("'the operator says what a key could spend"),
  'npm run operator -- why': instance("'the operator is told why"),
  'npm run operator -- audit': instance("'the operator is told why"),
  'npm run operator -- reports': instance("'the operator lists support reports"),
  'npm run operator -- models': instance("'the operator lists and checks what is sold"),
  'npm run rebuild': instance("'npm run rebuild catalog makes"),
  'npm run prices': { needs: 'the registry', test: 'tools/src/prices/merge.test.ts' },
  'npm run routes': 'run',
  'npm run rules': { goesThrough: 'npm run check' },
  'npm run measure': 'run',
  'npm run mutate': { test: 'tools/test/mutate.test.ts', says: "describe('npm run mutate'" },
  'npm run graph': 'run',
  'npm run conformance': 'helps',
  'npm run fuzz': { test: 'tools/test/fuzz.test.ts', says: "describe('a running instance'" },
  'npm run bench': 'helps',
  'npm run cluster:real': 'helps',
  'npm run alerts:walk': 'helps',
  'npm run dashboards:walk': 'helps',
  'npm run image': { test: 'tools/test/image/image.test.ts', says: 'tools/src/image/main.ts' },
  'npm run faults': 'helps',
  'npm run faults -- router-money': { test: 'faults/test/router-money.test.ts', says: 'walkMoney({' },
  'npm run check': { goesThrough: 'the lead of every change' },
  'npm run types': { goesThrough: 'npm run check' },
  'npm run fix': { goesThrough: 'npm run check' },
  'npm run docs:gen': { goesThrough: 'npm run check' },
  'npm run helm:gen': { goesThrough: 'npm run check' },
  'npm run monitoring:gen': { goesThrough: 'npm run check' },
  'npm run contracts:gen': { goesThrough: 'npm run check' },
  'npm run contracts:check': { goesThrough: 'npm run check' },
  'npm run contracts:deploy': {
    test: 'deploy/contracts/test/deploy.test.ts',
    says: "describe('npm run contracts:deploy'",
  },
  'npm run contracts:fuzz': { test: 'deploy/contracts/test/fuzz.test.ts', says: 'runForge' },
  'npm run pack': { test: 'tools/test/packages.test.ts', says: 'await packAll()' },
  'npm run release:version': { test: 'tools/test/release.test.ts', says: "describe('changesets'" },
  'npx changeset': { test: 'tools/test/release.test.ts', says: '@changesets/cli/bin.js' },
  'npm publish': { needs: 'the registry', test: 'tools/test/packages.test.ts' },
  'npm install @callboard/client': { test: 'tools/test/packages.test.ts', says: 'install(client' },
  'node program.js': { test: 'tools/test/packages.test.ts', says: "'program.js'" },
  'npx callboard': { test: 'cli/test/cli.test.ts', says: "'agent'" },
  'npx callboard mcp': { test: 'cli/test/mcp.test.ts', says: "describe('callboard mcp'" },
  'npx callboard sell': {
    test: 'cli/test/splitters.test.ts',
    says: "'from nothing to a live listing that is paid out",
  },
  'npx callboard sell publish': { test: 'cli/test/publishing.test.ts', says: "test('publish creates a draft" },
  'npx node': { test: 'services/all/test/examples.test.ts', says: "'in TypeScript'" },
  'npm install': { test: 'services/all/test/examples.test.ts', says: 'the versions that the demonstration runs' },
  'npx vitest': { goesThrough: 'this run' },
  'node docs/examples/plain/seller.mjs': {
    test: 'services/all/test/plain-sellers.test.ts',
    says: "['node', 'seller.mjs']",
  },
  'node services/all/src/main.ts': instance('new Instance(SOURCE)'),
  'docker build': { needs: 'Docker', test: 'deploy/test/image.test.ts' },
  'docker compose': { needs: 'Docker', test: 'deploy/test/compose.test.ts' },
  'helm install': TYPED,
  'helm test': TYPED,
  'helm upgrade': { needs: 'a cluster', test: 'helm/test/rendering.test.ts' },
  'helm rollback': { needs: 'a cluster' },
  'helm template': { test: 'helm/test/rendering.test.ts', says: 'render(' },
  'kubectl apply': TYPED,
  'kubectl config': TYPED,
  'kubectl create': TYPED,
  'kubectl label': TYPED,
  'kubectl port-forward': TYPED,
  'kubectl wait': TYPED,
  'kubectl describe': { needs: 'a cluster' },
  'kubectl exec': { needs: 'a cluster' },
  'kubectl rollout': { needs: 'a cluster' },
}

/** Scripts that take a command line. */
const VERBS = ['start', 'demo', 'dev:split', 'operator', 'rebuild', 'routes', 'graph', 'conformance', 'fuzz'] as const
const MORE_VERBS = [
  'dev',
  'reset',
  'check',
  'affected',
  'gen',
  'rules',
  'measure',
  'mutate',
  'new:operation',
  'bench',
  'prices',
  'faults',
  'alerts:walk',
  'dashboards:walk',
  'cluster:real',
  'image',
  'contracts:deploy',
  'contracts:fuzz',
  'pack',
  'release:version',
] as const

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const named = commandsInDocuments()
const keyOf = (command: string): string | undefined =>
  Object.keys(COMMANDS)
    .filter((key) => command === key || command.startsWith(`${key} `))
    .sort((one, other) => other.length - one.length)[0]

interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs what an npm script runs, without npm. */
function run(verb: string, ...given: readonly string[]): Promise<Ended> {
  const [, ...words] = scripts[verb]?.split(' ') ?? []
  return new Promise((resolve) => {
    execFile(process.execPath, [...words, ...given], { cwd: ROOT, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}

describe('commands in documents', () => {
  test('are found in blocks and in sentences', () => {
    const text =
      'Type `npm run a -- --b`.\n\n```sh\nX=1 npm ci && npm start   # both\nkubectl create \\\n  secret\n```\n```ts\nnpm no\n```\n'
    expect(commandsIn(text)).toEqual(['npm ci', 'npm start', 'kubectl create secret', 'npm run a -- --b'])
  })

  test('each is covered by a row of the table', () => {
    expect(named.filter(({ command }) => !keyOf(command))).toEqual([])
    const used = new Set(named.map(({ command }) => keyOf(command)))
    expect(Object.keys(COMMANDS).filter((key) => !used.has(key))).toEqual([])
  })

  test('each npm script, program and file exists', () => {
    for (const { command, file } of named) {
      const verb = /^npm run (\S+)/.exec(command)?.[1]
      if (verb) expect(scripts, `${file}: ${command}`).toHaveProperty([verb])
      const paths = command.match(/\b(?:services|helm|deploy|tools|libs|cli)\/\S+\.(?:ts|yaml)\b/g) ?? []
      for (const path of paths) expect(existsSync(join(ROOT, path)), `${file}: ${path}`).toBe(true)
    }
  })

  test('the tests named in the table exist', () => {
    for (const shown of Object.values(COMMANDS)) {
      if (typeof shown === 'string' || !('test' in shown) || !shown.test) continue
      const text = readFileSync(join(ROOT, shown.test), 'utf8')
      if ('says' in shown) expect(text, shown.test).toContain(shown.says)
    }
  })

  test('those that can run unchanged here succeed', { timeout: 120_000 }, async () => {
    for (const [command, shown] of Object.entries(COMMANDS)) {
      if (shown !== 'run') continue
      const [, verb = '', given = ''] = /^npm (?:run )?(\S+)(?: -- (.*))?$/.exec(command) ?? []
      const { status, stdout, stderr } = await run(verb, ...given.split(' ').filter(Boolean))
      expect({ status, stderr }, command).toEqual({ status: 0, stderr: '' })
      expect(stdout, command).toMatch(/agents/)
    }
  })
})

describe.each([...VERBS, ...MORE_VERBS])('npm run %s', (verb) => {
  test('--help shows the usage, with every option that a document uses', { timeout: 120_000 }, async () => {
    const { status, stdout, stderr } = await run(verb, '--help')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^usage: npm (run )?${verb}\\b`))
    const [script] = scripts[verb]?.split(' ').slice(-1) ?? []
    const given = named.filter(
      ({ command }) => new RegExp(`^npm (run )?${verb}( |$)`).test(command) || (script && command.includes(script)),
    )
    for (const { command } of given) {
      for (const option of command.match(/ --[a-z-]+/g) ?? []) expect(stdout, command).toContain(option.trim())
    }
  })

  test('an unknown option is refused with a message and exit code 2', { timeout: 120_000 }, async () => {
    const { status, stdout, stderr } = await run(verb, '--nonsense')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('--nonsense')
    expect(stderr).toContain('usage: npm')
    expect(stderr).not.toMatch(/\bat .*:\d+/)
  })
})
