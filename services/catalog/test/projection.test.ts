import {
  listingChanged,
  listingRemoved,
  catalog as operations,
  probeCompleted,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, conformant, hash, mirrored, operation, probe, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const nameOf = async (slug: string) => {
  const answer = (await catalog.askAnyway(operations.entry, { serviceId: slug })) as { name?: string; refusal?: string }
  return answer.name ?? answer.refusal
}

/** The transactions of the ledger with the listing of each. */
const ledger = async () => {
  const { items } = await catalog.ask(operations.activity, { limit: 100 })
  return Object.fromEntries(items.map(({ txHash, listing }) => [Number(txHash), listing.ref]))
}

describe('listings', () => {
  test('an older snapshot never overwrites a newer one', async () => {
    await catalog.deliver(listingChanged, snapshot('a', { version: 2, name: 'Second' }))
    await catalog.deliver(listingChanged, snapshot('a', { version: 1, name: 'First' }))
    expect(await nameOf('a')).toBe('Second')
    await catalog.deliver(listingChanged, snapshot('a', { version: 3, name: 'Third' }))
    expect(await nameOf('a')).toBe('Third')
  })

  test.each(['draft', 'rejected', 'suspended'] as const)('a listing that is %s is shown nowhere', async (status) => {
    await catalog.deliver(listingChanged, snapshot('a', { status }))
    expect(await nameOf('a')).toBe('not_found')
    expect((await catalog.ask(operations.list, {})).calls).toEqual([])
    expect((await catalog.ask(operations.discovery, { includeUnverified: 'true' })).items).toEqual([])
  })

  test('a live listing without a price is not shown until an offer is read', async () => {
    const unread = { ...operation('a'), price: null, payment: null }
    await catalog.deliver(listingChanged, snapshot('a', { operations: [unread] }))
    expect(await nameOf('a')).toBe('not_found')
    await catalog.deliver(listingChanged, snapshot('a', { version: 2 }))
    expect(await nameOf('a')).toBe('a')
  })

  test('a removal holds against every snapshot up to its version, whichever comes first', async () => {
    await catalog.deliver(listingRemoved, { slug: 'a', version: 3 })
    await catalog.deliver(listingChanged, snapshot('a', { version: 2 }))
    expect(await nameOf('a')).toBe('not_found')
    await catalog.deliver(listingChanged, snapshot('a', { version: 3 }))
    expect(await nameOf('a')).toBe('not_found')
    await catalog.deliver(listingChanged, snapshot('a', { version: 4 }))
    expect(await nameOf('a')).toBe('a')
    await catalog.deliver(listingRemoved, { slug: 'a', version: 5 })
    expect(await nameOf('a')).toBe('not_found')
  })
})

describe('checks', () => {
  const checksOf = async (slug: string) => {
    const { liveness, conformance, lastCheckedAt } = await catalog.ask(operations.entry, { serviceId: slug })
    return { uptime: liveness.uptime7d, issues: conformance.issues, lastCheckedAt }
  }
  const week = (uptime7d: number) => ({ uptime7d, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 10 })

  test('that arrive before their listing count when it arrives', async () => {
    await catalog.deliver(probeCompleted, probe('a', { liveness: week(0.5) }))
    await catalog.deliver(listingChanged, snapshot('a'))
    expect(await checksOf('a')).toEqual({ uptime: 0.5, issues: [], lastCheckedAt: isoTime(NOW - HOUR_MS) })
  })

  test('an earlier check that arrives later changes nothing', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(probeCompleted, probe('a', { liveness: week(0.9) }))
    await catalog.deliver(probeCompleted, probe('a', { liveness: week(0.1), checkedAt: isoTime(NOW - 2 * HOUR_MS) }))
    expect(await checksOf('a')).toMatchObject({ uptime: 0.9, lastCheckedAt: isoTime(NOW - HOUR_MS) })
  })

  test('a listing conforms as far as all of its endpoints do', async () => {
    const other = 'https://a.example/other'
    await catalog.deliver(
      listingChanged,
      snapshot('a', { operations: [operation('a'), operation('a', { url: other })] }),
    )
    await catalog.deliver(
      probeCompleted,
      probe('a', { url: other, conformance: { ...conformant, versionConformant: false, issues: ['no_extra'] } }),
    )
    await catalog.deliver(probeCompleted, probe('a', { checkedAt: isoTime(NOW) }))
    expect(await checksOf('a')).toMatchObject({ issues: ['no_extra'], lastCheckedAt: isoTime(NOW) })
  })

  test('of an endpoint that the listing no longer has do not count', async () => {
    await catalog.deliver(probeCompleted, probe('a', { url: 'https://a.example/old' }))
    await catalog.deliver(listingChanged, snapshot('a'))
    expect(await checksOf('a')).toMatchObject({ uptime: 0, lastCheckedAt: null })
  })

  test('a mirrored listing is fresh for a day after the last check that found it up', async () => {
    await catalog.deliver(listingChanged, mirrored('a'))
    const found = async () => (await catalog.ask(operations.discovery, {})).items.length
    expect(await found()).toBe(0)
    await catalog.deliver(probeCompleted, probe('a', { checkedAt: isoTime(NOW - 23 * HOUR_MS) }))
    await catalog.deliver(probeCompleted, probe('a', { verdict: 'down', state: 'timeout', checkedAt: isoTime(NOW) }))
    expect(await found()).toBe(1)
    catalog.clock.advance(HOUR_MS + 1)
    expect(await found()).toBe(0)
    catalog.clock.set(NOW)
  })
})

