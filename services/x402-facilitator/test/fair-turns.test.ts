import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { toHex } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, LANES, openExchange, type Signed } from './exchange.ts'

const DEPTH = 4
const FLOOD = 3 * DEPTH

let exchange: Exchange
let services: TestServices
beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start({
    FACILITATOR_KEYS: toHex(LANES[0]?.getHdKey().privateKey ?? new Uint8Array()),
    LANE_DEPTH: String(DEPTH),
    EXPOSURE_START: '100',
  })
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const query = (text: string, values: unknown[] = []) => exchange.database.query(text, values)

const settle = (signed: Signed, address: string) =>
  services.call(operations.settle, { ...signed, requester: { address, userAgent: null } })

const onTheirWay = async () =>
  (await query("select 1 from x402_facilitator.payment where state in ('signed', 'broadcast')")).length

test('a requester that names another builder code in each payment holds up nobody else’s payment', async () => {
  const coded = (code: string) =>
    exchange.pay(wallet(1), {}, { extensions: { 'builder-code': { info: { s: [code] } } } })
  const flood = await Promise.all(Array.from({ length: FLOOD }, (_, index) => coded(`code_${index}`)))
  const other = await exchange.pay(wallet(2))
  await exchange.node.setAutomine(false)
  try {
    const settling = [...flood.map((signed) => settle(signed, '192.0.2.1')), settle(other, '198.51.100.1')]
    await until('the first are on their way', async () => (await onTheirWay()) === DEPTH)
    const first = await Promise.all([...flood, other].map(exchange.rowOf))
    await exchange.node.setAutomine(true)
    await exchange.node.mine({ blocks: 1 })
    for (const answer of await Promise.all(settling)) expect(answer).toMatchObject({ success: true })
    expect(first.at(-1)?.tx_hash).toMatch(/^0x/)
  } finally {
    await exchange.node.setAutomine(true)
  }
})

test('while every account is busy, no more payments wait of one payer, or from one network, than ever', async () => {
  const [one, two, three] = [wallet(3), wallet(4), wallet(10)]
  for (const { address } of [one, two, three]) {
    await query('insert into x402_facilitator.payer_credit (network, payer, credit) values ($1, $2, 100)', [
      ...[exchange.network, address],
    ])
    await exchange.fund(address, 10_000_000n)
  }
  const coded = (index: number) =>
    exchange.pay(wallet(1), {}, { extensions: { 'builder-code': { info: { s: [`busy_${index}`] } } } })
  const first = await Promise.all(Array.from({ length: DEPTH }, (_, index) => coded(index)))
  const payments = (payer: typeof one, count: number) =>
    Promise.all(Array.from({ length: count }, () => exchange.pay(payer, { amount: 1_000n })))
  const [ofOne, ofTwo, ofThree] = await Promise.all([payments(one, 70), payments(two, 60), payments(three, 20)])
  const other = await exchange.pay(wallet(2))
  await exchange.node.setAutomine(false)
  try {
    const going = first.map((signed) => settle(signed, '203.0.113.1'))
    await until('all accounts are busy', async () => (await onTheirWay()) === DEPTH)
    const refused: unknown[] = []
    const waiting = [...ofOne, ...ofTwo, ...ofThree].map(async (signed) => {
      const answer = await settle(signed, '192.0.2.1')
      if ('refusal' in answer) refused.push(answer.details?.scope)
    })
    await until('those beyond the bounds are turned away', () => refused.length >= 22, 8_000)
    const settling = settle(other, '198.51.100.1')
    await exchange.node.setAutomine(true)
    await exchange.node.mine({ blocks: 1 })
    expect(await settling).toMatchObject({ success: true })
    await Promise.all([...going, ...waiting])
    expect(refused).toHaveLength(22)
    expect(refused).toContain('requester')
  } finally {
    await exchange.node.setAutomine(true)
  }
})
