import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fund } from '@callboard/conformance/chain'
import { Client } from '@callboard/conformance/client'
import { deploySplitter, splitterOf } from '@callboard/conformance/provider'
import { challengeV2, startScripted } from '@callboard/conformance/scripted'
import { startExpressSeller } from '@callboard/conformance/sellers'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Instance } from '../../services/all/test/instance.ts'
import { hostileService } from './hostile-service.ts'
import { losingProxy } from './losing-proxy.ts'
import { SellerAt } from './seller-at.ts'

const instance = new Instance()
const wide = { burst: 1_000, perMinute: 60_000 }
const RATE_LIMITS = JSON.stringify({ signIn: wide, nonce: wide, link: wide, probe: wide, manage: wide })
beforeAll(() => instance.start(['--no-demo'], { RATE_LIMITS }), 120_000)
afterAll(() => instance.dispose())

/** A seller who is signed in, with an endpoint that pays the splitter of their wallet. */
async function atWork() {
  const { baseUrl, devnet } = instance
  const seller = new SellerAt(baseUrl)
  await seller.sell(['login'])
  const api = new Client(baseUrl, { authorization: `Bearer ${seller.stored().key}` })
  const splitter = await splitterOf(api, devnet, seller.wallet.address)
  const product = { method: 'GET', amount: '20000', description: 'Tides' } as const
  const server = await startExpressSeller({ baseUrl, devnet }, [
    { ...product, path: '/tides', payTo: splitter.splitterAddress },
    { ...product, path: '/moon', payTo: splitter.splitterAddress },
    { ...product, path: '/elsewhere', payTo: seller.wallet.address },
  ])
  onTestFinished(() => server.close())
  const file = join(seller.folder, 'listing.json')
  /** Writes the file. */
  const describe = (more: object) => {
    const operations = [{ method: 'GET', url: server.url('/tides'), name: 'Tides' }]
    const texts = { description: 'High and low water for a port.', category: 'data' }
    writeFileSync(file, JSON.stringify({ ...texts, network: devnet.network, operations, ...more }))
  }
  const json = async (words: readonly string[], env = {}) => {
    const { code, out, err } = await seller.sell([...words, '--json'], env)
    return { code, err, ...(out === '' ? {} : (JSON.parse(out) as Record<string, unknown>)) } as Record<string, unknown>
  }
  const deploy = async () => {
    await fund(devnet, seller.wallet.address, { wei: 10n ** 18n })
    await deploySplitter(devnet, seller.wallet, splitter)
  }
  return { seller, server, file, describe, json, api, deploy, splitter }
}

