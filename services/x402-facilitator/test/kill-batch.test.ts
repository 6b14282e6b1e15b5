import { once } from 'node:events'
import { x402Facilitator as operations } from '@callboard/contract'
import { until, wallet } from '@callboard/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, FINALIZED_AFTER, LANES, openExchange, type Signed } from './exchange.ts'
import { type KillAt, startChild } from './killed.ts'

const FINALITY_DEPTH = 4
const AMOUNT = 10_000n
let exchange: Exchange

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: FINALITY_DEPTH })
  await (await exchange.start()).stop()
})
afterEach(() => exchange.node.setAutomine(true))
afterAll(() => exchange.close())

const nonceOf = ({ paymentPayload: { payload } }: Signed) => payload.authorization.nonce
const rowsOf = (payments: readonly Signed[]) => Promise.all(payments.map((signed) => exchange.rowOf(signed)))

let payees = 600
/** Three payments by three payers to one payee that no other payment pays. */
async function threePayments() {
  const payTo = wallet(payees++).address
  const payments = await Promise.all([1, 2, 3].map((payer) => exchange.pay(wallet(payer), { payTo })))
  return { payTo, payments }
}

/** Settles payments together in a process that kills itself midway. */
async function killedAt(payments: readonly Signed[], killAt: KillAt, env: Record<string, string> = {}): Promise<void> {
  const child = await startChild({ ...exchange.env, ...env, DATABASE_URL: exchange.database.url }, killAt)
  const gone = once(child, 'exit')
  child.send(payments)
  expect((await gone)[1]).toBe('SIGKILL')
}

/**
 * Starts again, and waits until all of the payments have the outcome, each once. The leases of the dead process expire
 * at once; `kill.test.ts` shows that the next process waits for them.
 */
async function settledByTheNextStart(payments: readonly Signed[], payTo: `0x${string}`): Promise<void> {
  await exchange.database.query('update x402_facilitator.payment set lease_until = now() where lease_until > now()')
  const services = await exchange.start()
  try {
    for (const signed of payments) {
      const answer = await until('it has its outcome', async () => {
        const answer = await services.call(operations.settle, signed)
        return 'success' in answer && answer.errorReason !== 'settlement_pending' && answer
      })
      expect(answer).toMatchObject({ success: true, transaction: (await exchange.rowOf(signed))?.settled_tx })
      expect(await exchange.uses(signed)).toBe(1)
    }
    expect(await exchange.balanceOf(payTo)).toBe(BigInt(payments.length) * AMOUNT)
    const events = await exchange.database.query('select key from x402_facilitator.outbox where key = any($1)', [
      payments.map(nonceOf),
    ])
    expect(events).toHaveLength(payments.length)
  } finally {
    await services.stop()
  }
}

/** Makes every outcome so far final, so that the failpoint of finality is hit only by later payments. */
async function finalizeAll(): Promise<void> {
  await exchange.node.mine({ blocks: FINALIZED_AFTER })
  const services = await exchange.start()
  const open = "select 1 from x402_facilitator.payment where state not in ('final', 'failed')"
  await until('all is final', async () => (await exchange.database.query(open)).length === 0)
  await services.stop()
}

