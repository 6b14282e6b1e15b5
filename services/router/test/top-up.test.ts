import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import {
  type Caller,
  x402Facilitator as facilitator,
  router as operations,
  type PresentedPayment,
} from '@callboard/contract'
import { granted, runOnce, startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import type { Address, Hex } from '@callboard/values'
import { requestFingerprint } from '@callboard/x402'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  DECODE_PAY_TO,
  type Exchange,
  newNonce,
  openExchange,
  type Signed,
} from '../../x402-facilitator/test/exchange.ts'
import type { RouterContext } from '../src/context.ts'
import { router } from '../src/index.ts'
import { forgetTopUps } from '../src/jobs/forget-top-ups.ts'
import { sweep, untilCredited } from './sweep.ts'

const BASE_URL = 'http://127.0.0.1:8402'
const USD = 1_000_000n
let exchange: Exchange
let env: Record<string, string>
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 1_000 })
  env = { ...exchange.env, BASE_URL }
  services = await startTestServices([x402Facilitator, router], { databaseUrl: exchange.database.url, env })
})
afterEach(() => exchange.node.setAutomine(true))
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

let owners = 300
const newOwner = (): Extract<Caller, { kind: 'api_key' }> => {
  owners += 1
  return { kind: 'api_key', owner: wallet(owners).address, keyId: 'key' }
}

const paid = (usd: bigint): Promise<Signed> => exchange.pay(wallet(1), { amount: usd * USD, payTo: DECODE_PAY_TO })

/** Terms in the form of our own offer. */
const asOffered = (terms: Record<string, unknown>) => ({
  ...terms,
  extra: { ...(terms.extra as object), assetTransferMethod: 'eip3009' },
})

/** A payment as the gateway passes it on: bound to its request and its owner. */
const presented = (
  { paymentPayload, paymentRequirements }: Signed,
  amount: string,
  owner: Address,
): PresentedPayment => ({
  payload: { ...paymentPayload, accepted: asOffered(paymentRequirements) },
  x402Version: 2,
  requestFingerprint: requestFingerprint({ method: 'POST', url: `/api/router/top-up/${amount}`, owner }),
  resourceUrl: `${BASE_URL}/api/router/top-up/${amount}`,
})

const topUp = (signed: Signed, amount: '1' | '5' | '20' | '50', caller: Extract<Caller, { owner: Address }>) =>
  services.call(operations.topUp, { amount }, { caller, payment: presented(signed, amount, caller.owner) })

async function creditedTo(owner: Address): Promise<string> {
  const [row] = await exchange.database.query(
    'select purchased_nano::text as nano from router.balance where owner = $1',
    [owner],
  )
  return String(row?.nano ?? '0')
}

/** Whether the facilitator reports an owner's recorded payment as settled, asked as the sweep would. */
const isSettled = (owner: Address) => async () => {
  const [noted] = await exchange.database.query<{ key: string; fingerprint: Hex }>(
    'select payment_key as key, fingerprint from router.top_up where owner = $1',
    [owner],
  )
  if (!noted) throw new Error('no payment is noted')
  const asked = { operation: operations.topUp.id, paymentKey: noted.key, requestFingerprint: noted.fingerprint }
  return granted(await services.call(facilitator.purchaseState, asked)).state === 'settled'
}

/** The lease of a killed runner ends after five seconds, and what it had begun may need another one. */
const TAKEN_UP_MS = 45_000

async function sweptAndCredited(owner: Address): Promise<void> {
  await until('its payment is settled', isSettled(owner), TAKEN_UP_MS)
  expect(await untilCredited(services, exchange.database, owner)).toBe('1000000000')
}

const ledgerSum = async () => {
  const [row] = await exchange.database.query(
    'select coalesce(sum(amount_nano), 0)::text as sum from router.ledger_entry',
  )
  return row?.sum
}

