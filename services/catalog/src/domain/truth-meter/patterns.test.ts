import { expect, test } from 'vitest'
import { bitOf, type Evidence, liftOf, PATTERNS, type Pattern, patternsIn, reasonOf } from './patterns.ts'

test('the bits of a settlement’s column never change', () => {
  expect(Object.fromEntries(PATTERNS.map((pattern) => [pattern, bitOf(pattern)]))).toEqual({
    ...{ self_pay: 1, ring: 2, one_payer: 4, fresh_wallets: 8, dust: 16 },
    ...{ facilitators_own: 32, splitter_loop: 64, burst: 128 },
  })
})

test('patternsIn: returns the patterns whose bits are set, in their order', () => {
  expect(patternsIn(128 + 2 + 1)).toEqual(['self_pay', 'ring', 'burst'])
  expect([patternsIn(0), patternsIn(256)]).toEqual([[], []])
})

test.each<[Pattern, Evidence, string]>([
  ['self_pay', { calls: 4, wallet: '0xa' }, 'The seller paid itself: 4 calls in two weeks are from 0xa.'],
  [
    'ring',
    { members: 3, insideShare: 0.719 },
    '3 wallets pay each other in a circle, and 71 % of what the seller earned came from inside it.',
  ],
  [
    'one_payer',
    { calls: 40, share: 0.9 },
    'One wallet made 40 calls, brought 90 % of the seller’s volume in two weeks, and pays hardly any other seller.',
  ],
  [
    'fresh_wallets',
    { wallets: 25, share: 0.75 },
    '25 wallets that paid no other seller in two weeks brought 75 % of the seller’s volume, in five calls or fewer each.',
  ],
  ['dust', { calls: 10 }, '10 of the seller’s calls in two weeks are below the smallest amount that counts.'],
  [
    'facilitators_own',
    { calls: 4, payers: 5 },
    'In two weeks the payer settled for 5 other payers, and made 4 calls itself.',
  ],
  ['splitter_loop', { calls: 4, wallet: '0xa' }, '4 calls went into the splitter that pays out to their payer, 0xa.'],
  [
    'burst',
    { calls: 60, slots: 2 },
    'The wallet made 60 calls in 2 periods of ten minutes, and was silent for the rest of two weeks.',
  ],
])('%s says what the rule relied on, and what lifts it', (pattern, evidence, reason) => {
  expect(reasonOf({ pattern, evidence })).toBe(reason)
  expect(liftOf(pattern)).toMatch(/^[A-Z].+\.$/)
})

test('each pattern is lifted by something different', () => {
  expect(new Set(PATTERNS.map(liftOf)).size).toBe(8)
})
