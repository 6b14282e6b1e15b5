import { describe, expect, test } from 'vitest'
import { nextCursor, soldTools } from './tools.ts'

const paid = { annotations: { paymentHint: true } }
const names = (...tools: unknown[]) => soldTools([{ tools }]).map(({ name }) => name)

describe('soldTools', () => {
  test('default: a tool that hints at its payment is sold, with what it says of itself', () => {
    const described = { description: 'A quote', inputSchema: { type: 'object' } }
    expect(soldTools([{ tools: [{ name: 'quote', title: 'Quote', ...described, ...paid }] }])).toEqual([
      { name: 'quote', ...described },
    ])
    expect(names({ name: 'quote', _meta: { 'agents-x402/paymentRequired': true } })).toEqual(['quote'])
  })

  test.each([
    { annotations: { paymentHint: 'true' } },
    { annotations: { paymentHint: false } },
    { annotations: { readOnlyHint: true } },
    { annotations: null },
    { _meta: { 'agents-x402/paymentRequired': 1 } },
    { _meta: { 'agents-x402/priceUSD': 0.01 } },
    { description: 'Costs $0.01' },
  ])('behavior: with %j it does not say that it is sold', (says) => {
    expect(names({ name: 'quote', ...says })).toEqual([])
  })

  test('behavior: one that destroys is left alone', () => {
    expect(names({ name: 'wipe', annotations: { paymentHint: true, destructiveHint: true } })).toEqual([])
    expect(names({ name: 'add', annotations: { paymentHint: true, destructiveHint: false } })).toEqual(['add'])
  })

  test('behavior: each is sold once, over all pages, in the order of the list', () => {
    const [a, b] = [
      { name: 'a', ...paid },
      { name: 'b', ...paid },
    ]
    expect(soldTools([{ tools: [a, b] }, { tools: [a] }]).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('behavior: a name has 1 to 128 characters', () => {
    const long = 'n'.repeat(128)
    expect(names({ name: long, ...paid }, { name: `${long}!`, ...paid }, { name: '', ...paid }, { ...paid })).toEqual([
      long,
    ])
  })

  test('behavior: what is no list, no tool, no text and no schema is left out', () => {
    expect(soldTools([undefined, null, 7, {}, { tools: 'quote' }])).toEqual([])
    expect(names(null, 'quote', [paid])).toEqual([])
    expect(soldTools([{ tools: [{ name: 'a', description: 7, inputSchema: 'object', ...paid }] }])).toEqual([
      { name: 'a' },
    ])
  })
})

describe('nextCursor', () => {
  test('default: a list has a next page where it names one, in up to 1,024 characters', () => {
    const long = 'c'.repeat(1024)
    expect(nextCursor({ nextCursor: long })).toBe(long)
    expect(nextCursor({ nextCursor: `${long}!` })).toBeUndefined()
  })

  test.each([undefined, null, {}, { nextCursor: 7 }, 'next'])('behavior: %j names none', (result) => {
    expect(nextCursor(result)).toBeUndefined()
  })
})