test('publish creates a draft, then does nothing, then changes what changed, and takes a live listing offline only with --yes', {
  timeout: 120_000,
}, async () => {
  const { server, file, describe, json, deploy } = await atWork()
  describe({ name: 'Tide tables' })
  expect(await json(['publish', file, '--dry-run'])).toMatchObject({ code: 0, steps: ['create'] })
  const created = await json(['publish', file])
  expect(created).toMatchObject({ code: 0, slug: 'tide-tables', status: 'draft', steps: ['create'] })
  expect(created.next).toBe('callboard sell deploy tide-tables')
  // Only a creation asks for the wallet.
  const noWallet = { CALLBOARD_PAYOUT_KEY: '' }
  expect(await json(['publish', file], noWallet)).toMatchObject({ code: 0, steps: [] })

  describe({ name: 'Tide tables', slug: 'tide-tables', description: 'High and low water, a week ahead.' })
  expect(await json(['publish', file], noWallet)).toMatchObject({ code: 0, steps: ['edit'] })
  expect(await json(['publish', file, '--activate'])).toMatchObject({ code: 5, err: expect.stringMatching(/deploy/) })
  await deploy()
  expect(await json(['publish', file, '--activate'])).toMatchObject({ code: 0, steps: ['activate'], status: 'live' })
  expect(await json(['publish', file, '--activate'])).toMatchObject({ code: 0, steps: [] })

  const moon = { method: 'GET', url: server.url('/moon'), name: 'Moon', description: 'Its phase.' }
  describe({ name: 'Tide tables', slug: 'tide-tables', operations: [moon] })
  const refused = await json(['publish', file])
  expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/tide-tables is live\. It goes offline/) })
  expect(await json(['status', 'tide-tables'])).toMatchObject({
    listings: [{ status: 'live', operations: [{ name: 'Tides' }] }],
  })
  const moved = await json(['publish', file, '--yes'], noWallet)
  expect(moved, String(moved.err)).toMatchObject({
    ...{ code: 0, status: 'live', steps: ['edit', 'suspend', 'revise', 'replace', 'activate'] },
    changes: { sells: [expect.stringMatching(/^added GET .*moon$/), expect.stringMatching(/^removed GET .*tides$/)] },
  })
  expect(await json(['publish', file, '--yes'])).toMatchObject({ code: 0, steps: [] })

  // What could not be activated again does not take the listing offline.
  describe({ name: 'Tide tables', slug: 'tide-tables', operations: [{ ...moon, url: server.url('/elsewhere') }] })
  expect(await json(['publish', file, '--yes'])).toMatchObject({
    code: 5,
    err: expect.stringMatching(/Nothing was changed/),
  })
  expect(await json(['status', 'tide-tables'])).toMatchObject({ listings: [{ status: 'live' }] })
})

/** A live listing of a seller, and a proxy that loses what its change is asked for. */
async function atChange(name: string, slug: string) {
  const work = await atWork()
  const { seller, server, file, describe, json, deploy } = work
  await deploy()
  describe({ name })
  expect(await json(['publish', file, '--activate'])).toMatchObject({ status: 'live', slug })
  const proxy = await losingProxy(instance.baseUrl)
  onTestFinished(() => proxy.close())
  const key = { CALLBOARD_API_KEY: seller.stored().key }
  const change = () => describe({ name, operations: [{ method: 'GET', url: server.url('/moon'), name: 'Moon' }] })
  // The files of a machine are for one service: what is begun through the proxy is begun there.
  const publish = (...words: string[]) => json(['publish', file, ...words], { ...key, CALLBOARD_URL: proxy.url })
  const elsewhere = { ...key, CALLBOARD_CONFIG_DIR: temporaryFolder('callboard-seller-') }
  return { ...work, proxy, change, publish, elsewhere }
}

test('a live listing stays online where an endpoint also asks to be paid past the splitter, or in another token', {
  timeout: 120_000,
}, async () => {
  const { file, describe, json, seller, splitter } = await atChange('Ripple tables', 'ripple-tables')
  const scripted = await startScripted()
  onTestFinished(() => scripted.close())
  const { network, usdc } = instance.devnet
  const own = {
    ...{ scheme: 'exact', asset: usdc.address, amount: '20000', payTo: splitter.splitterAddress },
    network: network as `eip155:${number}`,
    ...{ maxTimeoutSeconds: 120, extra: { name: usdc.name, version: usdc.version } },
  }
  for (const accepts of [
    [own, { ...own, payTo: seller.wallet.address, amount: '19000' }],
    [{ ...own, asset: splitter.splitterAddress }],
  ]) {
    const url = scripted.set('/ripples', challengeV2(...accepts))
    describe({ name: 'Ripple tables', operations: [{ method: 'GET', url, name: 'Ripples' }] })
    const run = await json(['publish', file, '--yes'])
    expect(run, JSON.stringify(accepts)).toMatchObject({ code: 5, err: expect.stringMatching(/Nothing was changed/) })
    expect(await json(['status', 'ripple-tables'])).toMatchObject({ listings: [{ status: 'live' }] })
  }
  scripted.set('/ripples', challengeV2(own))
  expect(await json(['publish', file, '--yes'])).toMatchObject({ code: 0, status: 'live' })
})

