import { DAY_MS, MINUTE_MS } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edgesOf, type PaidCall } from './edges-of.ts'
import { bitsOf, judge } from './judge.ts'
import type { PaidWeek } from './paid-edge.ts'
import { bitOf, PATTERNS, type Pattern, patternsIn, reasonOf } from './patterns.ts'

const facts: Omit<PaidWeek, 'edges'> = {
  walletBehind: new Map(),
  withinSellers: new Set<string>(),
  settlesFor: new Map(),
}

/** A number of calls, spread over ten days. */
const calls = (payer: string, payTo: string, count: number, more: Partial<PaidCall> = {}): PaidCall[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ payer, payTo, volume: 10_000n, isDust: false },
    atMs: (at * 10 * DAY_MS) / count,
    ...more,
  }))

const judged = (made: readonly PaidCall[], known: Partial<PaidWeek> = {}) =>
  judge({ ...facts, ...known, edges: edgesOf(made) })

const found = (pattern: Pattern, made: readonly PaidCall[], known: Partial<PaidWeek> = {}): string[] =>
  judged(made, known)
    .filter(({ suspicions }) => suspicions.some((one) => one.pattern === pattern))
    .map(({ payer, payTo }) => `${payer} ${payTo}`)

/** Wallets that buy from the seller and from one other. */
const customers = (payTo: string, count: number, each = 2): PaidCall[] =>
  Array.from({ length: count }, (_, at) => [
    ...calls(`customer-${at}`, payTo, each),
    ...calls(`customer-${at}`, 'elsewhere', 1),
  ]).flat()

describe('self_pay', () => {
  test('names a seller that pays itself, at its address or at another address of its listing', () => {
    const withinSellers = new Set(['also at'])
    const made = [...calls('at', 'at', 10), ...calls('also', 'at', 10), ...customers('at', 10)]
    expect(found('self_pay', made, { withinSellers })).toEqual(['also at', 'at at'])
  })
  test('three payments are a test', () => expect(found('self_pay', calls('at', 'at', 3))).toEqual([]))
})

describe('splitter_loop', () => {
  const walletBehind = new Map([['splitter', 'wallet']])
  test('names a payout wallet that pays its splitter', () => {
    expect(found('splitter_loop', calls('wallet', 'splitter', 4), { walletBehind })).toEqual(['wallet splitter'])
  })
  test('the payout wallet of another seller is a customer', () => {
    expect(found('splitter_loop', calls('other', 'splitter', 50), { walletBehind })).toEqual([])
  })
})

describe('ring', () => {
  const circle = (members: number, each: number) =>
    Array.from({ length: members }, (_, at) => calls(`m${at}`, `m${(at + 1) % members}`, each)).flat()
  test('names wallets that pay each other in a circle, however long', () => {
    expect(found('ring', circle(500, 3))).toHaveLength(500)
  })
  test('treats a circle through splitters as a circle of their wallets', () => {
    const walletBehind = new Map([
      ['splitter-a', 'a'],
      ['splitter-b', 'b'],
    ])
    const made = [...calls('a', 'splitter-b', 20), ...calls('b', 'splitter-a', 20)]
    expect(found('ring', made, { walletBehind })).toEqual(['a splitter-b', 'b splitter-a'])
  })
  test('does not name sellers that buy from each other and earn from customers', () => {
    const made = [...circle(3, 20), ...customers('m0', 50), ...customers('m1', 50), ...customers('m2', 50)]
    expect(found('ring', made)).toEqual([])
  })
  test('does not name a customer that pays into a ring', () => {
    expect(found('ring', [...circle(3, 20), ...calls('customer', 'm0', 5)])).toHaveLength(3)
  })
})

describe('one_payer', () => {
  test('names a wallet and a seller that are each other’s whole week', () => {
    expect(found('one_payer', calls('payer', 'seller', 40))).toEqual(['payer seller'])
  })
  test('does not name a subscription next to other customers', () => {
    expect(found('one_payer', [...calls('payer', 'seller', 400), ...customers('seller', 5)])).toEqual([])
  })
  test('does not name a large customer that also buys elsewhere', () => {
    expect(found('one_payer', [...calls('payer', 'seller', 400), ...calls('payer', 'other', 50)])).toEqual([])
  })
})

describe('fresh_wallets', () => {
  const fresh = (count: number) => Array.from({ length: count }, (_, at) => calls(`new-${at}`, 'seller', 2)).flat()
  test('names many wallets that pay only this seller', () => expect(found('fresh_wallets', fresh(25))).toHaveLength(25))
  test('treats fewer wallets as customers', () => expect(found('fresh_wallets', fresh(24))).toEqual([]))
  test('calls of next to nothing do not make a seller’s customers look invented', () => {
    const cheap = Array.from({ length: 100 }, (_, at) => calls(`cheap-${at}`, 'seller', 5, { volume: 1n })).flat()
    expect(found('fresh_wallets', [...fresh(30), ...customers('seller', 30), ...cheap])).toEqual([])
  })
  test('calls of next to nothing by a wallet that stays do not clear a seller', () => {
    const stays = calls('stays', 'seller', 400, { volume: 1n })
    expect(found('fresh_wallets', [...fresh(30), ...stays])).toHaveLength(30)
  })
  test('does not name the day of a launch, which also brings wallets that pay others', () => {
    expect(found('fresh_wallets', [...fresh(60), ...customers('seller', 60)])).toEqual([])
  })
})

