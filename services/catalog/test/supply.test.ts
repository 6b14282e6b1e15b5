import {
  listingChanged,
  type ObservedSplitter,
  type ObservedSupplyChange,
  catalog as operations,
  settlementObserved,
  splitterCreated,
  splitterReverted,
  supplyChanged,
  supplyReverted,
} from '@callboard/contract'
import { DAY_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { settleAll } from '../src/truth/meter.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, hash, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const place = (number: number) => ({
  ...{ network: BASE, txHash: hash(number), logIndex: 1, blockNumber: '9', blockHash: hash(9) },
  observedAt: isoTime(NOW),
})

describe('supply', () => {
  const change = (number: number, total: bigint, locked = 0n): ObservedSupplyChange => ({
    ...{ ...place(number), token: address(77), decimals: 18 },
    totalChange: (total * 10n ** 17n).toString(),
    lockedChange: (locked * 10n ** 17n).toString(),
  })
  const supply = async () => [
    await catalog.ask(operations.supplyTotal, {}),
    await catalog.ask(operations.supplyCirculating, {}),
  ]

  test('200: is 0 if nothing was minted', async () => expect(await supply()).toEqual(['0', '0']))

  test('is what was minted less what was burned, and staked tokens do not circulate', async () => {
    await catalog.deliver(supplyChanged, change(1, 1_000n))
    await catalog.deliver(supplyChanged, change(2, -5n))
    await catalog.deliver(supplyChanged, change(3, 0n, 200n))
    await catalog.deliver(supplyChanged, change(4, 0n, -50n))
    expect(await supply()).toEqual(['99.5', '84.5'])
  })

  test('a reverted change no longer counts, whichever event arrives first, and a repeated one counts once', async () => {
    await catalog.deliver(supplyReverted, change(1, 10n), { sequence: 8 })
    await catalog.deliver(supplyChanged, change(1, 10n), { sequence: 7 })
    expect(await supply()).toEqual(['0', '0'])
    await catalog.deliver(supplyChanged, change(1, 10n), { sequence: 9 })
    await catalog.deliver(supplyChanged, change(1, 10n), { sequence: 9 })
    expect(await supply()).toEqual(['1', '1'])
  })
})

test('a paying splitter’s wallet is learnt from the factory, and forgotten when its block leaves the chain', async () => {
  const wallet = address(600)
  const said: ObservedSplitter = { ...place(1), splitter: address(1), wallet }
  await catalog.deliver(listingChanged, snapshot('a', { updatedAt: isoTime(NOW - 20 * DAY_MS) }))
  for (let number = 1; number <= 4; number += 1)
    await catalog.deliver(settlementObserved, settlement(number, { payer: wallet }))
  const surviving = async () => {
    await settleAll(catalog.services.contexts.get('catalog') as CatalogContext)
    return (await catalog.ask(operations.stats, {})).totals.surviving.count
  }
  expect(await surviving()).toBe(4)
  await catalog.deliver(splitterCreated, said, { sequence: 5 })
  expect(await surviving()).toBe(0)
  await catalog.deliver(splitterReverted, said, { sequence: 6 })
  expect(await surviving()).toBe(4)
})

describe('wallet usage', () => {
  test('200: a wallet that called nothing has zeros', async () => {
    expect(await catalog.ask(operations.walletUsage, { wallet: address(599) })).toEqual({
      ...{ wallet: address(599), generatedAt: isoTime(NOW), listings: 0, transfers: { count: 0, volumeUsd: '0' } },
      total: { calls: 0, spentUsd: '0' },
      last24h: { calls: 0, spentUsd: '0' },
      last7d: { calls: 0, spentUsd: '0' },
      last30d: { calls: 0, spentUsd: '0' },
      firstCallAt: null,
      lastCallAt: null,
    })
  })

  test('calls and spending are totalled overall and by recent period, and transfers separately', async () => {
    await catalog.deliver(listingChanged, snapshot('a', { updatedAt: isoTime(NOW - 50 * DAY_MS) }))
    const ago = (days: number) => isoTime(NOW - days * DAY_MS)
    for (const [number, days] of [0, 3, 20, 40].entries())
      await catalog.deliver(settlementObserved, settlement(number + 1, { observedAt: ago(days) }))
    await catalog.deliver(settlementObserved, settlement(9, { amount: '777' }))
    await catalog.deliver(settlementObserved, settlement(10, { payer: address(501) }))
    expect(await catalog.ask(operations.walletUsage, { wallet: address(500) })).toMatchObject({
      ...{ listings: 1, transfers: { count: 1, volumeUsd: '0.000777' }, firstCallAt: ago(40), lastCallAt: ago(0) },
      total: { calls: 4, spentUsd: '0.04' },
      last24h: { calls: 1, spentUsd: '0.01' },
      last7d: { calls: 2, spentUsd: '0.02' },
      last30d: { calls: 3, spentUsd: '0.03' },
    })
  })

  test('400: the schema refuses a value that is not an address', () => {
    expect(operations.walletUsage.input.safeParse({ wallet: 'me' }).success).toBe(false)
  })
})
