import { describe, expect, test } from 'vitest'
import { costOf, PriceRow, priceOf } from './price.ts'
import type { Usage } from './usage.ts'

const ROW = { version: '2026-11', prompt: '0.0000025', completion: '0.00001' }
const used = (usage: Partial<Usage>): Usage => ({
  ...{ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  ...usage,
})

describe('PriceRow', () => {
  test('default: accepts decimal text of up to 12 decimals per token and 9 per request or image', () => {
    const row = {
      ...ROW,
      cacheRead: '0.000000000001',
      cacheWrite: '0',
      reasoning: '1',
      request: '0.000000001',
      image: '2',
    }
    expect(PriceRow.parse(row)).toEqual(row)
  })

  test('default: accepts the longest value of each member', () => {
    const tier = { above: 100_000_000, prompt: '999999.999999999999', completion: '10' }
    const tiers = [1, 2, 3, 4, 5, 6, 7].map((above) => ({ ...tier, above }))
    const row = { ...ROW, version: 'v'.repeat(64), request: '999999.999999999', tiers: [...tiers, tier] }
    expect(PriceRow.parse(row)).toEqual(row)
  })

  test.each([
    ['a thirteenth decimal', { prompt: '0.0000000000010' }],
    ['a tenth decimal of a request', { request: '0.0000000010' }],
    ['a number', { prompt: 0.000001 }],
    ['an exponent', { completion: '1e-6' }],
    ['a sign', { completion: '-1' }],
    ['millions for a token', { completion: '1000000' }],
    ['a price that does not exist', { audio: '1' }],
    ['a blank before it', { prompt: ' 1' }],
    ['a blank behind it', { prompt: '1 ' }],
    ['a leading zero', { prompt: '01' }],
    ['a point and no digit', { prompt: '1.' }],
    ['a letter for the point', { prompt: '1x5' }],
    ['cached tokens of no price', { cacheRead: 'free' }],
    ['a price that does not exist in a tier', { tiers: [{ above: 5, prompt: '1', completion: '1', audio: '1' }] }],
    ['a tier beyond any context', { tiers: [{ above: 100_000_001, prompt: '1', completion: '1' }] }],
    ['nine tiers', { tiers: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((above) => ({ above, prompt: '1', completion: '1' })) }],
    ['a tier within a token', { tiers: [{ above: 5.5, prompt: '1', completion: '1' }] }],
    [
      'tiers that fall',
      {
        tiers: [
          { above: 6, prompt: '1', completion: '1' },
          { above: 5, prompt: '2', completion: '2' },
        ],
      },
    ],
    ['tiers that are none', { tiers: [] }],
    ['a tier from the first token', { tiers: [{ above: 0, prompt: '1', completion: '1' }] }],
    ['a tier without a price', { tiers: [{ above: 5, prompt: '1' }] }],
    ['a tier of a request', { tiers: [{ above: 5, prompt: '1', completion: '1', request: '1' }] }],
    [
      'tiers out of order',
      {
        tiers: [
          { above: 5, prompt: '1', completion: '1' },
          { above: 5, prompt: '2', completion: '2' },
        ],
      },
    ],
    ['no version', { version: '' }],
    ['a long version', { version: 'v'.repeat(65) }],
  ])('error: %s', (_name, part) => {
    expect(PriceRow.safeParse({ ...ROW, ...part }).success).toBe(false)
  })
})

describe('priceOf', () => {
  test('default: pico-USD per token, nano-USD per request or image', () => {
    expect(
      priceOf({
        ...ROW,
        cacheRead: '0.00000025',
        cacheWrite: '0.000003',
        reasoning: '0.00002',
        request: '0.005',
        image: '0.001',
      }),
    ).toEqual({
      ...{ version: '2026-11', promptPico: 2_500_000n, completionPico: 10_000_000n },
      ...{ cacheReadPico: 250_000n, cacheWritePico: 3_000_000n, reasoningPico: 20_000_000n },
      ...{ requestNano: 5_000_000n, imageNano: 1_000_000n, tiers: [] },
    })
  })

  test('behavior: a cached token without a price costs as much as input, a reasoning token as much as output', () => {
    expect(priceOf(ROW)).toMatchObject({
      ...{ cacheReadPico: 2_500_000n, cacheWritePico: 2_500_000n, reasoningPico: 10_000_000n },
      ...{ requestNano: 0n, imageNano: 0n },
    })
  })

  test('behavior: the same holds within a tier', () => {
    const tiers = [{ above: 1_000, prompt: '0.000005', completion: '0.00002' }]
    expect(priceOf({ ...ROW, cacheRead: '0.00000025', tiers }).tiers).toEqual([
      {
        ...{ above: 1_000, promptPico: 5_000_000n, completionPico: 20_000_000n },
        ...{ cacheReadPico: 5_000_000n, cacheWritePico: 5_000_000n, reasoningPico: 20_000_000n },
      },
    ])
  })

  test('behavior: a row is read once, and an equal row is read separately', () => {
    expect(priceOf(ROW)).toBe(priceOf(ROW))
    expect(priceOf({ ...ROW })).not.toBe(priceOf(ROW))
  })

  test('error: a price that the schema refuses throws', () => {
    expect(() => priceOf({ ...ROW, prompt: 'free' })).toThrow(RangeError)
    expect(() => priceOf({ ...ROW, request: 'free' })).toThrow(RangeError)
  })
})

describe('costOf', () => {
  const PRICE = priceOf({ ...ROW, cacheRead: '0.000001', cacheWrite: '0.000003', reasoning: '0.00002' })

  test.each([
    ['nothing', {}, 0n],
    ['input', { inputTokens: 1_000 }, 2_500_000n],
    ['output', { outputTokens: 1_000 }, 10_000_000n],
    [
      'cached tokens are inside the input',
      { inputTokens: 1_000, cacheReadTokens: 600, cacheWriteTokens: 100 },
      1_650_000n,
    ],
    ['reasoning tokens are inside the output', { outputTokens: 1_000, reasoningTokens: 400 }, 14_000_000n],
  ])('default: %s', (_name, usage, nano) => {
    expect(costOf(used(usage), PRICE)).toBe(nano)
  })

  test('behavior: the cost is rounded up once, not token by token', () => {
    const price = priceOf({ version: '1', prompt: '0', completion: '0.000000000001' })
    expect(costOf(used({ outputTokens: 1 }), price)).toBe(1n)
    expect(costOf(used({ outputTokens: 1_000 }), price)).toBe(1n)
    expect(costOf(used({ outputTokens: 1_001 }), price)).toBe(2n)
  })

  test('behavior: the tier of the whole input prices all tokens, including cached ones', () => {
    const tiers = [
      { above: 1_000, prompt: '0.000005', completion: '0.00002', cacheRead: '0.000002' },
      { above: 2_000, prompt: '0.00001', completion: '0.00004' },
    ]
    const price = priceOf({ ...ROW, cacheRead: '0.000001', tiers })
    const costs = [1_000, 1_001, 2_000, 2_001].map((inputTokens) =>
      costOf(used({ inputTokens, cacheReadTokens: 500, outputTokens: 100 }), price),
    )
    expect(costs).toEqual([
      ...[500n * 2_500n + 500n * 1_000n + 100n * 10_000n, 501n * 5_000n + 500n * 2_000n + 100n * 20_000n],
      ...[1_500n * 5_000n + 500n * 2_000n + 100n * 20_000n, 2_001n * 10_000n + 100n * 40_000n],
    ])
  })

  test('behavior: the request is charged once, and each image once', () => {
    const price = priceOf({ ...ROW, request: '0.000000007', image: '0.0000001' })
    expect([costOf(used({}), price), costOf(used({}), price, 3)]).toEqual([7n, 307n])
  })

  test('behavior: counts beyond 32 bits lose nothing', () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(costOf(used({ inputTokens: most }), PRICE)).toBe((BigInt(most) * 2_500_000n + 999n) / 1_000n)
  })
})
