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

const settle = (signed: Signed, address: string) =>
  services.call(operations.settle, { ...signed, requester: { address, userAgent: null } })

const onTheirWay = async () =>
  (await exchange.database.query("select 1 from x402_facilitator.payment where state in ('signed', 'broadcast')"))
    .length

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
