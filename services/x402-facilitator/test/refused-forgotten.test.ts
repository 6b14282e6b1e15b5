import { x402Facilitator as operations, router } from '@callboard/contract'
import { granted, runOnce, type TestServices, until, wallet } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import pg from 'pg'
import type { HDAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { FacilitatorContext } from '../src/context.ts'
import { forgetCrowded, forgetRefused } from '../src/jobs/forget-refused.ts'
import { MOST_OF_NETWORK } from '../src/store/refused.repository.ts'
import { DECODE_PAY_TO, type Exchange, openExchange, type Signed } from './exchange.ts'

let exchange: Exchange
let services: TestServices
beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start()
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed): Promise<SettleResponse> =>
  granted(await services.call(operations.settle, signed))
const nonceOf = (signed: Signed) => signed.paymentPayload.payload.authorization.nonce
const kept = async () =>
  (await exchange.database.query('select nonce from x402_facilitator.payment')).map(({ nonce }) => nonce)

const forgetAfter = (days: number) =>
  runOnce(forgetRefused, services.contexts.get('x402-facilitator') as FacilitatorContext, days * DAY_MS)

test('a refused payment is deleted after thirty days and can be presented anew, and one that bought something is kept', async () => {
  const payer = await exchange.funded(1n)
  const [refused, bought] = [await exchange.pay(payer), await exchange.pay(payer)]
  const settled = await exchange.pay(wallet(1))
  for (const signed of [refused, bought]) {
    expect(await settle(signed)).toMatchObject({ errorReason: 'invalid_exact_evm_insufficient_balance' })
  }
  expect(await settle(settled)).toMatchObject({ success: true })
  await exchange.database.query(
    `insert into x402_facilitator.grant_binding (payment_key, operation, fingerprint, result, created_at)
     select key, 'x402Facilitator.decode', 'f', '{}', now() from x402_facilitator.payment where nonce = $1`,
    [nonceOf(bought)],
  )
  await forgetAfter(29)
  expect(await kept()).toEqual(expect.arrayContaining([refused, bought, settled].map(nonceOf)))
  await forgetAfter(31)
  expect(await kept()).not.toContain(nonceOf(refused))
  expect(await kept()).toEqual(expect.arrayContaining([bought, settled].map(nonceOf)))
  await exchange.fund(payer.address, 10_000n)
  expect(await settle(refused)).toMatchObject({ success: true })
  expect(await exchange.uses(refused)).toBe(1)
})

