import { eventName, listings as operations, settlementObserved } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { type Hex, isoTime } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, goLive, keyOf, openStage, publishAs, type Stage, splitterOf, withdrawAs } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

const credited = () =>
  stage.database.query<{ slug: string; kind: string }>('select slug, kind from listings.settlement order by tx_hash')

/** Has a payment to a splitter observed. */
async function pay(number: number, payTo: string): Promise<void> {
  const data = settlementObserved.data.parse({
    ...{
      network: 'eip155:31337',
      txHash: hash(number),
      logIndex: 1,
      blockNumber: '10',
      blockHash: hash(1_000 + number),
    },
    ...{ observedAt: isoTime(stage.clock.now()), payer: wallet(5).address, payTo, asset: stage.devnet.usdc.address },
    ...{ amount: '10000', decimals: 6, nonce: hash(2_000 + number), facilitator: null },
  })
  await stage.services.bus.events.publish({
    ...{
      id: `told-${number}`,
      name: eventName(settlementObserved),
      key: data.txHash,
      sequence: number,
      source: 'test',
    },
    ...{ occurredAt: data.observedAt, data },
  })
}

test('a payment is attributed without what its wallet’s listings sell, however many it had and however long that is', async () => {
  const slug = await goLive(stage, 1, 'First')
  const { splitterAddress } = await splitterOf(stage, 1)
  // Whatever reads the column fails.
  await stage.database.query('alter table listings.listing rename column operations to unread')
  try {
    await pay(1, splitterAddress)
    await until('it is attributed', async () => (await credited()).length === 1)
    expect(await credited()).toEqual([{ slug, kind: 'call' }])
  } finally {
    await stage.database.query('alter table listings.listing rename column unread to operations')
  }
})

test('a listing that was withdrawn shares nothing with one that is published after it', async () => {
  const slug = await goLive(stage, 2, 'Second')
  const urls = [stage.provider.url('/second')]
  const beside = await publishAs(stage, 2, { name: 'Beside', urls })
  expect(beside).toMatchObject({ warnings: [{ code: 'shared_resource', message: expect.stringContaining(slug) }] })
  await withdrawAs(stage, 2, 'beside')
  await withdrawAs(stage, 2, slug)
  expect(await publishAs(stage, 2, { name: 'Third', urls })).toMatchObject({ warnings: [] })
})

test('what a listing asks is kept once, however often its texts change', async () => {
  const slug = await goLive(stage, 3, 'Edited')
  const asked = () =>
    stage.database.query<{ prices: number }>(
      `select jsonb_array_length(prices) as prices from listings.asked where slug = $1 order by version`,
      [slug],
    )
  for (const description of ['One.', 'Two.', 'Three.']) {
    granted(await stage.services.call(operations.edit, { slug, description }, { caller: keyOf(3) }))
  }
  expect(await asked()).toEqual([{ prices: 1 }])
  for (const action of ['suspend', 'revise', 'activate'] as const) granted(await act(stage, 3, slug, action))
  expect(await asked()).toEqual([{ prices: 1 }, { prices: 0 }, { prices: 1 }])
})