test('a publication that breaks off offline says so, and the same command ends it', { timeout: 120_000 }, async () => {
  const { file, json, proxy, change, publish, elsewhere } = await atChange('Surf tables', 'surf-tables')
  change()
  proxy.lose('/api/call/listings/surf-tables', 'answer')
  expect(await publish('--yes')).toMatchObject({ code: 4, err: expect.stringContaining('surf-tables is offline.') })

  // On another machine, nothing tells a listing that is to be live again from one that its seller took offline.
  const undecided = await json(['publish', file, '--yes'], elsewhere)
  expect(undecided).toMatchObject({
    code: 2,
    err: expect.stringMatching(/was live, and is draft now.*--activate.*--offline/),
  })
  expect(await json(['publish', file, '--offline'], elsewhere)).toMatchObject({ code: 0, status: 'draft', steps: [] })

  expect(await publish('--dry-run')).toMatchObject({ code: 0, steps: ['activate'] })
  expect(await publish('--yes')).toMatchObject({ code: 0, status: 'live', steps: ['activate'] })
  expect(await publish('--yes')).toMatchObject({ code: 0, status: 'live', steps: [] })
  // It is over: what its seller takes offline stays offline.
  expect(await json(['suspend', 'surf-tables'])).toMatchObject({ code: 0 })
  expect(await publish()).toMatchObject({ code: 2 })
  expect(await publish('--activate')).toMatchObject({ code: 0, status: 'live', steps: ['revise', 'activate'] })
})