describe('a payment for balance', () => {
  test('is credited once to its owner, however often and by however many callers it is presented', async () => {
    const owner = newOwner()
    const signed = await paid(5n)
    const answers = await Promise.all(Array.from({ length: 8 }, () => topUp(signed, '5', owner)))
    for (const answer of answers)
      expect(granted(answer)).toMatchObject({ result: { status: 'accepted', usd: 5, owner: owner.owner } })
    expect(await creditedTo(owner.owner)).toBe('5000000000')
    expect(await exchange.uses(signed)).toBe(1)
    expect(await ledgerSum()).toBe('0')
  })

  test('counts for the network of whoever presents it', async () => {
    const owner = newOwner()
    const signed = await paid(1n)
    const requester = { address: '192.0.2.77', userAgent: null }
    const payment = { ...presented(signed, '1', owner.owner), requester }
    granted(await services.call(operations.topUp, { amount: '1' }, { caller: owner, payment }))
    expect(await exchange.rowOf(signed)).toMatchObject({ origin: '192.0.2.0/24' })
  })

  test('409 payment_conflict: presented for another owner, who gets nothing', async () => {
    const [first, second] = [newOwner(), newOwner()]
    const signed = await paid(1n)
    granted(await topUp(signed, '1', first))
    expect(await topUp(signed, '1', second)).toMatchObject({ refusal: 'payment_conflict' })
    expect([await creditedTo(first.owner), await creditedTo(second.owner)]).toEqual(['1000000000', '0'])
  })

  test('402 with the offer: presented for another tier than it pays for, and nothing is settled', async () => {
    const owner = newOwner()
    const signed = await paid(1n)
    expect(await topUp(signed, '5', owner)).toMatchObject({
      refusal: 'payment_required',
      details: { paymentRequired: { accepts: [{ amount: '5000000', payTo: DECODE_PAY_TO }] } },
    })
    expect(await exchange.uses(signed)).toBe(0)
    expect(await creditedTo(owner.owner)).toBe('0')
  })
})

