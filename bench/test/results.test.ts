import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isMet, ratioOf } from '../src/figure.ts'
import { pageOfKept } from '../src/main.ts'
import { keeping, page, type Result } from '../src/results.ts'

test('results.md matches the kept results', () => {
  expect(readFileSync(join(import.meta.dirname, '../results.md'), 'utf8')).toBe(pageOfKept())
})

test('a ratio says how many times better our value is, in either direction', () => {
  const peer = { name: 'peer', value: 10 }
  const more = { what: 'calls', unit: '/s', better: 'more', ours: 20, peer, target: { ratio: 2 } } as const
  const less = { what: 'time', unit: 'ms', better: 'less', ours: 20, peer, target: { value: 15 } } as const
  expect([ratioOf(more), isMet(more)]).toEqual([2, true])
  expect([ratioOf(less), isMet(less)]).toEqual([0.5, false])
})

describe('a repeated measurement', () => {
  const figure = (machine: string, ours: number): Result => ({
    ...{ name: 'calls', title: 'Calls', method: 'They are counted.', date: '2026-01-01', machine, node: '24.0.0' },
    comparisons: [{ what: 'calls', unit: '/s', better: 'more', ours, peer: { name: 'peer', value: 10 } }],
  })

  test('on another machine keeps the first machine’s result, and shows both', () => {
    const kept = keeping(figure('large', 40), figure('small', 20))
    expect(kept.elsewhere).toMatchObject({ machine: 'small', comparisons: [{ ours: 20 }] })
    expect(page([kept])).toContain('| calls | 40 /s | 10 /s (peer) | **4 ×** |  |  | 20 /s, 2 × |')
  })

  test('on the same machine replaces its result, and keeps the other machine’s', () => {
    const kept = keeping(figure('large', 50), keeping(figure('large', 40), figure('small', 20)))
    expect([kept.machine, kept.comparisons[0]?.ours, kept.elsewhere?.machine]).toEqual(['large', 50, 'small'])
  })
})
