import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { affordableOutput, holdFor, inputBound } from './estimate.ts'
import { costOf, priceOf } from './price.ts'

const PRICE = priceOf({ version: '1', prompt: '0.000002', completion: '0.00001' })

describe('inputBound', () => {
  test.each([
    ['bytes', 500, 0, { contextTokens: 1_000 }, 500],
    ['bytes and images', 500, 2, { contextTokens: 1_000, imageTokens: 100 }, 700],
    ['no more than the context', 5_000, 2, { contextTokens: 1_000, imageTokens: 100 }, 1_000],
    ['the whole context for an image of unknown size', 500, 1, { contextTokens: 1_000 }, 1_000],
  ])('default: %s', (_name, bytes, images, model, tokens) => {
    expect(inputBound(bytes, images, model)).toBe(tokens)
  })
})

describe('holdFor', () => {
  test('default: covers the input, and the output of every choice', () => {
    expect(holdFor({ inputTokens: 1_000, maxOutput: 100, choices: 3 }, PRICE)).toBe(2_000_000n + 3_000_000n)
  })

  test('behavior: prices each token at its dearest, and includes the request and the images', () => {
    const row = { version: '1', prompt: '0.000002', completion: '0.00001' }
    const bounds = { inputTokens: 1_000, maxOutput: 100, choices: 1, images: 2 }
    const dear = priceOf({
      ...row,
      cacheWrite: '0.000003',
      reasoning: '0.00002',
      request: '0.000000001',
      image: '0.0000001',
    })
    expect(holdFor(bounds, dear)).toBe(3_000_000n + 2_000_000n + 1n + 200n)
    expect(holdFor(bounds, priceOf({ ...row, cacheRead: '0.000004' }))).toBe(4_000_000n + 1_000_000n)
  })
})

describe('holdFor of a price with tiers', () => {
  const row = { version: '1', prompt: '0.000002', completion: '0.00001' }
  const tiers = [
    { above: 1_000, prompt: '0.000004', completion: '0.00002' },
    { above: 2_000, prompt: '0.000003', completion: '0.00003' },
  ]
  const hold = (inputTokens: number) => holdFor({ inputTokens, maxOutput: 100, choices: 1 }, priceOf({ ...row, tiers }))

  test.each([
    ['below the first', 1_000, 2_000_000n + 1_000_000n],
    ['the tier that the input can reach', 1_001, 4_004_000n + 2_000_000n],
    ['the dearest of those below it, of each kind', 2_001, 8_004_000n + 3_000_000n],
  ])('default: %s', (_name, inputTokens, nano) => {
    expect(hold(inputTokens)).toBe(nano)
  })
})

describe('affordableOutput', () => {
  const asked = { inputTokens: 1_000, choices: 1 }

  test.each([
    ['all that the model can', 10n ** 9n, 4_096],
    ['what is left after the input', 2_000_000n + 1_000_000n, 100],
    ['a part of a token is none', 2_000_000n + 1_009_999n, 100],
    ['none beyond the input', 2_000_000n, 0],
    ['none below it', 1_999_999n, 0],
    ['none of nothing', 0n, 0],
    ['none of a debt', -1n, 0],
  ])('default: %s', (_name, left, tokens) => {
    expect(affordableOutput(left, asked, PRICE, 4_096)).toBe(tokens)
  })

  test('behavior: output without a price is not limited by money', () => {
    const free = priceOf({ version: '1', prompt: '0.000002', completion: '0' })
    expect(affordableOutput(2_000_000n, asked, free, 4_096)).toBe(4_096)
    expect(affordableOutput(1_999_999n, asked, free, 4_096)).toBe(0)
  })
})

describe('for every price and every call', () => {
  const pico = fc.bigInt({ min: 0n, max: 10n ** 10n })
  const nano = fc.bigInt({ min: 0n, max: 10n ** 9n })
  const rates = {
    ...{ promptPico: pico, completionPico: pico, cacheReadPico: pico, cacheWritePico: pico, reasoningPico: pico },
  }
  const tiers = fc
    .uniqueArray(fc.record({ above: fc.integer({ min: 1, max: 2_000_000 }), ...rates }), {
      ...{ maxLength: 3, selector: ({ above }) => above },
    })
    .map((all) => all.toSorted((one, other) => one.above - other.above))
  const anyPrice = fc.record({ version: fc.constant('1'), ...rates, requestNano: nano, imageNano: nano, tiers })
  const tokens = fc.nat({ max: 2_000_000 })
  const anyBounds = fc.record({
    ...{ inputTokens: tokens, maxOutput: tokens },
    ...{ choices: fc.integer({ min: 1, max: 16 }), images: fc.nat({ max: 64 }) },
  })
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test('the hold covers every usage within its bounds', () => {
    fc.assert(
      fc.property(anyPrice, anyBounds, fc.tuple(share, share, share, share, share), (price, bounds, shares) => {
        const part = (whole: number, at: number) => Math.floor(whole * (shares[at] ?? 0))
        const inputTokens = part(bounds.inputTokens, 0)
        const cacheReadTokens = part(inputTokens, 1)
        const cacheWriteTokens = part(inputTokens - cacheReadTokens, 2)
        const outputTokens = part(bounds.maxOutput * bounds.choices, 3)
        const usage = {
          inputTokens,
          cacheReadTokens,
          cacheWriteTokens,
          outputTokens,
          reasoningTokens: part(outputTokens, 4),
        }
        expect(holdFor(bounds, price)).toBeGreaterThanOrEqual(costOf(usage, price, bounds.images))
      }),
      { numRuns: 500 },
    )
  })

  test('a longer input or answer never gets a smaller hold', () => {
    fc.assert(
      fc.property(
        anyPrice,
        anyBounds,
        fc.nat({ max: 5_000 }),
        fc.nat({ max: 5_000 }),
        (price, bounds, input, output) => {
          const longer = {
            ...bounds,
            inputTokens: bounds.inputTokens + input,
            maxOutput: bounds.maxOutput + output,
          }
          expect(holdFor(longer, price)).toBeGreaterThanOrEqual(holdFor(bounds, price))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('the affordable output fits, and one more token does not', () => {
    fc.assert(
      fc.property(anyPrice, anyBounds, fc.bigInt({ min: 0n, max: 10n ** 14n }), (price, bounds, left) => {
        const { maxOutput: modelMax, ...asked } = bounds
        const maxOutput = affordableOutput(left, asked, price, modelMax)
        expect(maxOutput).toBeLessThanOrEqual(modelMax)
        if (maxOutput > 0) expect(holdFor({ ...asked, maxOutput }, price)).toBeLessThanOrEqual(left)
        if (maxOutput < modelMax) expect(holdFor({ ...asked, maxOutput: maxOutput + 1 }, price)).toBeGreaterThan(left)
      }),
      { numRuns: 500 },
    )
  })
})