describe('the sweep', () => {
  /** Times as the service writes them: in whole milliseconds. */
  const NOW = "date_trunc('milliseconds', now())"

  /** As if a minute had passed since these owners' payments were presented. */
  const minuteLater = (...owners: Address[]) =>
    exchange.database.query(
      `update router.top_up set created_at = created_at - interval '1 minute', due_at = due_at - interval '1 minute'
       where owner = any($1)`,
      [owners],
    )
  /** A payment that is settled for an owner but was not credited. */
  async function leftBehind(owner = newOwner().owner, amount = '1000000000', by = paid(1n)): Promise<Address> {
    const signed = await by
    const payment = presented(signed, '1', owner)
    const { id, summary } = operations.topUp
    const asked = { operation: id, owner, description: summary, priceUsd: '1' }
    const { paymentKey } = granted(await services.call(facilitator.purchase, asked, { payment }))
    await exchange.database.query(
      `insert into router.top_up (payment_key, fingerprint, owner, amount_nano, network, state, created_at, due_at)
       values ($1, $2, $3, $5, $4, 'pending', ${NOW} - interval '31 seconds', now() - interval '1 second')`,
      [paymentKey, payment.requestFingerprint, owner, exchange.network, amount],
    )
    return owner
  }

  test('credits a payment queued behind more worthless ones than it checks at once', async () => {
    const { owner: thirdParty } = newOwner()
    const signed = await paid(1n)
    const { authorization } = signed.paymentPayload.payload
    await Promise.all(
      Array.from({ length: 101 }, async () => {
        const payload = { ...signed.paymentPayload.payload, authorization: { ...authorization, nonce: newNonce() } }
        const forged = { ...signed, paymentPayload: { ...signed.paymentPayload, payload } }
        expect(await topUp(forged, '1', { ...newOwner(), owner: thirdParty })).toMatchObject({
          refusal: 'payment_required',
        })
      }),
    )
    await minuteLater(thirdParty)
    await sweptAndCredited(await leftBehind())
    expect(await creditedTo(thirdParty)).toBe('0')
  }, 60_000)

  test('credits a payment under way before invented ones that have long been due', async () => {
    const [{ owner: thirdParty }, owner] = [newOwner(), newOwner()]
    const signed = await paid(1n)
    await exchange.node.setAutomine(false)
    expect(await topUp(signed, '1', owner)).toMatchObject({ refusal: 'settlement_pending' })
    await exchange.node.mine({ blocks: 1 })
    await exchange.database.query(
      `insert into router.top_up (payment_key, fingerprint, owner, amount_nano, network, state, created_at, due_at)
       select 'invented/' || n, 'none', $1, 1, $2, 'pending', ${NOW} - interval '4 minutes', now() - interval '3 minutes'
       from generate_series(1, 3000) as n`,
      [thirdParty, exchange.network],
    )
    await sweptAndCredited(owner.owner)
    const due = 'select count(*)::int as due from router.top_up where owner = $1 and due_at <= now()'
    const [left] = await exchange.database.query<{ due: number }>(due, [thirdParty])
    expect(left?.due).toBeGreaterThan(1_500)
    await exchange.database.query('delete from router.top_up where owner = $1', [thirdParty])
  }, 90_000)

  test('continues past a credit that always fails, which is counted as uncredited and retried less often', async () => {
    const rich = await leftBehind()
    await sweptAndCredited(rich)
    // Together with what is there, it exceeds the maximum of a balance.
    await leftBehind(rich, String(2n ** 63n - 1n))
    await sweptAndCredited(await leftBehind())
    await until('it is awaited, and asked for later', async () => {
      const [stuck] = await exchange.database.query(
        `select awaited and due_at > now() as later from router.top_up where owner = $1 and state = 'pending'`,
        [rich],
      )
      return stuck?.later
    })
    await exchange.database.query("delete from router.top_up where owner = $1 and state = 'pending'", [rich])
  }, 70_000)

  test('rechecks what is not a payment less and less often, and no more at once than one run affords', async () => {
    const { owner: thirdParty } = newOwner()
    await exchange.database.query(
      `insert into router.top_up (payment_key, fingerprint, owner, amount_nano, network, state, created_at, due_at)
       select 'none/' || n, 'none', $1, 1, $2, 'pending', ${NOW} - interval '4 minutes', now() - interval '2 minutes'
       from generate_series(1, 1100) as n`,
      [thirdParty, exchange.network],
    )
    await sweep(services)
    const [after] = await exchange.database.query<{ due: number; soonest: number }>(
      `select count(*) filter (where due_at <= now())::int as due,
        (extract(epoch from min(due_at) filter (where due_at > now() + interval '31 seconds') - now()))::float8 as soonest
       from router.top_up where owner = $1`,
      [thirdParty],
    )
    // One run, and perhaps part of the next scheduled one.
    expect(after?.due).toBeGreaterThanOrEqual(100)
    expect(after?.due).toBeLessThanOrEqual(600)
    expect(after?.soonest).toBeGreaterThan(200)
    await exchange.database.query('delete from router.top_up where owner = $1', [thirdParty])
  }, 40_000)

  test('keeps no record of an invalid payment, and that of one that failed for a month', async () => {
    const [thirdParty, owner] = [newOwner(), newOwner()]
    const signed = await paid(1n)
    const { signature } = (await paid(1n)).paymentPayload.payload
    const payload = { ...signed.paymentPayload.payload, signature }
    const forged = { ...signed, paymentPayload: { ...signed.paymentPayload, payload } }
    expect(await topUp(forged, '1', thirdParty)).toMatchObject({ refusal: 'payment_required' })
    const poor = await exchange.pay(await exchange.funded(1n), { amount: USD, payTo: DECODE_PAY_TO })
    expect(await topUp(poor, '1', owner)).toMatchObject({ refusal: 'payment_required' })
    const statesOf = async (of: Address) =>
      (await exchange.database.query<{ state: string }>('select state from router.top_up where owner = $1', [of])).map(
        ({ state }) => state,
      )
    expect([await statesOf(thirdParty.owner), await statesOf(owner.owner)]).toEqual([['pending'], ['pending']])
    await exchange.database.query(
      "update router.top_up set created_at = created_at - interval '2 hours', due_at = now() - interval '1 second' where owner = any($1)",
      [[thirdParty.owner, owner.owner]],
    )
    await sweep(services)
    await until('it is given up', async () => (await statesOf(owner.owner))[0] === 'failed')
    await until('it is forgotten', async () => (await statesOf(thirdParty.owner)).length === 0)
    const forget = () => runOnce(forgetTopUps, services.contexts.get('router') as unknown as RouterContext)
    await forget()
    expect(await statesOf(owner.owner)).toEqual(['failed'])
    await exchange.database.query(
      "update router.top_up set created_at = created_at - interval '31 days' where owner = $1",
      [owner.owner],
    )
    await forget()
    expect(await statesOf(owner.owner)).toEqual([])
  }, 60_000)

  test('credits by our own offer a payment that its payer had settled as one that counts only when final', async () => {
    const terms = { amount: USD, payTo: DECODE_PAY_TO }
    const final = await exchange.pay(wallet(1), { ...terms, confirmation: 'finalized' })
    const settling = services.call(facilitator.settle, final)
    const { nonce } = final.paymentPayload.payload.authorization
    const isMined = "select 1 from x402_facilitator.payment where nonce = $1 and state = 'mined'"
    await until('it is in a block', async () => (await exchange.database.query(isMined, [nonce]))[0])
    const ours = { ...final, paymentRequirements: exchange.requirement(terms) }
    const owner = await leftBehind(newOwner().owner, '1000000000', Promise.resolve(ours))
    await sweptAndCredited(owner)
    const [row] = await exchange.database.query('select transaction from router.top_up where owner = $1', [owner])
    expect(row?.transaction).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await settling).toMatchObject({ errorReason: 'settlement_pending' })
  }, 60_000)

  test('credits a payment that failed in one block when that block is removed and another includes it', async () => {
    const owner = newOwner()
    const payer = await exchange.funded(USD)
    const terms = { amount: USD, payTo: DECODE_PAY_TO }
    const signed = await exchange.pay(payer, terms)
    await exchange.node.setAutomine(false)
    const answer = topUp(signed, '1', owner)
    await exchange.isSent()
    await exchange.submitDear(await exchange.pay(payer, { amount: USD, payTo: wallet(3).address }))
    await exchange.node.mine({ blocks: 1 })
    expect(await answer).toMatchObject({ refusal: 'settlement_pending' })
    await exchange.node.setAutomine(true)
    await minuteLater(owner.owner)
    await sweptAndCredited(await leftBehind())
    await exchange.node.request({ method: 'anvil_reorg', params: [2, []] } as never)
    await sweptAndCredited(owner.owner)
    expect(await exchange.uses(signed)).toBe(1)
  }, 90_000)
})

describe('a process killed during a top-up', () => {
  test.each(['x402-facilitator:settled', 'router:settled', 'router:credited'])(
    'at %s: the sweep credits the payment once, and a repeat changes nothing',
    async (failpoint) => {
      const owner = newOwner()
      const signed = await paid(1n)
      const child = fork(join(inject('programs'), 'top-up-child.mjs'), {
        env: { ...process.env, ...env, DATABASE_URL: exchange.database.url, FAILPOINT: failpoint },
        execArgv: ['--import', import.meta.resolve('@callboard/testkit/kill-at-failpoint')],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
      expect(word).toBe('ready')
      const ended = once(child, 'exit')
      const meta = { caller: owner, payment: presented(signed, '1', owner.owner) }
      child.send({ input: { amount: '1' }, meta })
      expect(await ended).toEqual([null, 'SIGKILL'])
      await sweptAndCredited(owner.owner)
      granted(await topUp(signed, '1', owner))
      expect(await creditedTo(owner.owner)).toBe('1000000000')
      expect(await exchange.uses(signed)).toBe(1)
      expect(await ledgerSum()).toBe('0')
    },
    2 * TAKEN_UP_MS,
  )
})
