import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdFor } from './estimate.ts'
import { priceOf } from './price.ts'
import {
  type Arrived,
  chargeFor,
  type Ending,
  endingOfStream,
  estimatedTokens,
  isUncounted,
  type Terms,
} from './settlement.ts'

/** An input token costs 1,000 nano-USD, an output token 10,000. */
const PRICE = priceOf({ version: '1', prompt: '0.000001', completion: '0.00001' })
const BOUNDS = { inputTokens: 300, maxOutput: 100, choices: 2 }
const TERMS: Terms = { ...BOUNDS, price: PRICE, held: holdFor(BOUNDS, PRICE), cancelled: 'estimate' }
const used = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
})
const exact = { estimated: false, overclaimed: false }
const estimated = { estimated: true, overclaimed: false }
const free = { cost: 0n, usage: undefined, ...exact }

test('estimatedTokens: three units make a token, and a fraction of a token counts as one', () => {
  expect([0, 1, 3, 4, 6].map(estimatedTokens)).toEqual([0, 1, 1, 2, 2])
})

describe('endingOfStream', () => {
  const usage = used(80, 20)
  const begun: Arrived = { usage: undefined, text: 5, said: ['Hello'], failed: undefined, done: false }
  const seen = { seen: 5, said: ['Hello'] }
  const broken = { kind: 'broken', seen: 5 }

  test.each<[string, Partial<Arrived>, Parameters<typeof endingOfStream>[1], object]>([
    ['a whole answer is completed', { done: true, usage }, 'upstream', { kind: 'completed', usage, ...seen }],
    ['also for a client that left behind it', { done: true, usage }, 'client', { kind: 'completed', usage, ...seen }],
    ['a whole answer without usage says so', { done: true }, 'upstream', { kind: 'completed_without_usage', ...seen }],
    ['an answer that its upstream cut off is broken', { usage }, 'upstream', broken],
    ['a client that left is charged by the usage so far', { usage }, 'client', { kind: 'cancelled', usage, ...seen }],
    ['or by the words so far', {}, 'client', { kind: 'cancelled', ...seen }],
    ['a whole answer that a dead gateway did not deliver is broken', { done: true, usage }, 'gateway', broken],
    ['a part of an answer is, too', { usage }, 'gateway', broken],
    ['an error is broken, though the stream is whole', { failed: 'of_request', done: true, usage }, 'upstream', broken],
    ['and though its client left', { failed: 'of_upstream', usage }, 'client', broken],
  ])('%s', (_what, arrived, endedBy, ending) => {
    expect(endingOfStream({ ...begun, ...arrived }, endedBy)).toEqual(ending)
  })
})

