import { randomBytes } from 'node:crypto'
import {
  type Caller,
  type EventDeclaration,
  eventName,
  listingChanged,
  listingRemoved,
  x402Facilitator as operations,
} from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type Address, isoTime } from '@callboard/values'
import { getAddress, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { DECODE_PAY_TO, type Exchange, openExchange } from './exchange.ts'

const HOUR = 100_000_000
const owner = wallet(4).address
const ROUTER_PAY_TO = wallet(3).address
const key: Caller = { kind: 'api_key', owner, keyId: 'key-1' }

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start({ GAS_PER_HOUR: String(HOUR), GAS_PER_DAY: String(10 * HOUR), ROUTER_PAY_TO })
})
afterEach(() => query('delete from x402_facilitator.gas_spent'))
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const query = (text: string, values: unknown[] = []) => exchange.database.query(text, values)
const freshAddress = (): Address => getAddress(toHex(randomBytes(20)))

interface Asked {
  readonly payTo?: Address
  readonly amount?: bigint
  readonly address?: string
  readonly caller?: Caller
}

/** Settles a payment of a known payer, unless another one is named. */
async function settle({ payTo = freshAddress(), amount = 10_000n, address, caller }: Asked = {}, payer = wallet(1)) {
  const signed = await exchange.pay(payer, { payTo, amount })
  const requester = address === undefined ? {} : { requester: { address, userAgent: null } }
  return services.call(operations.settle, { ...signed, ...requester }, caller ? { caller } : {})
}

/** Pays us with a new payer for a decoding, as the gateway presents the payment; the previous one names no address. */
async function decode(address?: string) {
  const resourceUrl = 'https://callboard.example/x402/decode'
  const { paymentRequired } = granted(
    await services.call(operations.offer, { operation: operations.decode.id, resourceUrl }),
  )
  const { paymentPayload } = await exchange.pay(await exchange.funded(1_000n), { amount: 1_000n, payTo: DECODE_PAY_TO })
  const payload = { ...paymentPayload, accepted: paymentRequired.accepts[0] }
  const requester = address === undefined ? {} : { requester: { address, userAgent: null } }
  const requestFingerprint = `0x${'5e'.repeat(32)}`
  return services.call(
    operations.decode,
    { payload: paymentPayload },
    { payment: { payload, x402Version: 2, resourceUrl, requestFingerprint, ...requester } },
  )
}

/** Books this share of the hour's budget as burned by an account a moment ago, and this share as wasted. */
async function spend(scope: string, subject: string, percent: number, wasted = 0) {
  await query('delete from x402_facilitator.gas_spent where scope = $1 and subject = $2', [scope, subject])
  await query(
    `insert into x402_facilitator.gas_spent (network, scope, subject, piece, spent, wasted)
      values ($1, $2, $3, date_trunc('hour', now()), $4, $5)`,
    [exchange.network, scope, subject, (HOUR * percent) / 100, (HOUR * wasted) / 100],
  )
}

let sequence = 0
const announce = (event: EventDeclaration, data: { slug: string }) => {
  sequence += 1
  return services.bus.events.publish({
    ...{ id: `test-${sequence}`, name: eventName(event), key: data.slug, sequence, source: 'listings' },
    ...{ occurredAt: isoTime(Date.now()), data },
  })
}

/** Announces a listing as the listings service does. */
async function list(
  slug: string,
  payTo: Address,
  more: { version?: number; status?: string; provenance?: string } = {},
) {
  const now = isoTime(Date.now())
  const { version = 1, status = 'live', provenance = 'self_listed' } = more
  await announce(listingChanged, {
    ...{ slug, version, name: slug, description: '', category: 'data', status, verification: 'none', group: 'added' },
    ...{ provenance, fee: { bps: 500, label: '5% network fee' }, operations: [], conformance: null },
    ...{ payTo: [{ network: exchange.network, address: payTo }], createdAt: now, listedAt: now, updatedAt: now },
  } as never)
  await until('the listing was seen', async () => {
    const [row] = await query('select version from x402_facilitator.listing where slug = $1', [slug])
    return Number(row?.version) === version
  })
}

const spentBy = (scope: string) => ({
  refusal: 'gas_budget_spent',
  details: { scope },
  retryAfterSeconds: expect.any(Number),
})
const ranLow = {
  refusal: 'temporarily_unavailable',
  details: { scope: 'chain' },
  retryAfterSeconds: expect.any(Number),
}
const settled = { success: true }

