import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Signed, TransferAsked } from '../src/spending/entry.ts'
import { Ledger, type Ordered } from '../src/spending/ledger.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'

const policy = SpendingPolicy.parse({ perCallUsd: '1', perHourUsd: '2' })
const WALLET = `0x${'1'.repeat(40)}` as const
const asked: TransferAsked = {
  ...{ url: 'https://callboard.example', network: 'eip155:8453', payTo: WALLET },
  ...{ amount: 500_000n, toOwner: false },
}
let folder: string
let ledger: Ledger
let signatures = 0

beforeEach(() => {
  folder = temporaryFolder('callboard-orders-')
  ledger = new Ledger(join(folder, 'ledger.jsonl'))
  signatures = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sign = async (): Promise<Signed> => {
  signatures += 1
  const validBefore = String(Math.floor(Date.now() / 1_000) + 600)
  const nonce = `0x${String(signatures).padStart(64, '0')}` as const
  const authorization = { from: WALLET, to: WALLET, value: '1', validAfter: '0', validBefore, nonce }
  return { signature: nonce, authorization }
}
const order = (change: Partial<TransferAsked> = {}) => ledger.order(policy, { ...asked, ...change }, sign)
const made = async (change?: Partial<TransferAsked>) => (await order(change)) as Ordered

test('20 simultaneous orders with the same terms are one order, signed once', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => made()))
  expect(new Set(orders.map(({ signed }) => signed.signature)).size).toBe(1)
  expect(orders.filter(({ repeated }) => !repeated)).toHaveLength(1)
  expect(signatures).toBe(1)
})

test('20 simultaneous orders with different terms never exceed a limit together', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, (_, n) => order({ amount: 500_000n + BigInt(n) })))
  expect(orders.filter((one) => 'id' in one)).toHaveLength(3)
  expect(signatures).toBe(3)
})

test('a signature is kept until the outcome is known; the next order has a new one', async () => {
  const first = await made()
  await ledger.conclude(first.id, 'unknown')
  expect(await made()).toEqual({ ...first, repeated: true })
  await ledger.conclude(first.id, 'settled', { transaction: '0xabc' })
  expect(readFileSync(ledger.file, 'utf8')).not.toContain(first.signed.signature)
  expect((await made()).signed.signature).not.toBe(first.signed.signature)
})

test('an order with another amount, payee, network or service is a different order', async () => {
  const first = await made({ toOwner: true })
  const changes = [
    { amount: 1n },
    { payTo: `0x${'2'.repeat(40)}` },
    { network: 'eip155:1' },
    { url: 'https://b.example' },
  ]
  for (const change of changes) {
    const other = await made({ toOwner: true, ...change })
    expect(other.repeated).toBe(false)
    expect(other.id).not.toBe(first.id)
  }
})

test('a transfer to the owner has no limit and does not use up the limits', async () => {
  expect((await made({ toOwner: true, amount: 9_000_000n })).repeated).toBe(false)
  expect(await order({ amount: 1_000_000n })).toHaveProperty('id')
  expect(await order({ amount: 1_000_001n })).toMatchObject({ pay: false })
})

test('a refused order counts as long as its signature can be used', async () => {
  const { id } = await made({ amount: 1_000_000n })
  await ledger.conclude(id, 'refused')
  await made({ amount: 1_000_000n })
  expect(await order({ amount: 1n })).toMatchObject({ pay: false })
})