describe('kill -9 of three payments that share a transaction', { timeout: 90_000 }, () => {
  test.each<[KillAt['name'], number]>([
    ['claimed', 1],
    ['verified', 1],
    ['chosen', 3],
    ['stored', 3],
    ['sent', 3],
    ['seen', 3],
    ['settled', 3],
  ])('at %s: the next start settles each once', async (name, count) => {
    const { payments, payTo } = await threePayments()
    await killedAt(payments, { name, payments: count })
    const stood = await rowsOf(payments)
    const hashes = new Set(stood.map((row) => row?.tx_hash))
    const isStored = !['claimed', 'verified', 'chosen'].includes(name)
    expect(hashes.size).toBe(1)
    expect([...hashes][0] === null).toBe(!isStored)
    await settledByTheNextStart(payments, payTo)
    if (isStored) expect(new Set((await rowsOf(payments)).map((row) => row?.settled_tx))).toEqual(hashes)
  })

  test('at broadcast, with no block: the next start finds them in the next block', async () => {
    const { payments, payTo } = await threePayments()
    await exchange.node.setAutomine(false)
    await killedAt(payments, { name: 'broadcast', payments: 1 })
    await exchange.node.mine({ blocks: 1 })
    await exchange.node.setAutomine(true)
    await settledByTheNextStart(payments, payTo)
  })

  test('at repriced: the next start sends the dearer transaction, and it pays each once', async () => {
    const { payments, payTo } = await threePayments()
    await exchange.node.setAutomine(false)
    await killedAt(payments, { name: 'repriced', payments: 1 }, { REPRICE_AFTER_MS: '1000' })
    expect(new Set((await rowsOf(payments)).map((row) => row?.tx_hash)).size).toBe(1)
    await exchange.node.mine({ blocks: 1 })
    await exchange.node.setAutomine(true)
    await settledByTheNextStart(payments, payTo)
  })

  test('at displaced, after their chain nonce was used without us: they are signed again, under another one', async () => {
    const { payments, payTo } = await threePayments()
    const child = await startChild(
      { ...exchange.env, DATABASE_URL: exchange.database.url },
      { name: 'displaced', payments: 1 },
    )
    const gone = once(child, 'exit')
    // A process that has settled once counts the chain nonces itself.
    child.send(await exchange.pay(wallet(4)))
    await once(child, 'message')
    for (const lane of LANES) await exchange.useNonce(lane)
    child.send(payments)
    expect((await gone)[1]).toBe('SIGKILL')
    const free = (await rowsOf(payments)).filter((row) => row?.state === 'verified')
    expect(free.length).toBeGreaterThan(0)
    expect(free.every((row) => row?.lane === null && row?.tx_hash === null)).toBe(true)
    await settledByTheNextStart(payments, payTo)
  })

  test('at vanished, after a reorganisation: the next start sends the same transaction', async () => {
    const { payments, payTo } = await threePayments()
    await exchange.node.setAutomine(false)
    const child = await startChild(
      { ...exchange.env, DATABASE_URL: exchange.database.url },
      { name: 'vanished', payments: 3 },
    )
    const gone = once(child, 'exit')
    child.send(payments)
    await until('they are sent', async () => (await exchange.rowOf(payments[0] as Signed))?.state === 'broadcast')
    await exchange.node.mine({ blocks: 1 })
    await until('all are mined', async () => (await rowsOf(payments)).every((row) => row?.state === 'mined'))
    await exchange.node.request({ method: 'anvil_reorg', params: [1, []] } as never)
    expect((await gone)[1]).toBe('SIGKILL')
    await exchange.node.setAutomine(true)
    await settledByTheNextStart(payments, payTo)
  })

  test('at finalized: the outcomes stay unchanged', async () => {
    await finalizeAll()
    const { payments, payTo } = await threePayments()
    const child = await startChild(
      { ...exchange.env, DATABASE_URL: exchange.database.url },
      { name: 'finalized', payments: 3 },
    )
    const gone = once(child, 'exit')
    child.send(payments)
    await until('all are mined', async () => (await rowsOf(payments)).every((row) => row?.state === 'mined'))
    await exchange.node.mine({ blocks: FINALIZED_AFTER })
    await gone
    expect((await rowsOf(payments)).map((row) => row?.state)).toEqual(['final', 'final', 'final'])
    await settledByTheNextStart(payments, payTo)
  })
})

test('kill -9 after one leg’s failure was stored: that failure stands, and the others are settled once', async () => {
  const { payments, payTo } = await threePayments()
  const poor = await exchange.funded(AMOUNT)
  const failing = await exchange.pay(poor, { payTo })
  await exchange.node.setAutomine(false)
  const child = await startChild(
    { ...exchange.env, DATABASE_URL: exchange.database.url },
    { name: 'concluded', payments: 1 },
  )
  const gone = once(child, 'exit')
  child.send([...payments, failing])
  await until('they are sent', async () => (await exchange.rowOf(failing))?.state === 'broadcast')
  await exchange.submitDear(await exchange.pay(poor, { payTo: wallet(3).address }))
  await exchange.node.mine({ blocks: 1 })
  await gone
  await exchange.node.setAutomine(true)
  expect(await exchange.rowOf(failing)).toMatchObject({
    state: 'reverted',
    reason: 'invalid_exact_evm_insufficient_balance',
  })
  await settledByTheNextStart(payments, payTo)
  expect(await exchange.uses(failing)).toBe(0)
}, 90_000)
