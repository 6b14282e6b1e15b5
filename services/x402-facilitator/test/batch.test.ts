import { x402Facilitator as operations } from '@callboard/contract'
import { artifacts } from '@callboard/evm'
import { type TestServices, until, wallet } from '@callboard/testkit'
import type { Hex } from '@callboard/values'
import { parseBuilderCodeSuffix, type SettleResponse } from '@callboard/x402'
import { decodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, FINALIZED_AFTER, openExchange, type Signed } from './exchange.ts'

const FINALITY_DEPTH = 6
const AMOUNT = 10_000n
let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: FINALITY_DEPTH })
  services = await exchange.start()
})
afterEach(() => exchange.node.setAutomine(true))
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed, by = services) => (await by.call(operations.settle, signed)) as SettleResponse
const settleAll = (payments: readonly Signed[], by = services) =>
  Promise.all(payments.map((signed) => settle(signed, by)))
const threePayments = () => Promise.all([1, 2, 3].map((payer) => exchange.pay(wallet(payer))))
const hashesOf = (answers: readonly SettleResponse[]) => new Set(answers.map(({ transaction }) => transaction))
const sentTo = async (hash: string) => (await exchange.node.getTransaction({ hash: hash as Hex })).to
const isBroadcast = (signed: Signed) => async () => (await exchange.rowOf(signed))?.state === 'broadcast'
const contract = () => exchange.devnet.settlementBatch.toLowerCase()
const token = () => exchange.devnet.usdc.address.toLowerCase()

/**
 * Payments that are settled in as many transactions as they need together. On a busy machine some may come too late for
 * the others' one, and then others are made.
 */
async function settledIn(transactions: number, make: () => Promise<Signed[]>) {
  return until(`payments share ${transactions} transactions`, async () => {
    const payments = await make()
    const answers = await settleAll(payments)
    expect(answers.map(({ success }) => success)).toEqual(payments.map(() => true))
    return hashesOf(answers).size === transactions && { payments, answers }
  })
}

/** Payments on their way in one transaction that is not in a block yet. */
async function onTheirWay(payments: readonly Signed[]) {
  await exchange.node.setAutomine(false)
  const settling = settleAll(payments)
  for (const signed of payments) await until('it is sent', isBroadcast(signed))
  const rows = await Promise.all(payments.map((signed) => exchange.rowOf(signed)))
  const [hash] = new Set(rows.map((row) => row?.tx_hash as Hex))
  if (!hash) throw new Error('nothing was sent')
  return { settling, hash }
}

