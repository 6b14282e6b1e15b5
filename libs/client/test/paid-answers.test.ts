import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutcomeUnknown } from '../src/spending/errors.ts'
import { Ledger } from '../src/spending/ledger.ts'
import { type PayInit, pay } from '../src/spending/pay.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'
import { EVIDENCE, header, OFFER, PENDING, type Seller, sold, startSeller } from './seller.ts'

const account = privateKeyToAccount(generatePrivateKey())
const policy = SpendingPolicy.parse({})
let folder: string
let ledger: Ledger
let seller: Seller

beforeEach(async () => {
  folder = temporaryFolder('callboard-paid-')
  ledger = new Ledger(join(folder, 'ledger.jsonl'))
  seller = await startSeller()
})
afterEach(() => {
  seller.close()
  rmSync(folder, { recursive: true, force: true })
})

const paying = (init?: PayInit) => pay({ account, policy, ledger }, seller.url, init)

/** Makes the ledger unusable, as a full disk does. */
function breakLedger(): void {
  rmSync(ledger.file)
  mkdirSync(ledger.file)
}

test('a paid answer is returned, although its outcome cannot be written to the ledger', async () => {
  seller.paid = (answer) => {
    breakLedger()
    sold(answer)
  }
  const { answer, payment } = await paying()
  expect({ body: await answer.text(), state: payment?.state }).toEqual({ body: 'sold', state: 'settled' })
})

test('an outcome is reported as unknown, although it cannot be written to the ledger', async () => {
  seller.paid = (answer) => {
    breakLedger()
    answer.destroy()
  }
  await expect(paying()).rejects.toBeInstanceOf(OutcomeUnknown)
})

test.each([
  ['and says nothing of it', {}],
  ['and says that it is pending', { 'payment-response': PENDING }],
])(
  'a payment whose outcome the seller does not know yet, %s, is presented again, and is the same one',
  async (_, said) => {
    const presented: unknown[] = []
    seller.paid = (answer, { headers }) => {
      presented.push(headers['payment-signature'])
      if (presented.length === 3) return sold(answer)
      answer.writeHead(503, { 'retry-after': '0', ...said }).end('{"error":"the payment is not known yet"}')
    }
    const { answer, payment } = await paying()
    expect({ body: await answer.text(), state: payment?.state }).toEqual({ body: 'sold', state: 'settled' })
    expect([presented.length, new Set(presented).size]).toEqual([3, 1])
    expect(ledger.read()).toMatchObject([{ state: 'settled' }])
  },
)

test.each([
  ['a 503 without Retry-After', { status: 503, headers: {} }],
  ['a seller that would be asked again after a minute', { status: 503, headers: { 'retry-after': '61' } }],
  [
    'a 503 with evidence that it is paid',
    { status: 503, headers: { 'retry-after': '0', 'payment-response': EVIDENCE } },
  ],
])('%s is returned at once', async (_what, { status, headers }) => {
  let presented = 0
  seller.paid = (answer) => {
    presented += 1
    answer.writeHead(status, headers).end()
  }
  expect((await paying()).answer.status).toBe(503)
  expect(presented).toBe(1)
})

test.each([
  ['settlement_pending in the evidence of a stock server', { 'payment-response': PENDING }],
  ['a used nonce', { 'payment-required': header({ ...OFFER, error: 'invalid_exact_evm_nonce_already_used' }) }],
])('a 402 with %s is no refusal: the money may have moved', async (_what, said) => {
  seller.paid = (answer) => answer.writeHead(402, said).end('{}')
  expect((await paying()).payment?.state).toBe('unknown')
  expect(ledger.read()).toMatchObject([{ state: 'unknown' }])
})

test('a call that is given up while its payment waits is of unknown outcome', async () => {
  seller.paid = (answer) => answer.writeHead(503, { 'retry-after': '30' }).end()
  await expect(paying({ signal: AbortSignal.timeout(1_000) })).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(ledger.read()).toMatchObject([{ state: 'unknown' }])
})

test('a payment says who routed it, and carries an identifier where the seller takes one', async () => {
  const sent: Record<string, { info: object }>[] = []
  seller.paid = (answer, { headers }) => {
    sent.push(JSON.parse(Buffer.from(String(headers['payment-signature']), 'base64').toString()).extensions)
    sold(answer)
  }
  expect((await paying()).payment?.state).toBe('settled')
  seller.extensions = { 'payment-identifier': { info: { required: true } }, 'builder-code': { info: { a: 'seller' } } }
  for (let n = 0; n < 2; n += 1) expect((await paying()).payment?.state).toBe('settled')
  expect(sent[0]).toEqual({ 'builder-code': { info: { s: ['svc'] } } })
  expect(sent[1]).toMatchObject({
    'builder-code': { info: { a: 'seller', s: ['svc'] } },
    'payment-identifier': { info: { required: true, id: expect.stringMatching(/^[a-zA-Z0-9_-]{16,128}$/) } },
  })
  expect(sent[2]?.['payment-identifier']).not.toEqual(sent[1]?.['payment-identifier'])
})

test.each([[[]], [null], [{ 'builder-code': 'x', 'payment-identifier': 7 }]])(
  'extensions that are %j keep nobody from paying',
  async (given) => {
    seller.extensions = given
    seller.paid = sold
    expect((await paying()).payment?.state).toBe('settled')
  },
)

test.each<[string, unknown]>([
  ['a transaction that is no text', { success: true, transaction: 7 }],
  ['a transaction without an end', { success: true, transaction: 'x'.repeat(4_000) }],
  ['a reason that is no text', { success: false, errorReason: { why: 1 } }],
  ['success that is neither yes nor no', { success: 'perhaps', transaction: '0x1' }],
  ['nothing', null],
])('evidence with %s leaves the ledger usable', async (_what, evidence) => {
  seller.paid = (answer) => answer.writeHead(200, { 'payment-response': header(evidence) }).end('sold')
  const { payment } = await paying()
  expect(payment?.transaction).toBeUndefined()
  expect(payment?.claimedReason).toBeUndefined()
  expect(ledger.read()).toHaveLength(1)
  expect((await paying()).answer.status).toBe(200)
})

test.each<[string, PayInit]>([
  ['a body with GET', { method: 'GET', body: 'a' }],
  ['a method that is none', { method: 'FOO BAR' }],
  ['a header that is none', { headers: [['bad name', 'x']] }],
])('%s is said to be no request, and not that the seller is unreachable', async (_what, init) => {
  await expect(paying(init)).rejects.toBeInstanceOf(TypeError)
  expect(ledger.read()).toEqual([])
})
