import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isMet, ratioOf } from '../src/figure.ts'
import { pageOfKept } from '../src/main.ts'
import { keeping, page, type Result } from '../src/results.ts'

test('results.md says what was kept', () => {
  expect(readFileSync(join(import.meta.dirname, '../results.md'), 'utf8')).toBe(pageOfKept())
})

test('a ratio says how many times better ours is, whichever way is better', () => {
  const peer = { name: 'peer', value: 10 }
  const more = { what: 'calls', unit: '/s', better: 'more', ours: 20, peer, target: { ratio: 2 } } as const
  const less = { what: 'time', unit: 'ms', better: 'less', ours: 20, peer, target: { value: 15 } } as const
  expect([ratioOf(more), isMet(more)]).toEqual([2, true])
  expect([ratioOf(less), isMet(less)]).toEqual([0.5, false])
})

describe('a figure that is measured again', () => {
  const figure = (machine: string, ours: number): Result => ({
    ...{ name: 'calls', title: 'Calls', method: 'They are counted.', date: '2026-01-01', machine, node: '24.0.0' },
    comparisons: [{ what: 'calls', unit: '/s', better: 'more', ours, peer: { name: 'peer', value: 10 } }],
  })

  test('on another machine keeps what the first one found, and says both', () => {
    const kept = keeping(figure('large', 40), figure('small', 20))
    expect(kept.elsewhere).toMatchObject({ machine: 'small', comparisons: [{ ours: 20 }] })
    expect(page([kept])).toContain('| calls | 40 /s | 10 /s (peer) | **4 ×** |  |  | 20 /s, 2 × |')
  })

  test('on the same machine replaces what it found there, and keeps what the other one did', () => {
    const kept = keeping(figure('large', 50), keeping(figure('large', 40), figure('small', 20)))
    expect([kept.machine, kept.comparisons[0]?.ours, kept.elsewhere?.machine]).toEqual(['large', 50, 'small'])
  })
})
