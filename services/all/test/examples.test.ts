import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CatalogueEntry, HowToPay } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findPython } from '@callboard/testkit/servers'
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { environment, Instance } from './instance.ts'

const ROOT = join(import.meta.dirname, '../../..')
const EXAMPLES = join(ROOT, 'docs/examples')
const python = await findPython(join(EXAMPLES, 'python/requirements.txt'))

const instance = new Instance()
beforeAll(() => instance.start(), 120_000)
afterAll(() => instance.dispose())

/** Where a person stands who follows a guide: a folder of their own, and the instance's devnet file. */
class Desk {
  readonly #program: string
  readonly #folder: string
  readonly #ending: string
  readonly #env: NodeJS.ProcessEnv

  constructor(language: 'typescript' | 'python', program: string, env: NodeJS.ProcessEnv = {}) {
    this.#program = program
    this.#folder = join(EXAMPLES, language)
    this.#ending = language === 'python' ? 'py' : 'ts'
    const CALLBOARD_KEY_FILE = join(temporaryFolder('callboard-example-'), 'callboard.key')
    this.#env = { ...environment(), CALLBOARD_DEVNET: join(instance.folder, 'devnet.json'), CALLBOARD_KEY_FILE, ...env }
  }

  #file = (name: string) => join(this.#folder, `${name}.${this.#ending}`)

  async run(name: string, ...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(this.#program, [this.#file(name), ...words], { env: this.#env })
    return stdout.trim()
  }

  /** Pays as a catalogue entry says in this language. */
  async pay({ typescript, python }: HowToPay): Promise<string> {
    const words = this.#ending === 'py' ? ['-c', python] : ['--input-type=module', '-e', typescript]
    return run(this.#program, words, { ...this.#env, PRIVATE_KEY: privateKeyOf(8) })
  }

  /** @returns the URL that is sold, once it asks for a payment */
  async sell(payTo: string): Promise<string> {
    const port = String(await freePort())
    const env = { ...this.#env, PAY_TO: payTo, PORT: port }
    const seller = spawn(this.#program, [this.#file('seller')], { env, stdio: 'ignore' })
    onTestFinished(() => void seller.kill())
    const url = `http://127.0.0.1:${port}/tides`
    const asks = () =>
      fetch(url).then(
        ({ status }) => status === 402,
        () => false,
      )
    await until('the seller asks for a payment', asks, 30_000)
    return url
  }
}

const run = async (program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  (await promisify(execFile)(program, words, { env, cwd: ROOT })).stdout.trim()

const privateKeyOf = (addressIndex: number): Hex =>
  toHex(mnemonicToAccount(instance.devnet.mnemonic, { addressIndex }).getHdKey().privateKey ?? new Uint8Array())

/** Runs an entry’s line for `callboard`, which npx finds bundled here. */
function payInShell({ cli }: HowToPay): Promise<string> {
  const CALLBOARD_CONFIG_DIR = temporaryFolder('callboard-payer-')
  const bundle = join(inject('programs'), 'callboard.mjs')
  const npx = `npx() { shift; "${process.execPath}" "${bundle}" "$@"; }`
  const env = { ...environment(), CALLBOARD_CONFIG_DIR, CALLBOARD_AGENT_KEY: privateKeyOf(9) }
  return run('sh', ['-c', `${npx}; ${cli}`], env)
}

const get = async (path: string) => (await fetch(instance.baseUrl + path)).json()

interface Activity {
  readonly items: readonly { readonly amountUsd: string; readonly payTo: string }[]
}

interface Discovery {
  readonly items: readonly { readonly execution: { readonly url: string } }[]
}

/** From no account to money in the provider's wallet, as docs/selling.md and docs/buying.md describe it. */
async function fromNothingToRevenue(desk: Desk): Promise<void> {
  expect(await desk.run('provider', 'key')).toContain('kept in')
  const payTo = await desk.run('provider', 'splitter')
  const url = await desk.sell(payTo)
  expect(await desk.run('provider', 'probe', url)).toContain('payable')
  const [slug = '', status] = (await desk.run('provider', 'publish', url)).split(': ')
  expect(status).toBe('draft')
  expect(await desk.run('provider', 'deploy')).toMatch(/^0x[0-9a-f]{64} success$/)
  expect(await desk.run('provider', 'activate', slug)).toContain('live')
  const found = async (more = '') => {
    const { items } = (await get(`/api/call/discovery?q=tide+tables${more}`)) as Discovery
    return items.filter(({ execution }) => execution.url === url)
  }
  await until('it is found', async () => (await found('&includeUnverified=true')).length === 1, 30_000)
  expect(await found('&includeUnverified=true')).toMatchObject([
    { kind: 'api', verification: 'none', execution: { mode: 'direct', method: 'GET', payable: true } },
  ])
  expect(await found()).toEqual([])
  expect(await desk.run('provider', 'verify', slug)).toContain('requested')
  const bought = await desk.run('buyer', url)
  expect(bought).toMatch(/^200 .*Dover/)
  const entry = (await get(`/api/calls/${slug}`)) as CatalogueEntry
  expect(entry.requests).toMatchObject([{ offers: { differences: [] } }])
  const howToPay = entry.requests[0]?.howToPay
  if (!howToPay) throw new Error('the entry does not say how to pay')
  expect(await desk.pay(howToPay)).toMatch(/^200 .*Dover/)
  expect(await payInShell(howToPay)).toMatch(/Dover/)
  const earned = async () => ((await get(`/api/call/activity?listing=${slug}`)) as Activity).items
  await until('the sale is in the activity', async () => (await earned()).length === 3, 30_000)
  expect(await earned()).toMatchObject(Array(3).fill({ amountUsd: '0.02', payTo }))
  expect(await desk.run('provider', 'distribute')).toMatch(/^0x[0-9a-f]{64} success$/)
}

describe('the examples of the guides, from nothing to revenue', { timeout: 120_000 }, () => {
  test('in TypeScript', () => fromNothingToRevenue(new Desk('typescript', process.execPath)))

  const isThere = 'file' in python
  test.skipIf(!isThere)(`in Python${isThere ? '' : ` (${python.closed})`}`, () => {
    if (isThere) return fromNothingToRevenue(new Desk('python', python.file, python.env))
  })
})

test.each(['docs/selling.md', 'docs/buying.md', 'README.md'])('what %s quotes stands in an example', (page) => {
  const quoted = [...readFileSync(join(EXAMPLES, '../..', page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)]
  const sources = ['seller', 'buyer', 'provider'].map((name) =>
    readFileSync(join(EXAMPLES, `typescript/${name}.ts`), 'utf8'),
  )
  expect(quoted.length).toBeGreaterThan(0)
  for (const [, code = ''] of quoted) expect(sources.some((source) => source.includes(code))).toBe(true)
})

test('the examples ask for the versions that the demonstration runs', () => {
  const dependencies = (file: string) => JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')).dependencies
  expect(dependencies('../../demo/package.json')).toMatchObject(dependencies('typescript/package.json'))
})