describe('settlements', () => {
  const revert = ({ network, txHash, logIndex, blockHash }: ReturnType<typeof settlement>) => ({
    network,
    txHash,
    logIndex,
    blockHash,
  })

  test('one that arrives before its listing is attributed when the listing arrives', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    expect(await ledger()).toEqual({})
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(settlementObserved, settlement(2))
    expect(await ledger()).toEqual({ 1: 'a', 2: 'a' })
  })

  test('the same payee address on another network is another payee', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(settlementObserved, settlement(1, { network: 'eip155:5042' }))
    expect(await ledger()).toEqual({})
  })

  test('a listing that is now paid elsewhere keeps its old settlements, even those that arrive late', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(
      listingChanged,
      snapshot('a', { version: 2, payTo: [{ network: BASE, address: address(2) }] }),
    )
    await catalog.deliver(settlementObserved, settlement(2))
    await catalog.deliver(settlementObserved, settlement(3, { payTo: address(2) }))
    expect(await ledger()).toEqual({ 1: 'a', 2: 'a', 3: 'a' })
  })

  test('a stale snapshot still shows where the listing was paid', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(
      listingChanged,
      snapshot('a', { version: 2, payTo: [{ network: BASE, address: address(2) }] }),
    )
    await catalog.deliver(listingChanged, snapshot('a', { version: 1 }))
    expect(await ledger()).toEqual({ 1: 'a' })
  })

  test('of listings with one payee, the better group gets it, then the one that claimed it first', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(listingChanged, mirrored('mirror', { updatedAt: isoTime(NOW - 9 * HOUR_MS) }))
    expect(await ledger()).toEqual({ 1: 'mirror' })
    await catalog.deliver(listingChanged, snapshot('late', { updatedAt: isoTime(NOW - HOUR_MS) }))
    expect(await ledger()).toEqual({ 1: 'late' })
    await catalog.deliver(listingChanged, snapshot('early', { updatedAt: isoTime(NOW - 2 * HOUR_MS) }))
    expect(await ledger()).toEqual({ 1: 'early' })
    await catalog.deliver(listingRemoved, { slug: 'early', version: 2 })
    expect(await ledger()).toEqual({ 1: 'late' })
  })

  test('of listings with one payee, the one that asked that exact amount gets it, whichever came first', async () => {
    const dear = { operations: [operation('dear', { price: '0.02' })] }
    await catalog.deliver(settlementObserved, settlement(1, { amount: '20000' }))
    await catalog.deliver(listingChanged, snapshot('cheap', { updatedAt: isoTime(NOW - 9 * HOUR_MS) }))
    expect(await ledger()).toEqual({ 1: 'cheap' })
    await catalog.deliver(listingChanged, snapshot('dear', { ...dear, updatedAt: isoTime(NOW - HOUR_MS) }))
    await catalog.deliver(settlementObserved, settlement(2))
    await catalog.deliver(settlementObserved, settlement(3, { amount: '20000' }))
    await catalog.deliver(settlementObserved, settlement(4, { amount: '30000' }))
    expect(await ledger()).toEqual({ 1: 'dear', 2: 'cheap', 3: 'dear', 4: 'cheap' })
    await catalog.deliver(listingChanged, snapshot('cheap', { version: 2, operations: dear.operations }))
    expect(await ledger()).toEqual({ 1: 'cheap', 2: 'cheap', 3: 'cheap', 4: 'cheap' })
  })

  test('a draft gets no settlements, and a removed listing keeps those that no other listing claims', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(listingChanged, snapshot('a', { status: 'draft', listedAt: null }))
    expect(await ledger()).toEqual({})
    await catalog.deliver(listingChanged, snapshot('a', { version: 2 }))
    await catalog.deliver(listingRemoved, { slug: 'a', version: 3 })
    expect(await ledger()).toEqual({ 1: 'a' })
  })

  test('a revert removes only the row of its own block', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(settlementReverted, { ...revert(settlement(1)), blockHash: hash(9) })
    expect(await ledger()).toEqual({ 1: 'a' })
    await catalog.deliver(settlementReverted, revert(settlement(1)))
    expect(await ledger()).toEqual({})
  })

  test('one that returns in another block counts there, and the revert of its old block no longer affects it', async () => {
    const moved = settlement(1, { blockHash: hash(9), blockNumber: '2000' })
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(settlementObserved, settlement(1), { sequence: 1 })
    await catalog.deliver(settlementObserved, moved, { sequence: 3 })
    await catalog.deliver(settlementReverted, revert(settlement(1)), { sequence: 2 })
    const { items } = await catalog.ask(operations.activity, {})
    expect(items).toMatchObject([{ blockNumber: '2000' }])
    await catalog.deliver(settlementReverted, revert(moved), { sequence: 4 })
    expect(await ledger()).toEqual({})
  })

  test('a revert that overtakes its observation holds, and a later observation of the block counts again', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(settlementReverted, revert(settlement(1)), { sequence: 2 })
    await catalog.deliver(settlementObserved, settlement(1), { sequence: 1 })
    expect(await ledger()).toEqual({})
    await catalog.deliver(settlementObserved, settlement(1), { sequence: 3 })
    expect(await ledger()).toEqual({ 1: 'a' })
  })

  test('each of many settlements that arrive together with their listings is attributed', async () => {
    const settlements = Array.from({ length: 60 }, (_, number) => settlement(number + 1))
    const listings = ['a', 'b', 'c'].map((slug) => catalog.deliver(listingChanged, snapshot(slug)))
    await Promise.all([...settlements.map((one) => catalog.deliver(settlementObserved, one)), ...listings])
    expect(new Set(Object.values(await ledger()))).toEqual(new Set(['a']))
    expect(Object.keys(await ledger())).toHaveLength(60)
  })
})