describe('429 gas_budget_spent', () => {
  test('payee: one payee without listing or key has its own budget; with a key its payments settle', async () => {
    const payTo = freshAddress()
    await spend('payee', payTo, 10)
    expect(await settle({ payTo })).toMatchObject(spentBy('payee'))
    expect(await settle({ payTo, caller: key })).toMatchObject(settled)
    expect(await settle()).toMatchObject(settled)
  })

  test('dust in the name of a payee uses up nothing of its budget: sending it costs next to nothing', async () => {
    const payTo = freshAddress()
    const booked = () => query("select subject from x402_facilitator.gas_spent where scope = 'payee'")
    expect(await settle({ payTo, amount: 1n })).toMatchObject(settled)
    expect(await booked()).toEqual([])
    expect(await settle({ payTo })).toMatchObject(settled)
    expect(await booked()).toEqual([{ subject: payTo }])
    await spend('payee', payTo, 10)
    expect(await settle({ payTo, amount: 1n })).toMatchObject(settled)
    expect(await settle({ payTo })).toMatchObject(spentBy('payee'))
  })

  test('owner: a key holder has its own budget', async () => {
    await spend('owner', owner, 30)
    expect(await settle({ caller: key })).toMatchObject(spentBy('owner'))
    expect(await settle()).toMatchObject(settled)
  })

  test('requester: a network has one budget, per IPv4 /24 or IPv6 /48, whatever address in it asks', async () => {
    await spend('requester', '192.0.2.0/24', 20)
    await spend('requester', '2001:db8:1::/48', 20)
    expect(await settle({ address: '192.0.2.77' })).toMatchObject(spentBy('requester'))
    expect(await settle({ address: '2001:db8:1:ffff::1' })).toMatchObject(spentBy('requester'))
    expect(await settle({ address: '198.51.100.77' })).toMatchObject(settled)
  })

  test('requester: all key holders of a network together have the budget of one, since a key is free', async () => {
    await spend('requester', '192.0.2.0/24', 29)
    const anew: Caller = { kind: 'api_key', owner: freshAddress(), keyId: 'key-2' }
    expect(await settle({ address: '192.0.2.77' })).toMatchObject(spentBy('requester'))
    expect(await settle({ address: '192.0.2.77', caller: key })).toMatchObject(settled)
    await spend('requester', '192.0.2.0/24', 30)
    for (const caller of [key, anew]) {
      expect(await settle({ address: '192.0.2.77', caller })).toMatchObject(spentBy('requester'))
      expect(await settle({ address: '198.51.100.77', caller })).toMatchObject(settled)
    }
  })

  test('requester: a network cannot use up the gas with payments to its own listing, and others are served', async () => {
    const payTo = freshAddress()
    await list('pays-itself', payTo)
    await spend('chain', '', 49)
    await spend('requester', '192.0.2.0/24', 49)
    expect(await settle({ payTo, address: '192.0.2.77' })).toMatchObject(settled)
    await spend('requester', '192.0.2.0/24', 50)
    for (const caller of [undefined, key]) {
      const refused = await settle({ payTo, address: '192.0.2.77', ...(caller ? { caller } : {}) })
      expect(refused).toMatchObject(spentBy('requester'))
    }
    expect(await settle({ payTo, address: '198.51.100.77' })).toMatchObject(settled)
    expect(await settle({ payTo: ROUTER_PAY_TO, address: '192.0.2.77' })).toMatchObject(settled)
  })

  test('requester: new payers of a network waste its share with what we sell too, and not that of all others', async () => {
    await spend('requester', '192.0.2.0/24', 2, 2)
    expect(await decode('192.0.2.77')).toMatchObject(spentBy('requester'))
    for (const address of ['198.51.100.77', undefined]) {
      expect(await decode(address)).toMatchObject({ settlement: settled })
    }
    const booked = await query(
      "select subject from x402_facilitator.gas_spent where scope = 'requester' order by subject",
    )
    expect(booked).toEqual([{ subject: '192.0.2.0/24' }, { subject: '198.51.100.0/24' }])
  })

  test('a refused payment leaves no trace, and is settled once there is gas again', async () => {
    const payTo = freshAddress()
    const signed = await exchange.pay(wallet(1), { payTo })
    await spend('payee', payTo, 10)
    expect(await services.call(operations.settle, signed)).toMatchObject(spentBy('payee'))
    const { nonce } = signed.paymentPayload.payload.authorization
    expect(await query('select 1 from x402_facilitator.payment where nonce = $1', [nonce])).toEqual([])
    await query('delete from x402_facilitator.gas_spent')
    expect(await services.call(operations.settle, signed)).toMatchObject(settled)
  })
})

describe('a payment that waits for gas', () => {
  test('settlement_pending without a transaction, then given up if its budget is spent, and free to be presented again', async () => {
    const hasty = await exchange.start({ GAS_PER_HOUR: String(HOUR), SETTLE_WAIT_MS: '500' })
    const payTo = freshAddress()
    const payer = await exchange.funded(60_000n)
    const signed = await Promise.all(Array.from({ length: 6 }, () => exchange.pay(payer, { payTo })))
    await exchange.node.setAutomine(false)
    const answers = await Promise.all(signed.map((one) => hasty.call(operations.settle, one)))
    const waiting = answers.findIndex((answer) => 'transaction' in answer && answer.transaction === '')
    expect(answers[waiting]).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    await spend('payee', payTo, 100)
    await exchange.node.setAutomine(true)
    await exchange.node.mine({ blocks: 1 })
    await hasty.stop()
    const nonce = signed[waiting]?.paymentPayload.payload.authorization.nonce
    await until('it was given up', async () => {
      return (await query('select 1 from x402_facilitator.payment where nonce = $1', [nonce])).length === 0
    })
    await query('delete from x402_facilitator.gas_spent')
    const again = signed[waiting]
    expect(again && (await services.call(operations.settle, again))).toMatchObject(settled)
  })
})

