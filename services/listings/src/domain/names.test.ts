import { describe, expect, test } from 'vitest'
import { isAlike } from './names.ts'

const alike = (one: string, other: string) => [
  isAlike({ name: one }, { name: other }),
  isAlike({ name: other }, { name: one }),
]

describe('isAlike', () => {
  test.each([
    ['Quotes', 'Quotes'],
    ['Quotes', 'QUOTES'],
    ['Quotes', ' Quo-tes! '],
    ['Quotes', 'Quotès'],
    ['PayPaI', 'Paypal'],
    ['Раураl', 'Paypal'],
    ['Data 1', 'Datal'],
    ['A★B', 'ab'],
    ['C++', 'C'],
    ['が', 'か'],
    ['ﬁn', 'fin'],
    ['Tokyo 天気', 'tokyo天気'],
    ['🚀', '🚀'],
    ['---', '---'],
  ])('default: “%s” resembles “%s”', (one, other) => {
    expect(alike(one, other)).toEqual([true, true])
  })

  test.each([
    ['Quotes', 'Quote'],
    ['Quotes 1', 'Quotes 2'],
    ['天気', '気象'],
    ['C', 'D'],
  ])('behavior: “%s” does not resemble “%s”', (one, other) => {
    expect(alike(one, other)).toEqual([false, false])
  })

  test.each([
    ['😀', '🚀'],
    ['🚀', '---'],
    ['---', '…'],
  ])('behavior: signs resemble only themselves: not “%s” and “%s”', (one, other) => {
    expect(alike(one, other)).toEqual([false, false])
  })
})
