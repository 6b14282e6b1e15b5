import { expect, test } from 'vitest'
import { billOf, nanoOf, priceOf, usdText } from '../../src/budget-board/price.ts'

test('a bill is the sum of its tokens by the price row, to the nano-USD', () => {
  expect(billOf({ fresh: 10, cacheRead: 4, output: 3 }, priceOf('chat'))).toBe(100_000n + 4_000n + 750_000n)
  expect(billOf({ fresh: 10, cacheRead: 0, output: 3 }, priceOf('embeddings'))).toBe(1_500_000n)
})

test.each([
  ['0', 0n],
  ['1', 1_000_000_000n],
  ['0.000000001', 1n],
  ['12.5', 12_500_000_000n],
])('%s USD is exact as text', (text, nano) => {
  expect(nanoOf(text)).toBe(nano)
  expect(nanoOf(usdText(nano))).toBe(nano)
})

test('a sum of floating-point numbers is the nano-USD next to it', () => {
  expect(nanoOf(0.1 + 0.2)).toBe(300_000_000n)
  expect(nanoOf(1e-7)).toBe(100n)
})
