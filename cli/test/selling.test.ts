import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newOwner } from '@callboard/conformance/owner'
import { startExpressSeller } from '@callboard/conformance/sellers'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Instance } from '../../services/all/test/instance.ts'
import { hostileService } from './hostile-service.ts'
import { SellerAt } from './seller-at.ts'

const instance = new Instance()
const wide = { burst: 1_000, perMinute: 60_000 }
const RATE_LIMITS = JSON.stringify({ signIn: wide, nonce: wide, link: wide, probe: wide, manage: wide })
beforeAll(() => instance.start(['--no-demo'], { RATE_LIMITS }), 120_000)
afterAll(() => instance.dispose())

/** The status of an API key's request. */
const statusOf = async (key: string) =>
  (await fetch(`${instance.baseUrl}/api/call/listings/mine`, { headers: { authorization: `Bearer ${key}` } })).status

describe('sell login and logout', () => {
  test('login stores one key, readable by its user alone; another login creates none; logout ends it at the service', async () => {
    const key = generatePrivateKey()
    const seller = new SellerAt(instance.baseUrl, key)
    const first = await seller.sell(['login', '--label', 'ci', '--json'])
    expect(first, first.err).toMatchObject({ code: 0 })
    expect(JSON.parse(first.out)).toMatchObject({
      signedIn: true,
      created: true,
      wallet: seller.wallet.address,
      label: 'ci',
    })
    const { key: stored } = seller.stored()
    expect(statSync(join(seller.folder, 'seller.json')).mode & 0o777).toBe(0o600)
    expect(first.out + first.err).not.toContain(stored)
    expect(await statusOf(stored)).toBe(200)

    const again = await seller.sell(['login', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ created: false, label: 'ci' })
    const owner = await newOwner({ baseUrl: instance.baseUrl, devnet: instance.devnet }, privateKeyToAccount(key))
    const { keys } = (await owner.session.get('/api/keys')).json() as { keys: { label: string }[] }
    expect(keys.map(({ label }) => label).sort()).toEqual(['ci', 'conformance'])
    const { sessions } = (await owner.session.get('/api/auth/sessions')).json() as { sessions: object[] }
    expect(sessions).toHaveLength(1)

    expect(await seller.sell(['logout'])).toMatchObject({ code: 0, out: expect.stringContaining('has ended') })
    expect(await statusOf(stored)).toBe(401)
    expect(await seller.sell(['status'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('callboard sell login'),
    })
    expect(await seller.sell(['logout'])).toMatchObject({ code: 3 })
  })

  test('logins at the same time create one key', async () => {
    const seller = new SellerAt(instance.baseUrl)
    const runs = await Promise.all([1, 2, 3].map(() => seller.sell(['login', '--json'])))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(runs.map(({ out }) => JSON.parse(out).created).filter(Boolean)).toHaveLength(1)
  })

  test('a login that was killed before it stored its key: the next one names the key, which can then be ended', async () => {
    const seller = new SellerAt(instance.baseUrl)
    await seller.sell(['login', '--label', 'lost'])
    const { id } = seller.stored()
    rmSync(join(seller.folder, 'seller.json'))
    const again = await seller.sell(['login', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ created: true, unusedKeys: [{ id, label: 'lost' }] })
    await seller.sell(['status'])
    rmSync(join(seller.folder, 'seller.json'))
    const said = await seller.sell(['login'])
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/never used: lost \(.+…\), created 20/) })
    expect(said.out).toContain(`${instance.baseUrl}/account`)
    expect(said.out.match(/never used/g)).toHaveLength(1)
    expect((await seller.sell(['login'])).out).not.toContain('never used')
  })

  test('a key that was ended elsewhere is removed without a signature, and a login replaces it', async () => {
    const key = generatePrivateKey()
    const seller = new SellerAt(instance.baseUrl, key)
    await seller.sell(['login'])
    const owner = await newOwner({ baseUrl: instance.baseUrl, devnet: instance.devnet }, privateKeyToAccount(key))
    await owner.session.send('DELETE', `/api/keys/${seller.stored().id}`)
    expect(await seller.sell(['status'])).toMatchObject({ code: 3, err: expect.stringContaining('it was ended') })
    expect(JSON.parse((await seller.sell(['login', '--json'])).out)).toMatchObject({ created: true })
    await owner.session.send('DELETE', `/api/keys/${seller.stored().id}`)
    const out = await seller.sell(['logout'], { CALLBOARD_PAYOUT_KEY: '' })
    expect(out).toMatchObject({ code: 0, out: expect.stringContaining('had already ended') })
  })

  test('exit 2: another wallet, a key that is none, and a file that cannot be read end or create no key', async () => {
    const seller = new SellerAt(instance.baseUrl)
    expect(await seller.sell(['login'], { CALLBOARD_PAYOUT_KEY: '' })).toMatchObject({ code: 2 })
    expect(await seller.sell(['login'], { CALLBOARD_PAYOUT_KEY: `0x${'0'.repeat(64)}` })).toMatchObject({ code: 2 })
    await seller.sell(['login'])
    const { key } = seller.stored()
    const other = { CALLBOARD_PAYOUT_KEY: generatePrivateKey() }
    for (const words of [['login'], ['logout']]) expect(await seller.sell(words, other)).toMatchObject({ code: 2 })
    const elsewhere = ['--url', 'http://127.0.0.1:9']
    for (const words of [['login'], ['logout']])
      expect(await seller.sell([...words, ...elsewhere])).toMatchObject({ code: 2 })
    expect(await statusOf(key)).toBe(200)
    const file = join(seller.folder, 'seller.json')
    writeFileSync(file, '{')
    for (const words of [['login'], ['logout'], ['status']]) expect(await seller.sell(words)).toMatchObject({ code: 2 })
    expect(readFileSync(file, 'utf8')).toBe('{')
  })

  test('CALLBOARD_API_KEY stands in for a login', async () => {
    const { api, account } = await newOwner({ baseUrl: instance.baseUrl, devnet: instance.devnet })
    expect(account.address).toMatch(/^0x/)
    const CALLBOARD_API_KEY = api.headers.authorization?.slice('Bearer '.length) ?? ''
    const seller = new SellerAt(instance.baseUrl)
    expect(await seller.sell(['status'], { CALLBOARD_API_KEY })).toMatchObject({
      code: 0,
      out: 'You have no listings.\n',
    })
  })
})

