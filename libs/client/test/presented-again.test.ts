import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutcomeUnknown } from '../src/spending/errors.ts'
import { Ledger } from '../src/spending/ledger.ts'
import { type PayInit, pay } from '../src/spending/pay.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'
import { PENDING, type Seller, sold, startSeller } from './seller.ts'

const key = generatePrivateKey()
const account = privateKeyToAccount(key)
const policy = SpendingPolicy.parse({})
let folder: string
let ledger: Ledger
let seller: Seller

beforeEach(async () => {
  folder = temporaryFolder('callboard-again-')
  ledger = new Ledger(join(folder, 'ledger.jsonl'))
  seller = await startSeller()
})
afterEach(() => {
  seller.close()
  rmSync(folder, { recursive: true, force: true })
})

const paying = (init?: PayInit, path = '') => pay({ account, policy, ledger }, `${seller.url}${path}`, init)
const lost = (answer: ServerResponse) => answer.destroy()
const failed = (answer: ServerResponse) => answer.writeHead(500).end()
const refused = (answer: ServerResponse) => answer.writeHead(402).end('{"error":"expired"}')
const distinct = () => new Set(seller.presented).size

test.each([
  ['a lost answer', lost],
  ['an answer of 500 without evidence', failed],
])('after %s the same call presents the same payment, which is settled once', async (_what, paid) => {
  seller.paid = paid
  await paying().catch(() => {})
  seller.paid = sold
  const { answer, payment } = await paying()
  expect(await answer.text()).toBe('sold')
  expect(payment).toMatchObject({ state: 'settled', repeated: true, amount: 100_000n })
  expect([seller.presented.length, distinct()]).toEqual([2, 1])
  expect(ledger.read()).toMatchObject([{ state: 'settled' }])
})

test('it is presented again as often as no answer comes', async () => {
  seller.paid = lost
  for (let n = 0; n < 3; n += 1) await expect(paying()).rejects.toBeInstanceOf(OutcomeUnknown)
  expect([seller.presented.length, distinct()]).toEqual([3, 1])
  expect(ledger.read()).toMatchObject([{ state: 'unknown' }])
})

