import { expect, test } from 'vitest'
import type { Mirrored } from './mirrored.ts'
import { stale } from './stale.ts'

const row = { slug: 'a', state: 'payable', stateSince: 1, reason: null, createdAt: 2_000, okAt: 61_000 } as Mirrored

test('a stale row is stale from now on, and says since when no probe could read it', () => {
  expect(stale(row, 99)).toEqual({
    ...{ ...row, state: 'stale', stateSince: 99 },
    reason: expect.stringContaining('since 1970-01-01T00:01:01.000Z.'),
  })
})

test('a row that was never read says since when it exists', () => {
  expect(stale({ ...row, okAt: null }, 99).reason).toContain('since 1970-01-01T00:00:02.000Z.')
})
