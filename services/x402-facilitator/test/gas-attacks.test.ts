import { randomBytes } from 'node:crypto'
import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import type { Address, Hex } from '@callboard/values'
import { getAddress, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, LANES, openExchange, type Signed } from './exchange.ts'

/** 10 M gas per hour: 5 % of it, less the kept share, for all new payers together, and 6 % for those with code. */
const HOUR = 10_000_000
const SHARES = { kept: 30, payee: 30, requester: 60, wasted: 3, newPayers: 5, newContracts: 6 }
const anonymousPart = 1 - SHARES.kept / 100
const ofNewPayers = (HOUR * SHARES.newPayers * anonymousPart) / 100
const ofNewContracts = (HOUR * SHARES.newContracts * anonymousPart) / 100

/** `isValidSignature` accepts everything; later the account is made to burn all gas it gets. */
const SAYS_YES: Hex = `0x7f1626ba7e${'00'.repeat(28)}5f5260205ff3`
const BURNS: Hex = '0x5b5f56'

let exchange: Exchange
let replicas: TestServices[]
const honest = wallet(1)

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  const env = { GAS_PER_HOUR: String(HOUR), GAS_PER_DAY: String(10 * HOUR), GAS_SHARES: JSON.stringify(SHARES) }
  replicas = [await exchange.start(env), await exchange.start(env)]
  for (let payment = 0; payment < 6; payment++) await ask(await exchange.pay(honest), '203.0.113.1')
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await exchange.close()
})

let turn = 0
/** Asks the replicas in turn to settle, from an address. */
async function ask(signed: Signed, address: string, by = replicas): Promise<Record<string, unknown>> {
  const replica = by[turn++ % by.length]
  if (!replica) throw new Error('no replica runs')
  return (await replica.call(operations.settle, { ...signed, requester: { address, userAgent: null } })) as never
}

const query = (text: string, values: unknown[] = []) => exchange.database.query(text, values)
const isSettled = (answer: Record<string, unknown>) => answer.success === true
const freshAddress = (): Address => getAddress(toHex(randomBytes(20)))

/** Gas of all our accounts' transactions in blocks, according to the chain. */
async function burned(): Promise<number> {
  const sent = await query(`select hash from x402_facilitator.transaction`)
  const receipts = await Promise.all(
    sent.map(({ hash }) => exchange.node.getTransactionReceipt({ hash: hash as Hex }).catch(() => undefined)),
  )
  return receipts.reduce((sum, receipt) => sum + Number(receipt?.gasUsed ?? 0n), 0)
}

/** The same according to our books, and the wasted part of it. */
async function booked(scope = 'chain'): Promise<{ spent: number; wasted: number }> {
  const [row] = await query(
    `select coalesce(sum(spent), 0)::int as spent, coalesce(sum(wasted), 0)::int as wasted
      from x402_facilitator.gas_spent where scope = $1`,
    [scope],
  )
  return { spent: Number(row?.spent), wasted: Number(row?.wasted) }
}

const inFlightOf = async (payers: readonly Address[]) =>
  Number(
    (
      await query(
        `select count(*)::int as n from x402_facilitator.payment where payer = any($1) and state in ('signed', 'broadcast')`,
        [payers],
      )
    )[0]?.n,
  )

/** Runs `work` while no block is mined automatically: once the payers' payments are on their way, `spoil` is called. */
async function spoiling<T>(payers: readonly Address[], spoil: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  await exchange.node.setAutomine(false)
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  try {
    await until('a payment is on its way, or none will be', async () => isOver || (await inFlightOf(payers)) > 0)
    if (!isOver) await spoil()
    await until(
      'all have their answers',
      async () => {
        await exchange.node.mine({ blocks: 1 })
        return isOver
      },
      30_000,
    )
    return await working
  } finally {
    await exchange.node.setAutomine(true)
  }
}

const fundedMany = async (count: number, amount: bigint) => {
  const payers: HDAccount[] = []
  for (let payer = 0; payer < count; payer++) payers.push(await exchange.funded(amount))
  return payers
}

/** Moves a payer's money with a fee that puts the transfer first in the next block. */
const drain = async (payer: HDAccount, amount: bigint) => {
  await exchange.submitDear(await exchange.pay(payer, { amount, payTo: wallet(3).address }))
}

