import { expect, test } from 'vitest'
import { seenOf } from './seen.ts'

test('default: equal contents have one name, others another', () => {
  const content = (amount: number) => ({ accepts: [{ payTo: '0xab', amount }] })
  expect(seenOf(content(1))).toBe(seenOf(content(1)))
  expect(seenOf(content(1))).not.toBe(seenOf(content(2)))
})

test('behavior: a name is 160 bits in hex, which no command line takes for an option', () => {
  const names = Array.from({ length: 256 }, (_, content) => seenOf(content))
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{40}$/)
  expect(new Set(names).size).toBe(256)
})
