import { DAY_MS, HOUR_MS } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedOn, countedStakes, type StakeBalance } from './counted-stakes.ts'
import { epochOf } from './day.ts'

const MONDAY = 20_000
const at = (day: number, hour: number) => (MONDAY + day) * DAY_MS + hour * HOUR_MS
const balance = (day: number, hour: number, stake: bigint, source = 'one'): StakeBalance => ({
  ...{ source, at: at(day, hour), stake },
})
const counts = (balances: readonly StakeBalance[], ...days: readonly number[]) =>
  days.map((day) => countedOn(countedStakes(balances), MONDAY + day))

describe('countedStakes', () => {
  test('default: an increase counts from the next day, a decrease at once', () => {
    const balances = [balance(0, 10, 100n), balance(2, 10, 150n), balance(4, 10, 30n)]
    expect(counts(balances, -1, 0, 1, 2, 3, 4, 5, 99)).toEqual([0n, 0n, 100n, 100n, 150n, 30n, 30n, 30n])
  })
  test('behavior: a stake taken out and put back on one day counts at its lowest', () => {
    const balances = [balance(0, 10, 100n), balance(1, 9, 40n), balance(1, 9, 100n)]
    expect(counts(balances, 1, 2)).toEqual([40n, 100n])
  })
  test('behavior: a stake made before midnight and taken out after it counts for nothing', () => {
    expect(counts([balance(0, 23, 100n), balance(1, 0, 0n)], 0, 1, 2)).toEqual([0n, 0n, 0n])
  })
  test('behavior: a day begins with its first millisecond', () => {
    const midnight = (MONDAY + 1) * DAY_MS
    expect(counts([{ source: 'one', at: midnight - 1, stake: 5n }], 0, 1)).toEqual([0n, 5n])
    expect(counts([{ source: 'one', at: midnight, stake: 5n }], 1, 2)).toEqual([0n, 5n])
  })
  test('behavior: the stakes of several contracts add up, each with its own changes', () => {
    const balances = [balance(0, 1, 100n), balance(0, 2, 7n, 'two'), balance(1, 1, 60n), balance(1, 2, 50n, 'two')]
    expect(counts(balances, 0, 1, 2)).toEqual([0n, 67n, 110n])
  })
  test('behavior: days are in order, even when the contract listed first was staked in last', () => {
    const balances = [balance(5, 1, 100n), balance(0, 1, 7n, 'two'), balance(5, 2, 3n, 'two')]
    expect(countedStakes(balances)).toEqual([
      { epoch: MONDAY, stake: 0n },
      { epoch: MONDAY + 1, stake: 7n },
      { epoch: MONDAY + 5, stake: 3n },
      { epoch: MONDAY + 6, stake: 103n },
    ])
    expect(counts(balances, 1, 5, 6)).toEqual([7n, 3n, 103n])
  })
})

const SUPPLY = 1_000n
const OWNERS = [0, 1, 2]
type Move = { readonly hours: number; readonly from: number; readonly to: number; readonly part: number }
const moves = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 30 }),
    from: fc.constantFrom(...OWNERS),
    to: fc.constantFrom(...OWNERS),
    part: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 30 },
)

/** Moves parts of one stake between owners, who immediately stake what they receive. */
function histories(all: readonly Move[]): readonly StakeBalance[][] {
  const stakes: bigint[] = OWNERS.map((owner) => (owner === 0 ? SUPPLY : 0n))
  const told: StakeBalance[][] = OWNERS.map(() => [])
  let hour = 0
  const tell = (owner: number) => told[owner]?.push(balance(0, hour, stakes[owner] ?? 0n))
  tell(0)
  for (const { hours, from, to, part } of all) {
    hour += hours
    const moved = ((stakes[from] ?? 0n) * BigInt(part)) / 100n
    stakes[from] = (stakes[from] ?? 0n) - moved
    tell(from)
    stakes[to] = (stakes[to] ?? 0n) + moved
    tell(to)
  }
  return told
}

/** The most that counted of an owner's stake at any time of a day, as its changes became known one by one. */
function mostOn(ofOwner: readonly StakeBalance[], epoch: number): bigint {
  const known = (of: (day: number) => boolean) => ofOwner.filter((one) => of(epochOf(one.at))).length
  const [atFirst, atLast] = [known((day) => day < epoch), known((day) => day <= epoch)]
  const moments = Array.from({ length: atLast - atFirst + 1 }, (_, more) => ofOwner.slice(0, atFirst + more))
  const counted = moments.map((until) => countedOn(countedStakes(until), epoch))
  return counted.reduce((most, one) => (most > one ? most : one), 0n)
}

test('however one stake moves between owners, no day counts more than all of it, even at each owner’s peak', () => {
  fc.assert(
    fc.property(moves, (all) => {
      const told = histories(all)
      const last = Math.max(...told.flat().map((one) => epochOf(one.at))) + 2
      for (let epoch = MONDAY; epoch <= last; epoch++) {
        const most = told.map((ofOwner) => mostOn(ofOwner, epoch))
        expect(most.reduce((a, b) => a + b, 0n) <= SUPPLY).toBe(true)
      }
    }),
  )
})