describe('503 temporarily_unavailable, as the gas of a chain runs low', () => {
  test('anonymous payments stop first, key holders next, and payees of live listings last', async () => {
    const payTo = freshAddress()
    await list('last-served', payTo)
    await spend('chain', '', 75)
    expect(await settle()).toMatchObject(ranLow)
    expect(await settle({ caller: key })).toMatchObject(settled)
    await spend('chain', '', 90)
    expect(await settle({ caller: key })).toMatchObject(ranLow)
    expect(await settle({ payTo })).toMatchObject(settled)
    await spend('chain', '', 100)
    expect(await settle({ payTo })).toMatchObject(ranLow)
  })
})

describe('known payees', () => {
  const isServed = async (payTo: Address) => {
    await query('delete from x402_facilitator.gas_spent')
    await spend('chain', '', 75)
    return 'success' in (await settle({ payTo }))
  }

  test('include the payee of a listing while it is live, and ignore outdated events about it', async () => {
    const payTo = freshAddress()
    await list('shop', payTo, { version: 2 })
    expect(await isServed(payTo)).toBe(true)
    await announce(listingRemoved, { slug: 'shop', version: 1 } as never)
    await list('shop', payTo, { version: 3, status: 'suspended' })
    expect(await isServed(payTo)).toBe(false)
    await list('shop', payTo, { version: 4 })
    expect(await isServed(payTo)).toBe(true)
    await announce(listingRemoved, { slug: 'shop', version: 5 } as never)
    await until('it is gone', async () => !(await isServed(payTo)))
  })

  test('include the payees of what we sell ourselves, whatever others had settled to them', async () => {
    for (const payTo of [DECODE_PAY_TO, ROUTER_PAY_TO]) {
      expect(await isServed(payTo)).toBe(true)
      await spend('payee', payTo, 100)
      expect(await settle({ payTo })).toMatchObject(settled)
    }
  })

  test('are served first for no dust: it pays them nothing, and anyone can send it', async () => {
    const payTo = freshAddress()
    await list('dusted', payTo)
    for (const payee of [payTo, DECODE_PAY_TO]) {
      await spend('chain', '', 75)
      expect(await settle({ payTo: payee, amount: 999n })).toMatchObject(ranLow)
      expect(await settle({ payTo: payee, amount: 1_000n })).toMatchObject(settled)
      await query('delete from x402_facilitator.gas_spent')
      await spend('requester', '192.0.2.0/24', 20)
      const address = '192.0.2.77'
      expect(await settle({ payTo: payee, amount: 999n, address })).toMatchObject(spentBy('requester'))
      expect(await settle({ payTo: payee, amount: 1_000n, address })).toMatchObject(settled)
      await query('delete from x402_facilitator.gas_spent')
    }
  })

  test('exclude the payee of a row from an external catalogue, where anyone can be listed', async () => {
    const payTo = freshAddress()
    await list('mirrored', payTo, { provenance: 'indexed' })
    expect(await isServed(payTo)).toBe(false)
  })
})

describe('the books', () => {
  const creditOf = async (payer: Address) =>
    (await query('select credit from x402_facilitator.payer_credit where payer = $1', [payer]))[0]?.credit

  test('a settled payment at the floor earns credit; dust earns none, and its gas counts as wasted', async () => {
    const payer = await exchange.funded(2_000n)
    const payTo = freshAddress()
    expect(await settle({ amount: 1_000n, payTo }, payer)).toMatchObject(settled)
    expect(await creditOf(payer.address)).toBe(1)
    const gasOf = async () =>
      (await query('select spent, wasted from x402_facilitator.gas_spent where subject = $1', [payTo]))[0]
    const first = await gasOf()
    expect(Number(first?.spent)).toBeGreaterThan(0)
    expect(Number(first?.wasted)).toBe(0)
    expect(await settle({ amount: 999n, payTo }, payer)).toMatchObject(settled)
    expect(await creditOf(payer.address)).toBe(1)
    const second = await gasOf()
    expect(Number(second?.wasted)).toBe(Number(second?.spent) - Number(first?.spent))
  })

  test('a payment records who sponsors it and which network asked', async () => {
    const payTo = freshAddress()
    await settle({ payTo, address: '::ffff:192.0.2.9', caller: key })
    const [row] = await query(
      'select origin, sponsor, new_payer, exposure, legs, gas_limit from x402_facilitator.payment where pay_to = $1',
      [payTo],
    )
    expect(row).toEqual({
      ...{ origin: '192.0.2.0/24', sponsor: owner, exposure: 1, legs: 1 },
      ...{ new_payer: null, gas_limit: expect.anything() },
    })
  })
})