describe('payments that arrive at the same moment', () => {
  test('a single one is a plain transfer', async () => {
    const { transaction } = await settle(await exchange.pay(wallet(1)))
    expect(await sentTo(transaction)).toBe(token())
  })

  test('three share one transaction, and each has its own log index in the block', async () => {
    const { payments, answers } = await settledIn(1, threePayments)
    expect(await sentTo(answers[0]?.transaction ?? '')).toBe(contract())
    const rows = await Promise.all(payments.map((signed) => exchange.rowOf(signed)))
    expect(new Set(rows.map((row) => row?.log_index)).size).toBe(3)
    expect(await Promise.all(payments.map(exchange.uses))).toEqual([1, 1, 1])
  })

  test('only payments with equal builder codes share one, and the codes end its calldata', async () => {
    const coded = (payer: number, s: string) =>
      exchange.pay(wallet(payer), {}, { extensions: { 'builder-code': { info: { s: [s] } } } })
    const { answers } = await settledIn(2, () =>
      Promise.all([coded(1, 'one'), coded(2, 'one'), coded(1, 'two'), coded(2, 'two')]),
    )
    for (const [index, s] of ['one', 'one', 'two', 'two'].entries()) {
      const { input } = await exchange.node.getTransaction({ hash: answers[index]?.transaction as Hex })
      expect(parseBuilderCodeSuffix(input)).toEqual({ s: [s] })
      expect(decodeFunctionData({ abi: artifacts.settlementBatch.abi, data: input }).functionName).toBe('settle')
    }
  })

  test('a contract wallet goes alone, because its code could burn all the gas that it gets', async () => {
    const account = await exchange.deployWallet(wallet(2).address)
    await exchange.fund(account, AMOUNT)
    const payments = [await exchange.pay(wallet(2), {}, { from: account }), ...(await threePayments())]
    const answers = await settleAll(payments)
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(await sentTo(answers[0]?.transaction ?? '')).toBe(token())
    expect(hashesOf(answers.slice(1)).size).toBe(1)
    expect(hashesOf(answers).size).toBe(2)
  })

  test('as many share one transaction as the setting allows', async () => {
    const pairs = await exchange.start({ BATCH_PAYMENTS: '2' })
    const answers = await settleAll(await threePayments(), pairs)
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(hashesOf(answers).size).toBe(2)
    await pairs.stop()
  })

  test('each goes alone where the chain has no batch contract, or a different one at its address', async () => {
    for (const settlementBatch of [undefined, exchange.devnet.splitterFactory]) {
      const devnet = { ...JSON.parse(exchange.env.DEVNET ?? ''), settlementBatch }
      const singly = await exchange.start({ DEVNET: JSON.stringify(devnet) })
      const answers = await settleAll(await threePayments(), singly)
      expect(answers.every(({ success }) => success)).toBe(true)
      expect(hashesOf(answers).size).toBe(3)
      await singly.stop()
    }
  })

  test('payments gather while the account is busy, and then share one transaction', async () => {
    await services.stop()
    services = await exchange.start({ LANE_DEPTH: '1', SETTLE_WAIT_MS: '20000' })
    await exchange.node.setAutomine(false)
    const first = [await exchange.pay(wallet(1)), await exchange.pay(wallet(2))]
    const settling = [settleAll([first[0] as Signed])]
    await until('it is sent', isBroadcast(first[0] as Signed))
    settling.push(settleAll([first[1] as Signed]))
    await until('it is sent', isBroadcast(first[1] as Signed))
    const later = []
    for (const payer of [1, 2, 3]) {
      const signed = await exchange.pay(wallet(payer))
      later.push(signed)
      settling.push(settleAll([signed]))
      await until('it waits', async () => (await exchange.rowOf(signed))?.state === 'verified')
    }
    await exchange.node.mine({ blocks: 1 })
    await exchange.node.setAutomine(true)
    const answers = (await Promise.all(settling)).flat()
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(hashesOf(answers.slice(2)).size).toBeLessThan(3)
    await services.stop()
    services = await exchange.start()
  })
})

