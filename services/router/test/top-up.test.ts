import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Caller, router as operations, type PresentedPayment } from '@callboard/contract'
import { granted, startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import type { Address } from '@callboard/values'
import { requestFingerprint } from '@callboard/x402'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { DECODE_PAY_TO, type Exchange, openExchange, type Signed } from '../../x402-facilitator/test/exchange.ts'
import { router } from '../src/index.ts'

const BASE_URL = 'http://127.0.0.1:8402'
const USD = 1_000_000n
let exchange: Exchange
let env: Record<string, string>
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
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

/** Terms as our own offer has them. */
const asOffered = (terms: Record<string, unknown>) => ({
  ...terms,
  extra: { ...(terms.extra as object), assetTransferMethod: 'eip3009' },
})

/** A payment as the gateway gives it on: bound to its request and its owner. */
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

const ledgerSum = async () => {
  const [row] = await exchange.database.query(
    'select coalesce(sum(amount_nano), 0)::text as sum from router.ledger_entry',
  )
  return row?.sum
}

describe('a payment for balance', () => {
  test('is credited once to its owner, however often and by how many it is presented', async () => {
    const owner = newOwner()
    const signed = await paid(5n)
    const answers = await Promise.all(Array.from({ length: 8 }, () => topUp(signed, '5', owner)))
    for (const answer of answers)
      expect(granted(answer)).toMatchObject({ result: { status: 'accepted', usd: 5, owner: owner.owner } })
    expect(await creditedTo(owner.owner)).toBe('5000000000')
    expect(await exchange.uses(signed)).toBe(1)
    expect(await ledgerSum()).toBe('0')
  })

  test('409 payment_conflict: for another owner, who gets nothing', async () => {
    const [first, second] = [newOwner(), newOwner()]
    const signed = await paid(1n)
    granted(await topUp(signed, '1', first))
    expect(await topUp(signed, '1', second)).toMatchObject({ refusal: 'payment_conflict' })
    expect([await creditedTo(first.owner), await creditedTo(second.owner)]).toEqual(['1000000000', '0'])
  })

  test('402 with the offer: of another tier than it pays for, and nothing is settled', async () => {
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

describe('killed', () => {
  test.each(['x402-facilitator:settled', 'router:settled', 'router:credited'])(
    'at %s: the sweep credits what was paid, once, and a repeat changes nothing',
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
      // As if half a minute had passed: the sweep leaves a payment to its handler for so long.
      await exchange.database.query(
        "update router.top_up set created_at = created_at - interval '1 minute' where owner = $1",
        [owner.owner],
      )
      await until('the sweep has credited it', async () => (await creditedTo(owner.owner)) === '1000000000', 30_000)
      granted(await topUp(signed, '1', owner))
      expect(await creditedTo(owner.owner)).toBe('1000000000')
      expect(await exchange.uses(signed)).toBe(1)
      expect(await ledgerSum()).toBe('0')
    },
  )
})