test('of one network, the newest ten thousand refused payments are kept, and all of the last hour', async () => {
  const payer = await exchange.funded(1n)
  const from = async (address: string) => {
    const signed = await exchange.pay(payer)
    await services.call(operations.settle, { ...signed, requester: { address, userAgent: null } })
    return signed
  }
  const [old, recent, elsewhere] = [await from('192.0.2.1'), await from('192.0.2.2'), await from('198.51.100.1')]
  const setBack = (signed: Signed, ms: number) =>
    exchange.database.query(
      `update x402_facilitator.payment set updated_at = updated_at - $2 * interval '1 millisecond' where nonce = $1`,
      [nonceOf(signed), ms],
    )
  await setBack(old, 2 * HOUR_MS)
  await setBack(elsewhere, 2 * HOUR_MS)
  await setBack(recent, 30 * MINUTE_MS)
  const forget = () => runOnce(forgetCrowded, services.contexts.get('x402-facilitator') as FacilitatorContext)
  await forget()
  expect(await kept()).toEqual(expect.arrayContaining([old, recent, elsewhere].map(nonceOf)))
  const columns = (
    await exchange.database.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'x402_facilitator' and table_name = 'payment'`,
    )
  ).map(({ column_name: name }) => `"${name}"`)
  const copied = columns.map((name) =>
    name === '"key"' ? `key || '#' || n` : name === '"updated_at"' ? 'now()' : name,
  )
  await exchange.database.query(
    `insert into x402_facilitator.payment (${columns}) select ${copied}
       from x402_facilitator.payment, generate_series(1, ${MOST_OF_NETWORK}) n where nonce = $1`,
    [nonceOf(recent)],
  )
  await forget()
  expect(await kept()).toEqual(expect.arrayContaining([recent, elsewhere].map(nonceOf)))
  expect(await kept()).not.toContain(nonceOf(old))
  await exchange.database.query(`delete from x402_facilitator.payment where key like '%#%'`)
})

describe('a purchase that was refused', () => {
  const resourceUrl = 'https://callboard.example/api/router/top-up'

  /** A payment for a dollar of balance, and how it is presented under an identifier of its own. */
  async function purchaseOf(payer: HDAccount, id: string, at = services) {
    const asked = { operation: router.topUp.id, resourceUrl, priceUsd: '1' }
    const { accepts } = granted(await at.call(operations.offer, asked)).paymentRequired
    const signed = await exchange.pay(payer, { amount: 1_000_000n, payTo: DECODE_PAY_TO })
    const payload = {
      ...signed.paymentPayload,
      accepted: accepts[0],
      extensions: { 'payment-identifier': { info: { required: false, id } } },
    }
    const present = (from = at) =>
      from.call(
        operations.purchase,
        { operation: router.topUp.id, owner: payer.address, description: 'Balance', priceUsd: '1' },
        { payment: { payload, x402Version: 2, resourceUrl, requestFingerprint: `0x${'5e'.repeat(32)}` } },
      )
    return { signed, present }
  }

  /** How many payments, bindings and identifiers there are for a payment. */
  async function rowsOf(signed: Signed): Promise<unknown[]> {
    const of = (table: string, column: string) =>
      `(select count(*) from x402_facilitator.${table} where ${column} like '%' || lower($1))::int`
    const rows = await exchange.database.query(
      `select ${of('payment', 'key')} as a, ${of('grant_binding', 'payment_key')} as b, ${of('purchase_identifier', 'payment_key')} as c`,
      [nonceOf(signed)],
    )
    return Object.values(rows[0] ?? {})
  }

  /** A transaction in which rows of a payment are locked, and which `commit` ends. */
  async function locking(signed: Signed, tables: readonly string[], lock: 'share' | 'update') {
    const client = new pg.Client(exchange.database.url)
    await client.connect()
    onTestFinished(() => client.end())
    const of = (table: string) =>
      `x402_facilitator.${table} where ${table === 'payment' ? 'key' : 'payment_key'} like '%' || lower($1)`
    await client.query('begin')
    for (const table of tables) await client.query(`select from ${of(table)} for ${lock}`, [nonceOf(signed)])
    return {
      remove: async (table: string) => void (await client.query(`delete from ${of(table)}`, [nonceOf(signed)])),
      commit: () => client.query('commit'),
    }
  }

  const isWaitedFor = async () =>
    (await exchange.database.query("select from pg_stat_activity where wait_event_type = 'Lock'")).length > 0

  test('leaves nothing after thirty days, and can be presented anew: anyone may have one refused for nothing', async () => {
    const payer = await exchange.funded(1n)
    const { signed, present } = await purchaseOf(payer, 'refused-and-forgotten')
    expect(await present()).toMatchObject({ refusal: 'payment_required' })
    expect(await rowsOf(signed)).toEqual([1, 1, 1])
    await forgetAfter(29)
    expect(await rowsOf(signed)).toEqual([1, 1, 1])
    await forgetAfter(31)
    expect(await rowsOf(signed)).toEqual([0, 0, 0])
    await exchange.fund(payer.address, 1_000_000n)
    expect(await present()).toMatchObject({ settlement: { success: true } })
    await forgetAfter(31)
    expect(await rowsOf(signed)).toEqual([1, 1, 1])
  })

  describe('for want of gas', () => {
    /** A purchase that was given up before anything was signed. */
    async function givenUp(id: string) {
      // Less than one payment of a new payer may burn.
      const poor = await exchange.start({ GAS_PER_HOUR: '1000000' })
      onTestFinished(() => poor.stop())
      const purchase = await purchaseOf(await exchange.funded(1_000_000n), id, poor)
      expect(await purchase.present()).toMatchObject({ refusal: 'temporarily_unavailable' })
      return purchase
    }

    test('leaves nothing after thirty days, and can be presented anew: its payer may have any number given up', async () => {
      const { signed, present } = await givenUp('given-up-and-forgotten')
      expect(await rowsOf(signed)).toEqual([0, 1, 1])
      await forgetAfter(29)
      expect(await rowsOf(signed)).toEqual([0, 1, 1])
      await forgetAfter(31)
      expect(await rowsOf(signed)).toEqual([0, 0, 0])
      expect(await present(services)).toMatchObject({ settlement: { success: true } })
      await forgetAfter(31)
      expect(await rowsOf(signed)).toEqual([1, 1, 1])
    })

    test.each(['grant_binding', 'purchase_identifier'])(
      'stays while it is being presented again, which has locked its row of %s',
      async (table) => {
        const { signed } = await givenUp(`given-up-in-${table}`)
        const presenting = await locking(signed, [table], 'share')
        await forgetAfter(31)
        await presenting.commit()
        expect(await rowsOf(signed)).toEqual([0, 1, 1])
        await forgetAfter(31)
        expect(await rowsOf(signed)).toEqual([0, 0, 0])
      },
    )
  })

  test.each(['grant_binding', 'purchase_identifier'])(
    'stays while it is being presented again, which has locked its row of %s',
    async (table) => {
      const payer = await exchange.funded(1n)
      const { signed, present } = await purchaseOf(payer, `locked-in-${table}`)
      await present()
      const presenting = await locking(signed, [table], 'share')
      await forgetAfter(31)
      await presenting.commit()
      expect(await rowsOf(signed)).toEqual([1, 1, 1])
      await forgetAfter(31)
      expect(await rowsOf(signed)).toEqual([0, 0, 0])
    },
  )

  test('is settled and bound where it is presented in the moment in which its rows are deleted', async () => {
    const payer = await exchange.funded(1n)
    const { signed, present } = await purchaseOf(payer, 'deleted-meanwhile')
    await present()
    await exchange.fund(payer.address, 1_000_000n)
    const tables = ['purchase_identifier', 'grant_binding', 'payment']
    const forgetting = await locking(signed, tables, 'update')
    const presented = present()
    await until('it waits', isWaitedFor)
    for (const table of tables) await forgetting.remove(table)
    await forgetting.commit()
    expect(await presented).toMatchObject({ settlement: { success: true } })
    expect(await rowsOf(signed)).toEqual([1, 1, 1])
  })
})