describe('gas cannot be had for free by many wallets over two replicas', () => {
  test('zero-value and self payments of empty wallets: none is sent', async () => {
    const before = await burned()
    const payers = Array.from({ length: 40 }, (_, index) => wallet(1_000 + index))
    const signed = await Promise.all(
      payers.flatMap((payer, index) => [
        exchange.pay(payer, { amount: 0n, payTo: payer.address }),
        exchange.pay(payer, { amount: 0n }),
        exchange.pay(payer, { payTo: LANES[index % LANES.length]?.address ?? payer.address }),
      ]),
    )
    const answers = await Promise.all(signed.map((one, index) => ask(one, `198.51.${index}.7`)))
    expect(answers.filter(isSettled)).toEqual([])
    for (const answer of answers) expect(answer).toMatchObject({ errorMessage: expect.any(String), transaction: '' })
    expect(await burned()).toBe(before)
  })

  test('one payer with 300 payments at once: only as many are sent as it may waste, and then it is refused', async () => {
    const roomy = { GAS_PER_HOUR: String(1_000 * HOUR), GAS_PER_DAY: String(10_000 * HOUR) }
    const own = [await exchange.start(roomy), await exchange.start(roomy)]
    const payer = await exchange.funded(10_000n)
    const signed = await Promise.all(Array.from({ length: 300 }, () => exchange.pay(payer, { amount: 33n })))
    const before = await booked()
    const answers = await spoiling(
      [payer.address],
      async () => {
        await until('as many are on their way as may be', async () => (await inFlightOf([payer.address])) === 5)
        await drain(payer, 10_000n)
      },
      () => Promise.all(signed.map((one) => ask(one, '192.0.2.1', own))),
    )
    expect(answers.filter(isSettled)).toEqual([])
    const sent = answers.filter(({ transaction }) => typeof transaction === 'string' && transaction !== '')
    expect(sent).toHaveLength(5)
    expect(answers).toContainEqual(
      expect.objectContaining({
        refusal: 'gas_budget_spent',
        details: { scope: 'payer' },
        retryAfterSeconds: expect.any(Number),
      }),
    )
    const { spent, wasted } = await booked()
    expect(wasted - before.wasted).toBe(spent - before.spent)
    expect(wasted - before.wasted).toBeLessThanOrEqual(5 * 200_000)
    await Promise.all(own.map((replica) => replica.stop()))
    await query(`delete from x402_facilitator.gas_spent`)
  })

  test('payments that wait for their turn delay no other payment, and only a limited number may wait', async () => {
    const payer = await exchange.funded(100n * 10n)
    const waiting = await Promise.all(Array.from({ length: 100 }, () => exchange.pay(payer, { amount: 10n })))
    const later = await exchange.pay(honest)
    const env = { LANE_DEPTH: '1', BATCH_PAYMENTS: '8', GAS_PER_HOUR: String(1_000 * HOUR) }
    const narrow = [await exchange.start(env)]
    await exchange.node.setAutomine(false)
    try {
      const settling = Promise.all(waiting.map((one) => ask(one, '192.0.2.1', narrow)))
      await until('the first are on their way', async () => (await inFlightOf([payer.address])) === 5)
      const own = ask(later, '203.0.113.1', narrow)
      await until('the later one is on its way', async () => (await inFlightOf([honest.address])) === 1)
      await exchange.node.setAutomine(true)
      await exchange.node.mine({ blocks: 1 })
      expect(await own).toMatchObject({ success: true })
      const refused = (await settling).filter(({ refusal }) => refusal !== undefined)
      expect(refused.length).toBeGreaterThanOrEqual(100 - 5 - 64)
      expect(refused[0]).toMatchObject({
        refusal: 'gas_budget_spent',
        details: { scope: 'payer' },
        retryAfterSeconds: 2,
      })
    } finally {
      await exchange.node.setAutomine(true)
      await Promise.all(narrow.map((replica) => replica.stop()))
      await query(`delete from x402_facilitator.gas_spent`)
    }
  })

  test('a burst of 50 payments of one new payer is settled in full, in turns', async () => {
    const payer = await exchange.funded(50n * 1_000n)
    const signed = await Promise.all(Array.from({ length: 50 }, () => exchange.pay(payer, { amount: 1_000n })))
    const answers = await Promise.all(signed.map((one) => ask(one, '192.0.2.1')))
    expect(answers.filter(isSettled)).toHaveLength(50)
    await query(`delete from x402_facilitator.gas_spent`)
  })

  test('fresh wallets whose money leaves first: together they waste no more than all new payers may', async () => {
    const scope = await booked('new_payers')
    const answers: Record<string, unknown>[] = []
    for (let round = 0; round < 4; round++) {
      const payers = await fundedMany(6, 30_000n)
      const signed = await Promise.all(
        payers.flatMap((payer) => [1, 2, 3].map(() => exchange.pay(payer, { payTo: freshAddress() }))),
      )
      answers.push(
        ...(await spoiling(
          payers.map(({ address }) => address),
          async () => {
            for (const payer of payers) await drain(payer, 30_000n)
          },
          () => Promise.all(signed.map((one, index) => ask(one, `198.18.${round}${index}.1`))),
        )),
      )
    }
    expect(answers.filter(isSettled)).toEqual([])
    const { wasted } = await booked('new_payers')
    expect(wasted - scope.wasted).toBeGreaterThan(0)
    expect(wasted - scope.wasted).toBeLessThanOrEqual(ofNewPayers)
    expect(answers).toContainEqual(
      expect.objectContaining({ refusal: 'temporarily_unavailable', details: { scope: 'new_payers' } }),
    )
  })

  test('fresh contract wallets that turn on us: together they burn no more than all new contracts may', async () => {
    const answers: Record<string, unknown>[] = []
    for (let round = 0; round < 4; round++) {
      const accounts = Array.from({ length: 3 }, freshAddress)
      for (const address of accounts) {
        await exchange.node.setCode({ address, bytecode: SAYS_YES })
        await exchange.fund(address, 10_000n)
      }
      const signed = await Promise.all(
        accounts.map((from) => exchange.pay(wallet(2), { payTo: freshAddress() }, { from })),
      )
      answers.push(
        ...(await spoiling(
          accounts,
          async () => {
            for (const address of accounts) await exchange.node.setCode({ address, bytecode: BURNS })
          },
          () => Promise.all(signed.map((one, index) => ask(one, `198.19.${round}${index}.1`))),
        )),
      )
    }
    expect(answers.filter(isSettled)).toEqual([])
    const { wasted } = await booked('new_contracts')
    expect(wasted).toBeGreaterThan(100_000)
    expect(wasted).toBeLessThanOrEqual(ofNewContracts)
    expect(answers).toContainEqual(
      expect.objectContaining({ refusal: 'temporarily_unavailable', details: { scope: 'new_contracts' } }),
    )
  })

  test('a known payer, and a new one that pays a listed payee, are still served', async () => {
    expect(await ask(await exchange.pay(honest), '203.0.113.1')).toMatchObject({ success: true })
    const payTo = freshAddress()
    await query(`insert into x402_facilitator.listing (slug, version) values ('shop', 1)`)
    await query(`insert into x402_facilitator.known_payee (network, address, slug) values ($1, $2, 'shop')`, [
      exchange.network,
      payTo,
    ])
    const newcomer = await exchange.funded(10_000n)
    expect(await ask(await exchange.pay(newcomer, { payTo }), '203.0.113.2')).toMatchObject({ success: true })
  })

  test('the books hold at least the gas that receipts show as burned, and stay below the budget', async () => {
    await query(`delete from x402_facilitator.gas_spent`)
    const before = await burned()
    const payers = await fundedMany(3, 10_000n)
    const signed = await Promise.all(payers.map((payer) => exchange.pay(payer)))
    const good = await Promise.all(Array.from({ length: 4 }, () => exchange.pay(honest)))
    await spoiling(
      payers.map(({ address }) => address),
      async () => {
        for (const payer of payers) await drain(payer, 10_000n)
      },
      () => Promise.all([...signed, ...good].map((one, index) => ask(one, `198.18.0.${index}`))),
    )
    const gas = (await burned()) - before
    const { spent } = await booked()
    expect(spent).toBeGreaterThanOrEqual(gas)
    expect(spent).toBeLessThanOrEqual(gas + signed.length + good.length)
    expect(gas).toBeLessThan(HOUR)
  })
})
