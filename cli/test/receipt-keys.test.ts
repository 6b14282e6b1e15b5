import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from './command.ts'
import { hostileService } from './hostile-service.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const { x = '' } = publicKey.export({ format: 'jwk' })
const key = { kty: 'OKP', crv: 'Ed25519', x, kid: 'new', use: 'sig', alg: 'EdDSA' }

const times = { createdAt: '2026-11-23T12:00:00Z', settledAt: '2026-11-23T12:00:01Z' }
const amounts = { heldUsd: '0.01', amountUsd: '0.001', currency: 'USD', priceVersion: '1', estimated: false }
const call = {
  model: 'small',
  upstream: 'sample',
  surface: 'chat',
  source: 'balance',
  usage: null,
  ending: 'completed',
}
const receipt = { id: 'one', key: 'a', seq: 1, previous: null, ...call, ...amounts, ...times }

interface Said {
  readonly code?: number
  readonly out?: RegExp
  readonly err?: RegExp
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = `${base64url({ alg: 'EdDSA', typ: 'callboard-receipt+jws', kid: 'new' })}.${base64url(receipt)}`
const jws = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`

test('verify-receipts: a Router that changes its key meanwhile is asked for its keys again', async () => {
  let reads = 0
  const router = await hostileService(() => ({
    // Read only for a request to its path.
    get '/api/router/receipt-keys'() {
      reads += 1
      return { keys: reads === 1 ? [] : [key] }
    },
    '/v1/receipts': { data: [{ jws, receipt }], has_more: false },
  }))
  onTestFinished(() => router.close())
  const env = { CALLBOARD_URL: router.url, CALLBOARD_ROUTER_KEY: 'cb_router_any' }
  const run = await runCommand(['router', 'verify-receipts'], env)
  expect(run, run.out).toMatchObject({ code: 0, out: expect.stringContaining('1 receipts are valid: 0.001 USD') })
  expect(reads).toBe(2)
})

test.each<[string, object, Said]>([
  ['a key of the wrong length', { keys: [{ ...key, x: 'AAAA' }] }, { code: 1, out: /is not an Ed25519 key/ }],
  ['a key of another kind', { keys: [{ kty: 'EC', kid: 'new' }] }, { code: 1, out: /is not an Ed25519 key/ }],
  ['no set of keys', { keys: 'none' }, { code: 4, err: /is not a JSON Web Key Set/ }],
  ['a key that it does not understand beside its own', { keys: [{ kty: 'EC', kid: 'p' }, key] }, { code: 0 }],
])('verify-receipts: a Router that gives %s is told in words', async (_what, keys, { code, out, err }) => {
  const router = await hostileService(() => ({
    '/api/router/receipt-keys': keys,
    '/v1/receipts': { data: [{ jws, receipt }], has_more: false },
  }))
  onTestFinished(() => router.close())
  const env = { CALLBOARD_URL: router.url, CALLBOARD_ROUTER_KEY: 'cb_router_any' }
  const run = await runCommand(['router', 'verify-receipts'], env)
  expect(run.code, run.err).toBe(code)
  expect(run.err).not.toContain('unexpectedly')
  if (out) expect(run.out).toMatch(out)
  if (err) expect(run.err).toMatch(err)
})

test('receipts: what a Router calls a receipt and is none reaches neither the terminal nor the file', async () => {
  const router = await hostileService(() => ({
    '/v1/receipts': {
      data: [
        { jws, receipt },
        { jws: `${jws}\u001b]52;c;cm0=\u0007\n${jws}`, receipt },
      ],
      has_more: false,
    },
  }))
  onTestFinished(() => router.close())
  const env = { CALLBOARD_URL: router.url, CALLBOARD_ROUTER_KEY: 'cb_router_any' }
  const run = await runCommand(['router', 'receipts'], env)
  expect(run).toMatchObject({ code: 4, out: `${jws}\n`, err: expect.stringContaining('is not a receipt') })
})