describe('dust', () => {
  test('names many calls below the floor, and no other calls of the same wallet', () => {
    const made = [...calls('payer', 'seller', 10, { isDust: true }), ...calls('payer', 'seller', 5)]
    expect(found('dust', made)).toEqual(['payer seller'])
    const [verdict] = judged(made)
    expect(bitsOf(verdict ?? { suspicions: [] })).toEqual({ all: 0, belowFloor: bitOf('dust') })
  })
  test('treats a few calls below the floor as stray', () =>
    expect(found('dust', calls('payer', 'seller', 9, { isDust: true }))).toEqual([]))
})

describe('facilitators_own', () => {
  test('names a facilitator that pays a seller', () => {
    const settlesFor = new Map([['facilitator', 5]])
    expect(found('facilitators_own', calls('facilitator', 'seller', 4), { settlesFor })).toEqual(['facilitator seller'])
  })
  test('a payer that submits its own payments is no facilitator', () => {
    expect(found('facilitators_own', calls('agent', 'seller', 400), { settlesFor: new Map() })).toEqual([])
  })
})

describe('burst', () => {
  const spell = (payer: string, count: number, day = 0) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ payer, payTo: 'seller', volume: 10_000n, isDust: false },
      atMs: day * DAY_MS + (at * 5 * MINUTE_MS) / count,
    }))
  test('names wallets that fire for minutes and are silent otherwise', () => {
    expect(found('burst', [...spell('a', 60), ...spell('b', 90, 3)])).toEqual(['a seller', 'b seller'])
  })
  test('bursts of calls of next to nothing do not make a seller’s batch work look invented', () => {
    const cheap = spell('c', 900).map((call) => ({ ...call, volume: 1n }))
    expect(found('burst', [...spell('a', 60), ...calls('b', 'seller', 61), ...cheap])).toEqual([])
  })
  test('treats a payment every minute as a subscription', () => {
    const minutes = Array.from(
      { length: 3_000 },
      (_, at) => ({ ...spell('a', 1)[0], atMs: at * MINUTE_MS }) as PaidCall,
    )
    expect(found('burst', minutes)).toEqual([])
  })
  test('does not name work that comes every night', () => {
    expect(
      found(
        'burst',
        [0, 1, 2].flatMap((day) => spell('a', 200, day)),
      ),
    ).toEqual([])
  })
  test('does not name a single batch at a seller with customers', () => {
    expect(found('burst', [...spell('a', 60), ...customers('seller', 31)])).toEqual([])
  })
})

describe('a verdict', () => {
  const wallet = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const made = fc.array(
    fc.record({
      payer: wallet,
      payTo: wallet,
      atMs: fc.integer({ min: 0, max: 14 * DAY_MS - 1 }),
      volume: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      isDust: fc.boolean(),
    }),
    { maxLength: 200 },
  )

  test('is the same whatever the order of the calls, and names calls that were made', () => {
    fc.assert(
      fc.property(made, fc.infiniteStream(fc.nat()), (calls, draw) => {
        const shuffled = calls
          .map((call) => ({ call, at: draw.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ call }) => call)
        const settlesFor = new Map([['a', 9]])
        const verdicts = judged(calls, { settlesFor })
        expect(judged(shuffled, { settlesFor })).toEqual(verdicts)
        const edges = new Set(calls.map(({ payer, payTo }) => `${payer} ${payTo}`))
        for (const { payer, payTo, suspicions } of verdicts) {
          expect(edges).toContain(`${payer} ${payTo}`)
          expect(suspicions.length).toBeGreaterThan(0)
        }
      }),
    )
  })

  test('is in the order of payer and payee, whatever order the rules found the edges in', () => {
    const edges = ['a s', 'a t', 'b s', 'b t'].map((edge) => edge.split(' ') as [string, string])
    fc.assert(
      fc.property(fc.shuffledSubarray(edges, { minLength: edges.length }), (order) => {
        const dusty = order.flatMap(([payer, payTo]) => calls(payer, payTo, 10, { isDust: true }))
        expect(judged(dusty).map(({ payer, payTo }) => [payer, payTo])).toEqual(edges)
      }),
    )
  })

  test('names every pattern of an edge with its evidence, and sets aside calls above the floor for all but dust', () => {
    const made = [...calls('at', 'at', 10, { isDust: true }), ...calls('at', 'at', 1)]
    const [verdict] = judged(made)
    expect(verdict).toEqual({
      ...{ payer: 'at', payTo: 'at' },
      suspicions: [
        { pattern: 'self_pay', evidence: { calls: 11, wallet: 'at' } },
        { pattern: 'dust', evidence: { calls: 10 } },
      ],
    })
    expect(verdict && bitsOf(verdict)).toEqual({
      all: bitOf('self_pay'),
      belowFloor: bitOf('self_pay') | bitOf('dust'),
    })
  })

  test('says in words what the rule relied on', () => {
    const [{ suspicions } = { suspicions: [] }] = judged(calls('payer', 'seller', 50))
    expect(suspicions.map(reasonOf)).toEqual([
      'One wallet made 50 calls, brought 100 % of the seller’s volume in two weeks, and pays hardly any other seller.',
    ])
  })

  test('is stored in bits, and read back in the order of the patterns', () => {
    fc.assert(
      fc.property(fc.subarray([...PATTERNS]), (patterns) => {
        expect(patternsIn(patterns.reduce((bits, pattern) => bits | bitOf(pattern), 0))).toEqual(patterns)
      }),
    )
  })
})
