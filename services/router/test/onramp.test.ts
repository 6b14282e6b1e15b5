import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BusFault } from '@callboard/bus'
import { router as operations } from '@callboard/contract'
import { granted, startTestServices, type TestServices, wallet } from '@callboard/testkit'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from '../../x402-facilitator/test/exchange.ts'
import { router } from '../src/index.ts'

const BASE_URL = 'http://127.0.0.1:8402'
const KEY_ID = 'organizations/1/apiKeys/2'
const WALLET = wallet(400).address
const BASE = 'eip155:8453'
const URL_ONCE = 'https://pay.coinbase.com/buy?sessionToken=once'

/** An Ed25519 key in the platform's format, and the key that verifies its tokens. */
function newKey(): { secret: string; publicKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64')
  return { secret, publicKey }
}

interface Asked {
  readonly token: string
  readonly body: Record<string, unknown>
}

/** Coinbase's platform per its documentation: it accepts a token of our key only for this method, host and path. */
async function startPlatform(publicKey: KeyObject) {
  const asked: Asked[] = []
  let answer: (res: ServerResponse) => void
  const succeed = (res: ServerResponse) => {
    res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ session: { onrampUrl: URL_ONCE } }))
  }
  answer = succeed
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const token = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      issuer: 'cdp',
      subject: KEY_ID,
      currentDate: new Date(),
    })
    const { exp = 0, nbf = 0, uris } = payload
    const isForThis = JSON.stringify(uris) === JSON.stringify([`POST ${req.headers.host}${req.url}`])
    const isShort = exp - nbf <= 120 && protectedHeader.kid === KEY_ID
    if (!isForThis || !isShort || req.url !== '/platform/v2/onramp/sessions')
      throw new Error('the token is not for this')
    asked.push({ token, body: JSON.parse(text) })
    answer(res)
  }
  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.writeHead(401).end('{"errorType":"unauthorized"}'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked,
    url: `http://127.0.0.1:${port}`,
    answers: (next: typeof answer = succeed) => {
      answer = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

let exchange: Exchange
let platform: Awaited<ReturnType<typeof startPlatform>>
let services: TestServices
const key = newKey()

const start = (more: Record<string, string> = {}) =>
  startTestServices([x402Facilitator, router], {
    databaseUrl: exchange.database.url,
    env: { ...exchange.env, BASE_URL, ...more },
  })
const coinbase = (more: Record<string, string> = {}) =>
  start({ CDP_KEY_ID: KEY_ID, CDP_KEY_SECRET: key.secret, CDP_BASE_URL: platform.url, ...more })
const ask = (more: object = {}) =>
  services.call(operations.onrampSession, { wallet: WALLET, network: BASE, amountUsd: '20', ...more } as never)

/** The number of sessions per outcome, as the operator sees it. */
async function outcomes() {
  const metric = await services.metrics.registry.getSingleMetric('callboard_router_onramp_sessions_total')?.get()
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels.outcome, value]))
}
const NONE = { made: 0, failed: 0, limited: 0, unavailable: 0 }

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  platform = await startPlatform(key.publicKey)
})
beforeEach(() => platform.answers())
afterEach(async () => {
  await services.stop()
  await exchange.database.query('truncate router.onramp_day')
})
afterAll(async () => {
  await platform.close()
  await exchange.close()
})