describe('a batch of three', () => {
  test('when one leg fails, it ends as it would alone, and the others are settled', async () => {
    const poor = await exchange.funded(AMOUNT)
    const failing = await exchange.pay(poor)
    const payments = [...(await threePayments()), failing]
    const { settling, hash } = await onTheirWay(payments)
    await exchange.submitDear(await exchange.pay(poor, { payTo: wallet(3).address }))
    await exchange.node.mine({ blocks: 1 })
    const answers = await settling
    expect(answers.slice(0, 3).map(({ success }) => success)).toEqual([true, true, true])
    expect(answers[3]).toMatchObject({ success: false, errorReason: 'settlement_pending', transaction: hash })
    expect((await exchange.node.getTransactionReceipt({ hash })).status).toBe('success')
    await exchange.node.setAutomine(true)
    await exchange.node.mine({ blocks: FINALIZED_AFTER })
    await until('the others are final', async () => (await exchange.rowOf(payments[0] as Signed))?.state === 'final')
    const reverted = { state: 'reverted', reason: 'invalid_exact_evm_insufficient_balance' }
    expect(await exchange.rowOf(failing)).toMatchObject(reverted)
  })

  test('when a third party submits one leg first, that transaction settles it, and ours settles the others', async () => {
    const payments = await threePayments()
    const { settling, hash } = await onTheirWay(payments)
    const foreign = await exchange.submitDear(payments[1] as Signed)
    await exchange.node.mine({ blocks: 1 })
    const answers = await settling
    expect(answers.map(({ success, transaction }) => [success, transaction])).toEqual([
      [true, hash],
      [true, foreign],
      [true, hash],
    ])
    expect(await Promise.all(payments.map(exchange.uses))).toEqual([1, 1, 1])
  })

  test('when the node drops it, the same transaction is sent again', async () => {
    const { settling, hash } = await onTheirWay(await threePayments())
    await exchange.node.dropTransaction({ hash })
    await until('the node has it again', () =>
      exchange.node.getTransaction({ hash }).then(
        () => true,
        () => false,
      ),
    )
    await exchange.node.mine({ blocks: 1 })
    expect(hashesOf(await settling)).toEqual(new Set([hash]))
  })

  test('when its fee becomes too low, one dearer transaction replaces it for all of them', async () => {
    await services.stop()
    services = await exchange.start({ REPRICE_AFTER_MS: '1000' })
    const payments = await threePayments()
    const { settling, hash } = await onTheirWay(payments)
    const { maxFeePerGas = 0n } = await exchange.node.getTransaction({ hash })
    await exchange.node.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas + maxFeePerGas / 10n })
    const replaced = async () => {
      const rows = await Promise.all(payments.map((signed) => exchange.rowOf(signed)))
      const [next, ...more] = new Set(rows.map((row) => row?.tx_hash as Hex))
      if (!next || next === hash || more.length > 0) return undefined
      const pooled = await exchange.node.getTransaction({ hash: next }).catch(() => undefined)
      return (pooled?.maxFeePerGas ?? 0n) > maxFeePerGas + maxFeePerGas / 10n ? next : undefined
    }
    await until('the node has the replacement', replaced)
    await exchange.node.mine({ blocks: 1 })
    const answers = await settling
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(hashesOf(answers).size).toBe(1)
    expect(hashesOf(answers)).not.toContain(hash)
    expect(await Promise.all(payments.map(exchange.uses))).toEqual([1, 1, 1])
  })

  test('when a reorganisation removes its block, it is sent again, and each payment is announced once for it', async () => {
    const payments = await threePayments()
    const answers = await settleAll(payments)
    const before = await exchange.rowOf(payments[0] as Signed)
    await exchange.node.request({ method: 'anvil_reorg', params: [1, []] } as never)
    for (const signed of payments) {
      await until('it stands in another block', async () => {
        const row = await exchange.rowOf(signed)
        return row?.state === 'mined' && row.block_hash !== before?.block_hash
      })
    }
    // A transaction with higher fees replaces it where this took longer than a fee is given.
    const transaction = (await exchange.rowOf(payments[0] as Signed))?.settled_tx
    expect(await settleAll(payments)).toEqual(answers.map((answer) => ({ ...answer, transaction })))
    expect(await Promise.all(payments.map(exchange.uses))).toEqual([1, 1, 1])
    const nonces = payments.map(({ paymentPayload }) => paymentPayload.payload.authorization.nonce)
    const events = await exchange.database.query('select key from x402_facilitator.outbox where key = any($1)', [
      nonces,
    ])
    // A settlement by another transaction is a separate settlement.
    expect(events).toHaveLength(transaction === before?.settled_tx ? 3 : 6)
  })

  test('when one payer pays twice with the balance of one, one is in it, and the other is refused without gas', async () => {
    const payer = await exchange.funded(AMOUNT)
    const both = [await exchange.pay(payer), await exchange.pay(payer)]
    const answers = await settleAll([...both, ...(await threePayments())])
    expect(answers.filter(({ success }) => success)).toHaveLength(4)
    expect(answers.find(({ success }) => !success)).toMatchObject({
      errorReason: 'invalid_exact_evm_insufficient_balance',
      transaction: '',
    })
  })
})
