import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { END } from '../numbers/walk.ts'
import { Positions } from './positions.ts'

class Thing {
  readonly rank: number
  position = END
  slot = -1
  /** The position that the holder last knew. */
  held = END

  constructor(rank: number) {
    this.rank = rank
  }
}

/** Positions with a holder that tracks every thing's position, as postings do. */
function held() {
  const positions = new Positions<Thing>((a, b) => a.rank - b.rank, {
    leave: (thing) => {
      if (thing.held !== thing.position) throw new Error('The holder was not called for a position')
    },
    enter: (thing) => {
      thing.held = thing.position
      moves += 1
    },
  })
  let moves = 0
  const add = (rank: number): Thing => {
    const thing = new Thing(rank)
    positions.add(thing)
    thing.held = thing.position
    return thing
  }
  const inOrder = () => [...positions.order].map((position) => positions.at(position))
  return { positions, add, inOrder, moves: () => moves }
}

/** Everything has the position that its holder knows, and positions rise along the order. */
function check({ inOrder }: ReturnType<typeof held>, ranks: readonly number[]): void {
  expect(inOrder().map(({ rank }) => rank)).toEqual(ranks.toSorted((a, b) => a - b))
  expect(inOrder().map(({ held: known }) => known)).toEqual(inOrder().map(({ position }) => position))
}

describe('Positions', () => {
  test('rise along the order, whatever is added and removed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500), { maxLength: 400, size: 'max' }), fc.nat(5), (ranks, some) => {
        const all = held()
        const things = ranks.map(all.add)
        const isGone = ({ rank }: Thing) => rank % (some + 2) === 0
        for (const thing of things.filter(isGone)) all.positions.remove(thing)
        check(
          all,
          things.filter((thing) => !isGone(thing)).map(({ rank }) => rank),
        )
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['before all others', (number: number) => -number],
    ['behind all others', (number: number) => number],
    ['always at one place', (number: number) => (number % 2 === 0 ? 1 / (number + 1) : -1 / (number + 1))],
  ])('make room for items that come %s, and move few others', (_where, rankOf) => {
    const all = held()
    const ranks = Array.from({ length: 5_000 }, (_, number) => rankOf(number))
    for (const rank of ranks) all.add(rank)
    check(all, ranks)
    expect(all.moves() / ranks.length).toBeLessThan(40)
  })

  test('are given to sorted items all at once, with gaps between them, and can be searched', async () => {
    const all = held()
    const ranks = Array.from({ length: 12_000 }, (_, number) => number * 2)
    const things = ranks.map((rank) => new Thing(rank))
    await all.positions.fill(things, async () => {})
    for (const thing of things) thing.held = thing.position
    const added = all.add(4_001)
    check(all, [...ranks, 4_001])
    expect(all.moves()).toBe(0)
    expect(all.positions.first(({ rank }) => rank < 4_001)).toBe(added.position)
    expect(all.positions.first(() => true)).toBe(END)
  })
})