test('a listing that its seller takes offline after a publication broke off is not activated by the next one', {
  timeout: 120_000,
}, async () => {
  const { seller, json, proxy, change, publish } = await atChange('Swell tables', 'swell-tables')
  change()
  proxy.lose('/api/call/listings/swell-tables/status', 'answer', { text: 'suspend' })
  expect(await publish('--yes')).toMatchObject({ code: 4, err: expect.stringContaining('swell-tables may be offline') })
  const through = { CALLBOARD_URL: proxy.url }
  expect(await json(['suspend', 'swell-tables'], { ...through, CALLBOARD_API_KEY: seller.stored().key })).toMatchObject(
    { code: 0 },
  )
  expect(await publish('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('--offline') })
})

test('a review that was lost with the change is requested by the same command', { timeout: 120_000 }, async () => {
  const { json, proxy, change, publish } = await atChange('Wave tables', 'wave-tables')
  expect(await json(['verify', 'wave-tables'])).toMatchObject({ verification: 'requested' })
  change()
  proxy.lose('/api/call/listings/wave-tables/status', 'request', { text: 'request_verification' })
  expect(await publish('--yes')).toMatchObject({ code: 4, err: expect.stringContaining('review is not requested') })
  expect(await publish()).toMatchObject({ code: 0, steps: ['request_verification'], verification: 'requested' })
  expect(await publish()).toMatchObject({ code: 0, steps: [] })
})

test('verify, suspend, activate and withdraw act once, and withdraw asks first', { timeout: 120_000 }, async () => {
  const { file, describe, json, deploy } = await atWork()
  await deploy()
  describe({ name: 'Ebb tables' })
  expect(await json(['publish', file, '--activate'])).toMatchObject({
    status: 'live',
    next: 'callboard sell verify ebb-tables',
  })
  expect(await json(['verify', 'ebb-tables'])).toMatchObject({ code: 0, changed: true, verification: 'requested' })
  expect(await json(['verify', 'ebb-tables'])).toMatchObject({ code: 0, changed: false })
  expect(await json(['suspend', 'ebb-tables'])).toMatchObject({ code: 0, changed: true, status: 'suspended' })
  expect(await json(['suspend', 'ebb-tables'])).toMatchObject({ code: 0, changed: false })
  expect(await json(['activate', 'ebb-tables'])).toMatchObject({ code: 0, changed: true, status: 'live' })
  expect(await json(['activate', 'ebb-tables'])).toMatchObject({ code: 0, changed: false })
  expect(await json(['withdraw', 'ebb-tables'])).toMatchObject({ code: 2 })
  expect(await json(['withdraw', 'ebb-tables', '--yes'])).toMatchObject({ code: 0, withdrawn: true })
  expect(await json(['status', 'ebb-tables'])).toMatchObject({ code: 8 })
  expect(await json(['activate', '--', '--nonsense'])).toMatchObject({ code: 2 })
})

test('a file never makes a second listing by mistake', { timeout: 120_000 }, async () => {
  const { file, describe, json } = await atWork()
  describe({ name: 'Flood tables', slug: 'flood-tables' })
  expect(await json(['publish', file])).toMatchObject({
    code: 8,
    err: expect.stringMatching(/no listing flood-tables/),
  })
  describe({ name: 'Flood tables' })
  expect(await json(['publish', file])).toMatchObject({ code: 0, slug: 'flood-tables' })
  describe({ name: 'Renamed tables' })
  expect(await json(['publish', file])).toMatchObject({ code: 2, err: expect.stringMatching(/slug.*flood-tables/) })
  describe({ name: 'Flood tables', payoutWallet: `0x${'1'.repeat(40)}` })
  expect(await json(['publish', file])).toMatchObject({ code: 2, err: expect.stringMatching(/cannot change/) })
  describe({ name: 'F' })
  expect(await json(['publish', file])).toMatchObject({ code: 2, err: expect.stringMatching(/listing\.json: name: /) })
})

test.each([
  ['another host', (own: string) => own.replace(/127\.0\.0\.1:\d+/g, 'callboard.example'), 2],
  ['a login', (own: string) => own.replace(/Publish .*\./, 'Sign in to Callboard as the owner of this wallet.'), 0],
  [
    'another wallet and resources',
    (own: string) => `${own.replace(/0x[0-9a-f]+/i, `0x${'2'.repeat(40)}`)}\nResources:\n- x`,
    0,
  ],
])('a hostile service gets no signature for %s', async (_what, altered, signed) => {
  const url = 'https://api.example/tides'
  const service = await hostileService((own) => ({
    '/api/call/listings/mine': { listings: [], nextCursor: null },
    '/api/call/listings/payout-nonce': {
      nonce: 'a'.repeat(17),
      expiresAt: '2027-01-01T00:00:00Z',
      message: altered(
        `${new URL(own).host} wants you to sign in with your Ethereum account:\n0x${'1'.repeat(40)}\n\nPublish a listing.\n\nURI: ${own}\nVersion: 1\nChain ID: 1\nNonce: ${'a'.repeat(17)}\nIssued At: 2026-12-01T00:00:00.000Z`,
      ),
    },
  }))
  onTestFinished(() => service.close())
  const seller = new SellerAt(service.url)
  const file = join(seller.folder, 'listing.json')
  const operations = [{ method: 'GET', url, name: 'Tides' }]
  writeFileSync(
    file,
    JSON.stringify({ name: 'Tides', description: 'Tides.', category: 'data', network: 'eip155:8453', operations }),
  )
  const run = await seller.sell(['publish', file], { CALLBOARD_API_KEY: 'cb_any' })
  const sent = service.sent.filter(({ path }) => path === '/api/call/listings')
  if (signed === 2) {
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('Nothing was signed') })
    return expect(sent).toEqual([])
  }
  const { message } = JSON.parse(sent[0]?.body ?? '{}') as { message: string }
  const { host } = new URL(service.url)
  expect(message).toMatch(
    new RegExp(`^${host} wants .*:\\n${seller.wallet.address}\\n\\nPublish a listing on Callboard that pays out`),
  )
  expect(message).toContain('Chain ID: 8453')
  expect(message).not.toMatch(/Sign in to Callboard|Resources/)
})
