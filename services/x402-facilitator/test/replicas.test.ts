import { once } from 'node:events'
import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'
import { startChild } from './killed.ts'

let exchange: Exchange
let replicas: TestServices[]

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  replicas = [await exchange.start(), await exchange.start()]
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await exchange.close()
})

const count = async (table: string) =>
  (await exchange.database.query(`select count(*)::int as n from x402_facilitator.${table}`))[0]?.n

test('one payment at two replicas, many times at once: one transaction, equal answers', async () => {
  const signed = await exchange.pay(wallet(1))
  const before = await count('transaction')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => replicas[index % 2]?.call(operations.settle, signed)),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ success: true })
  expect((await count('transaction')) - before).toBe(1)
  expect(await exchange.uses(signed)).toBe(1)
})

test('many payments at two replicas: all settled, and no chain nonce is assigned twice', async () => {
  const payers = Array.from({ length: 24 }, (_, index) => wallet(300 + index))
  for (const { address } of payers) await exchange.fund(address, 10_000n)
  const signed = await Promise.all(payers.map((payer) => exchange.pay(payer)))
  const answers = await Promise.all(
    signed.map((payment, index) => replicas[index % 2]?.call(operations.settle, payment)),
  )
  expect(answers.filter((answer) => answer && 'success' in answer && answer.success)).toHaveLength(24)
  const doubles = await exchange.database.query(
    `select lane, chain_nonce from x402_facilitator.transaction group by lane, chain_nonce having count(*) > 1`,
  )
  expect(doubles).toEqual([])
})

test('two payments of one payer with the balance of one, at two replicas: only one is settled', async () => {
  const payer = await exchange.funded(10_000n)
  const both = [await exchange.pay(payer), await exchange.pay(payer)]
  const answers = await Promise.all(both.map((payment, index) => replicas[index]?.call(operations.settle, payment)))
  expect(answers).toContainEqual(expect.objectContaining({ success: true }))
  const errorReason = 'invalid_exact_evm_insufficient_balance'
  expect(answers).toContainEqual(expect.objectContaining({ success: false, errorReason }))
  const nonces = both.map(({ paymentPayload }) => paymentPayload.payload.authorization.nonce)
  const reasons = await exchange.database.query(
    'select reason from x402_facilitator.payment where nonce = any($1) and reason is not null',
    [nonces],
  )
  expect(reasons).toEqual([{ reason: 'invalid_exact_evm_insufficient_balance' }])
  expect((await Promise.all(both.map((payment) => exchange.uses(payment)))).toSorted()).toEqual([0, 1])
})

test('a balance that was read before another replica debited the payer is read again: refused, no gas is burned', async () => {
  const payer = await exchange.funded(10_000n)
  const [first, second] = [await exchange.pay(payer), await exchange.pay(payer)]
  expect(await replicas[1]?.call(operations.verify, second)).toMatchObject({ isValid: true })
  expect(await replicas[0]?.call(operations.settle, first)).toMatchObject({ success: true })
  const before = await count('transaction')
  expect(await replicas[1]?.call(operations.settle, second)).toMatchObject({
    ...{ success: false, errorReason: 'invalid_exact_evm_insufficient_balance' },
  })
  expect(await count('transaction')).toBe(before)
})

test('idle replicas take over the payment of a killed process, because its claim notified them', async () => {
  const signed = await exchange.pay(wallet(1))
  const { nonce } = signed.paymentPayload.payload.authorization
  const env = { ...exchange.env, DATABASE_URL: exchange.database.url }
  const child = await startChild(env, { name: 'claimed', payments: 1 })
  child.send(signed)
  await once(child, 'exit')
  await until('another process has settled it', async () => {
    const [row] = await exchange.database.query('select settled_tx from x402_facilitator.payment where nonce = $1', [
      nonce,
    ])
    return row?.settled_tx !== null
  })
  expect(await exchange.uses(signed)).toBe(1)
})

test('a replica that starts later replays the stored outcome', async () => {
  const signed = await exchange.pay(wallet(1))
  const first = await replicas[0]?.call(operations.settle, signed)
  const later = await exchange.start()
  expect(await later.call(operations.settle, signed)).toEqual(first)
  await later.stop()
  expect(await exchange.uses(signed)).toBe(1)
})