describe('chargeFor', () => {
  test.each<[string, Ending, Partial<Terms>, object]>([
    [
      'a whole answer costs its usage',
      { kind: 'completed', usage: used(80, 20) },
      {},
      { cost: 280_000n, usage: used(80, 20), ...exact },
    ],
    [
      'a claim above the hold costs the hold',
      { kind: 'completed', usage: used(9_000, 9_000) },
      {},
      { cost: TERMS.held, usage: used(9_000, 9_000), estimated: false, overclaimed: true },
    ],
    [
      'an uncounted answer costs what was seen',
      { kind: 'completed_without_usage', seen: 31 },
      {},
      { cost: 210_000n, usage: used(100, 11), ...estimated },
    ],
    [
      'no more than it could be',
      { kind: 'completed_without_usage', seen: 10_000 },
      {},
      { cost: 2_100_000n, usage: used(100, 200), ...estimated },
    ],
    [
      'whatever its upstream asks of those that left',
      { kind: 'completed_without_usage', seen: 31 },
      { cancelled: 'free' },
      { cost: 210_000n },
    ],
    [
      'no more than a small hold',
      { kind: 'completed_without_usage', seen: 31 },
      { held: 1_000n },
      { cost: 1_000n, ...estimated },
    ],
    [
      'a client that left pays for what came',
      { kind: 'cancelled', seen: 31 },
      {},
      { cost: 210_000n, usage: used(100, 11), ...estimated },
    ],
    [
      'the input as it was counted',
      { kind: 'cancelled', seen: 31, usage: used(80, 1) },
      {},
      { cost: 190_000n, usage: used(80, 11), ...estimated },
    ],
    [
      'the output as it was counted, if that is more',
      { kind: 'cancelled', seen: 31, usage: used(80, 20) },
      {},
      { cost: 280_000n, usage: used(80, 20), ...exact },
    ],
    [
      'a claim above the hold is cut then too',
      { kind: 'cancelled', seen: 3, usage: used(9_000, 9_000) },
      {},
      { cost: TERMS.held, overclaimed: true },
    ],
    [
      'words as they were counted, in place of their lengths',
      { kind: 'cancelled', seen: 31 },
      { counted: { inputTokens: 70, outputTokens: 9 } },
      { cost: 160_000n, usage: used(70, 9), ...estimated },
    ],
    [
      'no more words than the call could have had',
      { kind: 'completed_without_usage', seen: 31 },
      { counted: { inputTokens: 301, outputTokens: 201 } },
      { cost: 2_300_000n, usage: used(300, 200), ...estimated },
    ],
    [
      'what an upstream counted before anything came, of a client that left',
      { kind: 'cancelled', seen: 0, usage: used(80, 0) },
      {},
      { cost: 80_000n, usage: used(80, 0), ...exact },
    ],
    [
      'our count of the words where an upstream claims none',
      { kind: 'completed', usage: used(80, 0), seen: 31, said: ['Hello'] },
      { counted: { inputTokens: 70, outputTokens: 9 } },
      { cost: 170_000n, usage: used(80, 9), ...estimated },
    ],
    [
      'our count of the input where an upstream claims none',
      { kind: 'completed', usage: used(0, 20), seen: 31, said: ['Hello'] },
      { counted: { inputTokens: 70, outputTokens: 9 } },
      { cost: 270_000n, usage: used(70, 20), ...estimated },
    ],
    [
      'our count of both where an upstream claims nothing',
      { kind: 'completed', usage: used(0, 0), seen: 31, said: ['Hello'] },
      {},
      { cost: 210_000n, usage: used(100, 11), ...estimated },
    ],
    [
      'no output where an upstream claims none and no words came',
      { kind: 'completed', usage: used(80, 0), seen: 31, said: [] },
      {},
      { cost: 80_000n, usage: used(80, 0), ...exact },
    ],
    [
      'the input of a client that left, though its upstream claims it only at the end',
      { kind: 'cancelled', seen: 31, usage: used(0, 20) },
      { counted: { inputTokens: 70, outputTokens: 9 } },
      { cost: 270_000n, usage: used(70, 20), ...estimated },
    ],
    ['nothing where nothing came and nothing was claimed', { kind: 'cancelled', seen: 0, usage: used(0, 0) }, {}, free],
    [
      'its whole hold and not a unit more',
      { kind: 'completed', usage: used(80, 20) },
      { held: 280_000n },
      { cost: 280_000n, ...exact },
    ],
    ['nothing where nothing came', { kind: 'cancelled', seen: 0 }, {}, free],
    [
      'what came, though its upstream asks for nothing',
      { kind: 'cancelled', seen: 31, usage: used(80, 20) },
      { cancelled: 'free' },
      { cost: 280_000n, usage: used(80, 20), ...exact },
    ],
    [
      'nothing before the first words, where its upstream asks for nothing then',
      { kind: 'cancelled', seen: 0, usage: used(80, 0) },
      { cancelled: 'free' },
      free,
    ],
    ['a broken answer is free', { kind: 'broken', seen: 31 }, {}, free],
    ['counted or not', { kind: 'broken', seen: 31, usage: used(80, 20) }, {}, free],
    ['a failure before output is free', { kind: 'failed_before_output' }, {}, free],
    ['a lost call is free', { kind: 'lost' }, {}, free],
  ])('default: %s', (_name, ending, terms, charge) => {
    expect(chargeFor(ending, { ...TERMS, ...terms })).toMatchObject(charge)
  })

  test('behavior: the request and its images are charged with the answer', () => {
    const price = priceOf({ version: '1', prompt: '0', completion: '0', request: '0.000000005', image: '0.0000001' })
    const terms = { ...TERMS, price, images: 2, held: 205n }
    expect(chargeFor({ kind: 'completed', usage: used(1, 1) }, terms)).toMatchObject({ cost: 205n, overclaimed: false })
  })

  test('behavior: the cost is never below zero or above the hold, and an estimate never overclaims', () => {
    const count = fc.nat({ max: 10_000 })
    const usage = fc.tuple(count, count).map(([input, output]) => used(input, output))
    const ending = fc.oneof(
      fc.record({ kind: fc.constant('completed' as const), usage }),
      fc.record({ kind: fc.constant('completed_without_usage' as const), seen: count }),
      fc.record({ kind: fc.constant('cancelled' as const), seen: count, usage }, { requiredKeys: ['kind', 'seen'] }),
      fc.record({ kind: fc.constant('broken' as const), seen: count, usage }, { requiredKeys: ['kind', 'seen'] }),
      fc.constantFrom<Ending>({ kind: 'failed_before_output' }, { kind: 'lost' }),
    )
    const held = fc.bigInt({ min: -5n, max: 10n ** 8n })
    fc.assert(
      fc.property(ending, held, fc.constantFrom('estimate' as const, 'free' as const), (one, most, cancelled) => {
        const charge = chargeFor(one, { ...TERMS, held: most, cancelled })
        expect(charge.cost).toBeGreaterThanOrEqual(0n)
        expect(charge.cost).toBeLessThanOrEqual(most > 0n ? most : 0n)
        expect(charge.estimated && charge.overclaimed).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})

describe('isUncounted', () => {
  test.each([
    ['a claim of both', used(80, 20), ['Hello'], false],
    ['no input', used(0, 20), ['Hello'], true],
    ['no output for words', used(80, 0), ['Hello'], true],
    ['no output, and no words', used(80, 0), [], false],
    ['no output, and words that nobody read', used(80, 0), undefined, false],
  ] as const)('%s', (_what, claim, said, expected) => {
    expect(isUncounted(claim, said)).toBe(expected)
  })
})