test('a payment whose process was killed before the answer is presented again', async () => {
  seller.paid = () => {}
  const payer = join(import.meta.dirname, 'payer.ts')
  const child = spawn(process.execPath, [payer, ledger.file, seller.url], { env: { ...process.env, AGENT_KEY: key } })
  await until('the payment is presented', () => seller.presented.length === 1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(ledger.read()).toMatchObject([{ state: 'promised' }])
  seller.paid = sold
  expect((await paying()).payment).toMatchObject({ state: 'settled', repeated: true })
  expect(distinct()).toBe(1)
})

test('it is presented again by a process with the ID of the killed one, as in a container that is started again', async () => {
  seller.paid = lost
  await paying().catch(() => {})
  const [killed] = ledger.read()
  writeFileSync(ledger.file, `${JSON.stringify({ ...killed, state: 'promised', pid: process.pid })}\n`)
  seller.paid = sold
  expect((await paying()).payment).toMatchObject({ state: 'settled', repeated: true })
  expect(distinct()).toBe(1)
})

test('two equal calls at a time are two payments: one that is awaited is nobody else’s', async () => {
  seller.paid = (answer) => {
    if (seller.presented.length === 2) seller.paid = sold
    setImmediate(() => sold(answer))
  }
  const both = await Promise.all([paying(), paying()])
  expect(both.map(({ payment }) => payment?.repeated)).toEqual([false, false])
  expect(distinct()).toBe(2)
})

test.each<[string, PayInit, string]>([
  ['another path', {}, 'other'],
  ['another method', { method: 'POST' }, ''],
  ['another body', { method: 'POST', body: 'b' }, ''],
])('a call with %s is another call', async (_what, init, path) => {
  seller.paid = lost
  await paying().catch(() => {})
  await paying({ method: 'POST', body: 'a' }).catch(() => {})
  seller.paid = sold
  expect((await paying(init, path)).payment?.repeated).toBe(false)
  expect(distinct()).toBe(3)
})

test('the same call with another header, such as a renewed credential, is the same call', async () => {
  seller.paid = lost
  await paying({ headers: { authorization: 'Bearer old' } }).catch(() => {})
  seller.paid = (answer, { headers }) => (headers.authorization === 'Bearer new' ? sold(answer) : lost(answer))
  expect((await paying({ headers: { authorization: 'Bearer new' } })).payment?.repeated).toBe(true)
})

test('a body that can be read only once is not paid for again', async () => {
  const init = () => ({ method: 'POST', body: new Blob(['a']) })
  seller.paid = lost
  await paying(init()).catch(() => {})
  seller.paid = sold
  expect((await paying(init())).payment?.repeated).toBe(false)
  expect(readFileSync(ledger.file, 'utf8')).not.toContain(seller.presented[0])
})

test('with `anew` a second payment is signed', async () => {
  seller.paid = lost
  await paying().catch(() => {})
  seller.paid = sold
  expect((await paying({ anew: true })).payment?.repeated).toBe(false)
  expect(distinct()).toBe(2)
})

test('what was bought without evidence is not asked for again: the next call is a new one', async () => {
  seller.paid = (answer) => answer.writeHead(200).end('sold')
  expect((await paying()).payment).toMatchObject({ state: 'unknown', repeated: false })
  expect((await paying()).payment).toMatchObject({ state: 'unknown', repeated: false })
  expect(distinct()).toBe(2)
})

test('one that the seller refuses in the end is not presented a third time, and counts', async () => {
  seller.paid = lost
  await paying().catch(() => {})
  seller.paid = refused
  expect((await paying()).payment).toMatchObject({ state: 'refused', repeated: true, claimedReason: 'expired' })
  seller.paid = sold
  expect((await paying()).payment).toMatchObject({ state: 'settled', repeated: false })
  expect(distinct()).toBe(2)
  expect(ledger.read().map(({ state }) => state)).toEqual(['refused', 'settled'])
})

test('one that was used for a sale whose answer is lost is not presented again: a seller that keeps nothing has none', async () => {
  seller.paid = lost
  await paying().catch(() => {})
  seller.paid = (answer) => answer.writeHead(402).end('{"error":"invalid_exact_evm_nonce_already_used"}')
  expect((await paying()).payment).toMatchObject({ state: 'unknown', repeated: true, repeatable: false })
  seller.paid = sold
  expect((await paying()).payment).toMatchObject({ state: 'settled', repeated: false })
})

test('one that the seller calls pending in a 402 is presented again', async () => {
  seller.paid = (answer) => answer.writeHead(402, { 'payment-response': PENDING }).end('{}')
  expect((await paying()).payment).toMatchObject({ state: 'unknown', repeatable: true })
  seller.paid = sold
  expect((await paying()).payment).toMatchObject({ state: 'settled', repeated: true, repeatable: false })
})

test('a limit that is used up keeps nobody from asking for what was paid', async () => {
  const wallet = { account, ledger, policy: SpendingPolicy.parse({ perDayUsd: '0.10' }) }
  seller.paid = lost
  await pay(wallet, seller.url).catch(() => {})
  seller.paid = sold
  expect((await pay(wallet, seller.url)).payment).toMatchObject({ state: 'settled', repeated: true })
})

test('the signature is kept until the outcome is known, and no longer', async () => {
  seller.paid = lost
  await paying().catch(() => {})
  expect(readFileSync(ledger.file, 'utf8')).toContain(seller.presented[0])
  seller.paid = sold
  await paying()
  expect(readFileSync(ledger.file, 'utf8')).not.toContain(seller.presented[0])
})

test('a ledger of the previous release has no signature to present', async () => {
  seller.paid = lost
  await paying().catch(() => {})
  const [{ presented: _, request: __, pid: ___, ...old } = {}] = ledger.read()
  writeFileSync(ledger.file, `${JSON.stringify(old)}\n`)
  seller.paid = sold
  expect((await paying()).payment?.repeated).toBe(false)
})
