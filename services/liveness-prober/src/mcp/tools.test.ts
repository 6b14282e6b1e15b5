import { describe, expect, test } from 'vitest'
import { nextCursor, soldTools } from './tools.ts'

const paid = { annotations: { paymentHint: true } }
const names = (...tools: unknown[]) => soldTools([{ tools }]).map(({ name }) => name)

describe('soldTools', () => {
  test('default: a tool that hints at its payment is sold, with its own description', () => {
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
  ])('behavior: a tool with %j does not say that it is sold', (says) => {
    expect(names({ name: 'quote', ...says })).toEqual([])
  })

  test('behavior: a destructive tool is left out', () => {
    expect(names({ name: 'wipe', annotations: { paymentHint: true, destructiveHint: true } })).toEqual([])
    expect(names({ name: 'add', annotations: { paymentHint: true, destructiveHint: false } })).toEqual(['add'])
  })

  test('behavior: each tool is sold once, over all pages, in the order of the list', () => {
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

  test('behavior: values that are not lists, tools, texts or schemas are left out', () => {
    expect(soldTools([undefined, null, 7, {}, { tools: 'quote' }])).toEqual([])
    expect(names(null, 'quote', [paid])).toEqual([])
    expect(soldTools([{ tools: [{ name: 'a', description: 7, inputSchema: 'object', ...paid }] }])).toEqual([
      { name: 'a' },
    ])
  })
})

describe('nextCursor', () => {
  test('default: a list has a next page if it names one, in up to 1,024 characters', () => {
    const long = 'c'.repeat(1024)
    expect(nextCursor({ nextCursor: long })).toBe(long)
    expect(nextCursor({ nextCursor: `${long}!` })).toBeUndefined()
  })

  test.each([undefined, null, {}, { nextCursor: 7 }, 'next'])('behavior: %j names no next page', (result) => {
    expect(nextCursor(result)).toBeUndefined()
  })
})