describe('a hostile service', () => {
  const supported = { kinds: [{ network: 'eip155:8453' }] }
  const nonce = { nonce: 'a'.repeat(17), expiresAt: '2027-01-01T00:00:00Z' }

  test('gets no login for another service', async () => {
    const service = await hostileService(() => ({
      '/api/auth/siwe-nonce': {
        ...nonce,
        statement: 'x',
        domain: 'callboard.example',
        uri: 'https://callboard.example',
      },
      '/x402/supported': supported,
    }))
    onTestFinished(() => service.close())
    const seller = new SellerAt(service.url)
    expect(await seller.sell(['login'])).toMatchObject({ code: 2, err: expect.stringContaining('Nothing was signed') })
    expect(service.sent.map(({ path }) => path)).not.toContain('/api/auth/session')
  })

  test('gets a login that says so, whatever statement and nonce it asks for', async () => {
    let asked = nonce.nonce
    const service = await hostileService((uri) => ({
      '/api/auth/siwe-nonce': { nonce: asked, statement: 'Pay me.', domain: new URL(uri).host, uri, resources: ['x'] },
      '/x402/supported': supported,
    }))
    onTestFinished(() => service.close())
    const seller = new SellerAt(service.url)
    await seller.sell(['login'])
    const [signed] = service.sent.filter(({ path }) => path === '/api/auth/session')
    const { message } = JSON.parse(signed?.body ?? '{}') as { message: string }
    expect(message).toMatch(/\n\nSign in to Callboard as the owner of this wallet\.\n\nURI: /)
    expect(message).not.toMatch(/Pay me|Resources/)
    asked = `${nonce.nonce}\nIssued At: 2020`
    expect(await seller.sell(['login'])).toMatchObject({ code: 4, err: expect.stringContaining('valid nonce') })
    expect(service.sent.filter(({ path }) => path === '/api/auth/session')).toHaveLength(1)
  })

  test('has no text stored that cannot be a key, and is told to end it', async () => {
    const service = await hostileService((uri) => ({
      '/api/auth/siwe-nonce': { ...nonce, statement: 'x', domain: new URL(uri).host, uri },
      '/x402/supported': supported,
      '/api/auth/session': {},
      '/api/keys': { id: 'any', label: 'ci', key: 'cb\r\nCookie: x', createdAt: '2026-12-01T00:00:00Z' },
      '/api/keys/any': {},
    }))
    onTestFinished(() => service.close())
    const seller = new SellerAt(service.url)
    const run = await seller.sell(['login'])
    expect(run).toMatchObject({ code: 4, err: expect.stringContaining('without a valid API key') })
    expect(existsSync(join(seller.folder, 'seller.json'))).toBe(false)
    expect(service.sent.map(({ path }) => path)).toContain('/api/keys/any')
  })

  test('that repeats a page of listings is not asked without end', async () => {
    const service = await hostileService(() => ({
      '/api/call/listings/mine': { listings: [], nextCursor: 'again' },
    }))
    onTestFinished(() => service.close())
    const seller = new SellerAt(service.url)
    const status = await seller.sell(['status'], { CALLBOARD_API_KEY: 'cb_key' })
    expect(status).toMatchObject({ out: '', err: expect.stringContaining('repeats a page of your listings') })
    expect(status.code).not.toBe(0)
  })

  test('is not shown the key of another service', async () => {
    const service = await hostileService(() => ({}))
    onTestFinished(() => service.close())
    const seller = new SellerAt(instance.baseUrl)
    await seller.sell(['login'])
    for (const words of [['status'], ['logout'], ['login']])
      expect((await seller.sell([...words, '--url', service.url])).code).toBeGreaterThan(0)
    expect(service.sent).toEqual([])
  })
})

describe('sell probe', () => {
  test('says how an endpoint is paid, and exits with 5 where it cannot be listed', async () => {
    const seller = new SellerAt(instance.baseUrl)
    await seller.sell(['login'])
    const { baseUrl, devnet } = instance
    const server = await startExpressSeller({ baseUrl, devnet }, [
      { method: 'GET', path: '/quote', amount: '10000', payTo: seller.wallet.address, description: 'Quote' },
    ])
    onTestFinished(() => server.close())
    const paid = await seller.sell(['probe', server.url('/quote')])
    expect(paid, paid.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^It can be listed\.\npayable {2}10000 of 0x/),
    })
    const free = await seller.sell(['probe', `${baseUrl}/api/call/stats`])
    expect(free.code, free.err).toBe(5)
    expect(free.out + free.err).toMatch(/cannot be listed|mend/)
    expect(await seller.sell(['probe', server.url('/quote'), '--method', 'BREW'])).toMatchObject({ code: 2 })
    expect(await seller.sell(['probe'])).toMatchObject({ code: 2 })
  })
})
