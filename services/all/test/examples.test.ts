import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorize, fromHeader, paymentPayload, type Requirement, toHeader } from '@callboard/conformance'
import type { CatalogueEntry, HowToPay } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findPython } from '@callboard/testkit/servers'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Desk, EXAMPLES, privateKeyOf, run } from './desk.ts'
import { environment, Instance } from './instance.ts'
import { devnetWith, LOSSES, losingFacilitator } from './losing-facilitator.ts'
import { sellsOnce } from './sells-once.ts'

const python = await findPython(join(EXAMPLES, 'python/requirements.txt'))

const instance = new Instance()
beforeAll(() => instance.start(), 120_000)
afterAll(() => instance.dispose())

/** Runs an entry’s line for `callboard`, which npx finds bundled here. */
function payInShell({ cli }: HowToPay): Promise<string> {
  const CALLBOARD_CONFIG_DIR = temporaryFolder('callboard-payer-')
  const bundle = join(inject('programs'), 'callboard.mjs')
  const npx = `npx() { shift; "${process.execPath}" "${bundle}" "$@"; }`
  const env = { ...environment(), CALLBOARD_CONFIG_DIR, CALLBOARD_AGENT_KEY: privateKeyOf(instance, 9) }
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
async function fromNothingToRevenue(desk: Desk, language: 'typescript' | 'python'): Promise<void> {
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
  await sellsOnce(url, privateKeyToAccount(privateKeyOf(instance, 8)))
  const entry = (await get(`/api/calls/${slug}`)) as CatalogueEntry
  expect(entry.requests).toMatchObject([{ offers: { differences: [] } }])
  const howToPay = entry.requests[0]?.howToPay
  if (!howToPay) throw new Error('the entry does not say how to pay')
  const PRIVATE_KEY = privateKeyOf(instance, 8)
  expect(await desk.runText(howToPay[language], { PRIVATE_KEY })).toMatch(/^200 .*Dover/)
  expect(await payInShell(howToPay)).toMatch(/Dover/)
  const earned = async () => ((await get(`/api/call/activity?listing=${slug}`)) as Activity).items
  await until('the sale is in the activity', async () => (await earned()).length === 4, 30_000)
  expect(await earned()).toMatchObject(Array(4).fill({ amountUsd: '0.02', payTo }))
  expect(await desk.run('provider', 'distribute')).toMatch(/^0x[0-9a-f]{64} success$/)
}

describe('the examples of the guides, from nothing to revenue', { timeout: 120_000 }, () => {
  test('in TypeScript', () => fromNothingToRevenue(new Desk(instance), 'typescript'))

  const isThere = 'file' in python
  test.skipIf(!isThere)(`in Python${isThere ? '' : ` (${python.closed})`}`, () => {
    if (isThere) return fromNothingToRevenue(new Desk(instance, 'python', python.file, python.env), 'python')
  })
})

/** Presents one payment until it is sold. @returns the statuses of the answers */
async function soldAfterLosses(language: 'typescript' | 'python', program: string, env = {}): Promise<number[]> {
  const facilitator = devnetWith(instance, { facilitatorUrl: await losingFacilitator(instance) })
  const desk = new Desk(instance, language, program, { ...env, ...facilitator })
  await desk.run('provider', 'key')
  const url = await desk.sell(await desk.run('provider', 'splitter'))
  const offer = fromHeader((await fetch(url)).headers.get('payment-required')) as { accepts: [Requirement] }
  const [terms] = offer.accepts
  const authorization = await authorize(privateKeyToAccount(privateKeyOf(instance, 8)), terms)
  const headers = { 'payment-signature': toHeader(paymentPayload(terms, authorization)) }
  const statuses: number[] = []
  for (const _ of [...LOSSES, 'answered', 'used']) statuses.push((await fetch(url, { headers })).status)
  return statuses
}

describe('a payment that was settled although the facilitator’s answers were lost is sold once', () => {
  const expected = [...LOSSES.map(() => 402), 200, 402]

  test('in TypeScript', { timeout: 60_000 }, async () => {
    expect(await soldAfterLosses('typescript', process.execPath)).toEqual(expected)
  })

  test.skipIf(!('file' in python))('in Python', { timeout: 60_000 }, async () => {
    if ('file' in python) expect(await soldAfterLosses('python', python.file, python.env)).toEqual(expected)
  })
})

describe('an instance that asks for a signature for another site gets none', () => {
  // The message names 127.0.0.1, and the scripts ask this host.
  const elsewhere = () => devnetWith(instance, { baseUrl: instance.baseUrl.replace('127.0.0.1', 'localhost') })
  const refused = (desk: Desk) => desk.run('provider', 'key').catch(({ stderr }: { stderr: string }) => stderr.trim())
  const said = /^http:\/\/localhost:\d+ asks for a signature for 127\.0\.0\.1:\d+\. Nothing was signed\.$/

  test('in TypeScript', async () => {
    expect(await refused(new Desk(instance, 'typescript', process.execPath, elsewhere()))).toMatch(said)
  })

  test.skipIf(!('file' in python))('in Python', async () => {
    if (!('file' in python)) return
    expect(await refused(new Desk(instance, 'python', python.file, { ...python.env, ...elsewhere() }))).toMatch(said)
  })
})

test('a refusal is reported in one line, without a stack', async () => {
  const desk = new Desk(instance)
  await desk.run('provider', 'key')
  const refused = (verb: string, argument: string) =>
    desk.run('provider', verb, argument).catch(({ stderr }: { stderr: string }) => stderr.trim())
  expect(await refused('activate', 'nothing-like-it')).toMatch(
    /^POST \/api\/call\/listings\/nothing-like-it\/status: 404 \{"error":"not_found".*\}$/,
  )
  expect(await refused('probe', 'http://127.0.0.1:9/nothing')).toMatch(/^POST \/api\/call\/listings\/probe: 422 .*\}$/)
  expect(await refused('sell', '')).toBe(
    'provider.ts takes one of key, splitter, probe, publish, deploy, activate, verify, distribute',
  )
})

test('a provider whose instance does not run is told so in one line', { timeout: 60_000 }, async () => {
  const away = devnetWith(instance, { baseUrl: 'http://127.0.0.1:9' })
  const desks = [new Desk(instance, 'typescript', process.execPath, away)]
  if ('file' in python) desks.push(new Desk(instance, 'python', python.file, { ...python.env, ...away }))
  for (const desk of desks) {
    const said = await desk.run('provider', 'key').catch(({ stderr }: { stderr: string }) => stderr.trim())
    expect(said).toBe('http://127.0.0.1:9 does not answer. Is the instance running (npm start)?')
  }
})

test.each(['docs/selling.md', 'docs/buying.md', 'README.md'])('code quoted in %s comes from an example', (page) => {
  const quoted = [...readFileSync(join(EXAMPLES, '../..', page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)]
  const sources = ['seller', 'buyer', 'provider'].map((name) =>
    readFileSync(join(EXAMPLES, `typescript/${name}.ts`), 'utf8'),
  )
  expect(quoted.length).toBeGreaterThan(0)
  for (const [, code = ''] of quoted) expect(sources.some((source) => source.includes(code))).toBe(true)
})

test('the examples require the versions that the demonstration runs', () => {
  const dependencies = (file: string) => JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')).dependencies
  expect(dependencies('../../demo/package.json')).toMatchObject(dependencies('typescript/package.json'))
})
