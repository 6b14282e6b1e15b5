import { expect, test } from 'vitest'
import { restoredBecause } from './restored.ts'

const same = { history: '7/00000001', knownHistory: '7/00000001' }
const other = { history: '7/00000002', knownHistory: '7/00000001' }

test.each([
  ['it stands below the mark that is kept outside', { beat: 40, keptBeat: 41, ...same }],
  ['the same after a takeover', { beat: 40, keptBeat: 41, ...other }],
  ['another history, of which nothing is kept outside', { beat: 40, keptBeat: undefined, ...other }],
])('restored: %s', (_, seen) => {
  expect(restoredBecause(seen)).toContain('it')
})

test.each([
  ['it stands at the mark', { beat: 41, keptBeat: 41, ...same }],
  ['it stands above the mark, which Redis did not get', { beat: 45, keptBeat: 41, ...same }],
  ['a takeover that lost no acknowledged mark', { beat: 41, keptBeat: 41, ...other }],
  ['Redis lost its data, and Postgres is the one of before', { beat: 41, keptBeat: undefined, ...same }],
  ['it was never marked', { beat: 0, keptBeat: undefined, history: '7/00000001', knownHistory: null }],
])('not restored: %s', (_, seen) => {
  expect(restoredBecause(seen)).toBeUndefined()
})
