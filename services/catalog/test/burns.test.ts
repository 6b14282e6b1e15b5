import { burnObserved, burnReverted, type ObservedBurn, catalog as operations } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { projectionTables } from '../src/index.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, hash } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.database.query(`truncate ${projectionTables.map((table) => `catalog.${table}`)}`))

/** A burn in its own block; a higher number is newer. */
const burned = (number: number, more: Partial<ObservedBurn> = {}): ObservedBurn => ({
  ...{
    network: BASE,
    txHash: hash(number),
    logIndex: 0,
    blockNumber: String(1_000 + number),
    blockHash: hash(9_000 + number),
  },
  ...{ observedAt: isoTime(NOW - HOUR_MS + number * 1_000), ledger: address(1), from: address(2), token: address(3) },
  ...{ amount: '1500000000000000000', decimals: 18, ...more },
})
const read = (query: { limit?: string; cursor?: string } = {}) => catalog.ask(operations.burns, query)
const numbers = (burns: readonly { txHash: string }[]) => burns.map(({ txHash }) => Number(txHash))
let sequence = 1_000
const next = () => ({ sequence: ++sequence, id: `burn-${sequence}` })

describe('burns', () => {
  test('none: nothing was burned', async () => {
    expect(await read()).toEqual({ generatedAt: isoTime(NOW), totalBurned: '0', burns: [] })
  })

  test('lists the newest first in whole tokens, with a total that is exact to the last unit', async () => {
    await catalog.deliver(burnObserved, burned(1), next())
    await catalog.deliver(burnObserved, burned(2, { amount: '1' }), next())
    const { totalBurned, burns } = await read({ limit: '1' })
    expect(totalBurned).toBe('1.500000000000000001')
    expect(burns).toEqual([
      {
        network: BASE,
        txHash: hash(2),
        blockNumber: '1002',
        observedAt: burned(2).observedAt,
        from: address(2),
        token: address(3),
        amount: '0.000000000000000001',
      },
    ])
  })

  test('pages follow each other, even when a burn arrives in between', async () => {
    for (const number of [1, 2, 3, 4, 5]) await catalog.deliver(burnObserved, burned(number), next())
    const first = await read({ limit: '2' })
    await catalog.deliver(burnObserved, burned(6), next())
    const second = await read({ limit: '2', cursor: first.nextCursor ?? '' })
    const third = await read({ limit: '2', cursor: second.nextCursor ?? '' })
    expect([first, second, third].map(({ burns }) => numbers(burns))).toEqual([[5, 4], [3, 2], [1]])
    expect(third.nextCursor).toBeUndefined()
  })

  test('400 names the cursor: one that a client made up', async () => {
    const refused = { refusal: 'invalid_request', field: 'cursor' }
    expect(await catalog.askAnyway(operations.burns, { cursor: 'abc' })).toMatchObject(refused)
  })
})

test('while burns arrive, the total equals that of the list', async () => {
  const whole = '1000000000000000000'
  let isOver = false
  const coming = (async () => {
    for (let number = 1; number <= 60; number += 1)
      await catalog.deliver(burnObserved, burned(number, { amount: whole }), next())
  })().finally(() => {
    isOver = true
  })
  const contradictions: string[] = []
  while (!isOver) {
    const { totalBurned, burns } = await read({ limit: '100' })
    if (totalBurned !== String(burns.length)) contradictions.push(`${totalBurned} of ${burns.length}`)
  }
  await coming
  expect(contradictions).toEqual([])
  expect(await read({ limit: '100' })).toMatchObject({ totalBurned: '60' })
})

test('a burn whose block left the chain is no longer shown, until it returns in another block', async () => {
  await catalog.deliver(burnObserved, burned(1), next())
  await catalog.deliver(burnReverted, burned(1), next())
  expect(await read()).toMatchObject({ totalBurned: '0', burns: [] })
  await catalog.deliver(burnObserved, burned(1, { blockNumber: '1007', blockHash: hash(77) }), next())
  expect(await read()).toMatchObject({ totalBurned: '1.5', burns: [{ blockNumber: '1007' }] })
})

test('the ledger is the same, in whatever order and however often the events arrive', async () => {
  const said = [
    { event: burnObserved, data: burned(1) },
    { event: burnReverted, data: burned(1) },
    { event: burnObserved, data: burned(1, { blockNumber: '1007' }) },
    { event: burnObserved, data: burned(2) },
    { event: burnReverted, data: burned(2) },
  ].map((one, sequence) => ({ ...one, sequence }))
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...said, ...said], { minLength: said.length }), async (heard) => {
      await catalog.empty()
      for (const [at, { event, data, sequence }] of [...heard, ...said.toReversed()].entries())
        await catalog.deliver(event, data, { sequence, id: `heard-${run}-${at}` })
      run += 1
      expect(await read()).toMatchObject({ totalBurned: '1.5', burns: [{ blockNumber: '1007' }] })
    }),
    { numRuns: 15 },
  )
})
