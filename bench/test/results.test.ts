import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isMet, ratioOf } from '../src/figure.ts'
import { kept } from '../src/main.ts'
import { page } from '../src/results.ts'

test('results.md says what was kept', () => {
  expect(readFileSync(join(import.meta.dirname, '../results.md'), 'utf8')).toBe(page(kept()))
})

test('a ratio says how many times better ours is, whichever way is better', () => {
  const peer = { name: 'peer', value: 10 }
  const more = { what: 'calls', unit: '/s', better: 'more', ours: 20, peer, target: { ratio: 2 } } as const
  const less = { what: 'time', unit: 'ms', better: 'less', ours: 20, peer, target: { value: 15 } } as const
  expect([ratioOf(more), isMet(more)]).toEqual([2, true])
  expect([ratioOf(less), isMet(less)]).toEqual([0.5, false])
})