describe('with a provider', () => {
  test('its URL is passed on, requested with a token signed for this one request and nothing about the requester', async () => {
    services = await coinbase()
    const more = { country: 'US', subdivision: 'NY', redirectUrl: `${BASE_URL}/console/wallet` }
    expect(granted(await ask(more))).toMatchObject({
      provider: 'coinbase',
      wallet: WALLET,
      onrampUrl: URL_ONCE,
      quote: null,
    })
    const { body, token } = platform.asked.at(-1) ?? {}
    expect(body).toEqual({
      ...{ destinationAddress: WALLET, destinationNetwork: 'base', purchaseCurrency: 'USDC', purchaseAmount: '20' },
      ...{ paymentCurrency: 'USD', ...more },
    })
    granted(await ask())
    expect(platform.asked.at(-1)?.token, 'another token for another request').not.toBe(token)
  })

  test.each([
    [
      'refuses',
      (res: ServerResponse) => res.writeHead(400).end('{"errorType":"invalid_request","errorMessage":"x"}'),
      '400 (invalid_request)',
    ],
    ['is broken', (res: ServerResponse) => res.writeHead(500).end('<html>'), 'answered 500.'],
    ['answers no session', (res: ServerResponse) => res.writeHead(201).end('{}'), 'without a session'],
    [
      'answers without end',
      (res: ServerResponse) => res.writeHead(201).end('x'.repeat(100_000)),
      'not with a usable answer',
    ],
    ['hangs up', (res: ServerResponse) => res.destroy(), 'not with a usable answer'],
    ['is silent', () => {}, 'within 500 ms'],
  ])('502 onramp_failed says what happened when the provider %s, and asks once', async (_what, answers, words) => {
    services = await coinbase({ ONRAMP_TIMEOUT_MS: '500' })
    platform.answers(answers as never)
    const before = platform.asked.length
    const refused = await ask()
    expect(refused).toMatchObject({ refusal: 'onramp_failed', message: expect.stringContaining(words) })
    expect(platform.asked.length - before).toBe(1)
    expect(await outcomes()).toEqual({ ...NONE, failed: 1 })
    platform.answers((res) => res.writeHead(500).end())
  })

  test('502 onramp_failed: a key that the provider does not know is for the operator to fix', async () => {
    services = await coinbase({ CDP_KEY_SECRET: newKey().secret })
    expect(await ask()).toMatchObject({
      refusal: 'onramp_failed',
      message: expect.stringContaining('The operator of this instance'),
    })
  })

  test('429 rate_limited: the day’s sessions are limited across all requesters', async () => {
    services = await coinbase({ ONRAMP_SESSIONS_PER_DAY: '2' })
    granted(await ask())
    granted(await ask({ wallet: wallet(401).address }))
    const refused = await ask({ wallet: wallet(402).address })
    expect(refused).toMatchObject({ refusal: 'rate_limited', retryAfterSeconds: expect.any(Number) })
    expect(await outcomes()).toEqual({ ...NONE, made: 2, limited: 1 })
  })

  test('422 unsupported_network: a chain that the provider does not sell on uses none of the day’s sessions', async () => {
    services = await coinbase({ ONRAMP_SESSIONS_PER_DAY: '1' })
    expect(await ask({ network: 'eip155:1' })).toMatchObject({ refusal: 'unsupported_network' })
    granted(await ask())
    expect(await outcomes()).toEqual({ ...NONE, made: 1, unavailable: 1 })
  })

  test('400 names redirectUrl: a page on another site', async () => {
    services = await coinbase()
    const refused = await ask({ redirectUrl: 'https://elsewhere.example/' })
    expect(refused).toMatchObject({ refusal: 'invalid_request', field: 'redirectUrl' })
  })
})

describe('without a provider', () => {
  test('the faucet of the local chain sends the requested amount, and says that it is worth nothing', async () => {
    services = await start()
    const { network } = exchange
    const session = granted(await ask({ network }))
    expect(session).toMatchObject({
      provider: 'devnet_faucet',
      onrampUrl: null,
      message: expect.stringContaining('worth nothing'),
    })
    expect(await exchange.balanceOf(WALLET)).toBe(20_000_000n)
  })

  test('a facilitator that is away uses none of the day’s sessions', async () => {
    services = await startTestServices([router], {
      databaseUrl: exchange.database.url,
      env: { ...exchange.env, BASE_URL, ONRAMP_SESSIONS_PER_DAY: '1' },
    })
    for (const _again of [1, 2]) await expect(ask({ network: exchange.network })).rejects.toThrow(BusFault)
    expect(await exchange.database.query('select sessions from router.onramp_day')).toEqual([{ sessions: 0 }])
    expect(await outcomes()).toEqual({ ...NONE, unavailable: 2 })
  })

  test('503 onramp_unavailable on any other chain', async () => {
    services = await start()
    expect(await ask({ network: 'eip155:1' })).toMatchObject({ refusal: 'onramp_unavailable' })
  })
})

test('a service with only half of a key does not start', async () => {
  await expect(start({ CDP_KEY_ID: KEY_ID })).rejects.toThrow('set both or neither')
  services = await start()
})
