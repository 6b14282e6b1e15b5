import type { HiddenReason, ListingVisibility } from '@callboard/contract'
import { expect, test } from 'vitest'
import { visibilitySummaryOf } from './visibility-summary.ts'

const reason = (code: HiddenReason['code']): HiddenReason => ({ code, message: code, mend: '', deadline: null })
const shown = { shown: true, reasons: [] }
const hidden = (...codes: HiddenReason['code'][]) => ({ shown: false, place: null, reasons: codes.map(reason) })

test('results that leave a listing out for the same reasons are grouped, and those that show it have its place', () => {
  const results: ListingVisibility['results'] = [
    { result: 'discovery', ...hidden('not_verified') },
    { result: 'discovery?includeUnverified=true', ...shown, place: 3 },
    { result: 'services', ...hidden('not_verified') },
    { result: 'services?includeUnverified=true', ...shown, place: null },
    { result: 'calls', ...hidden('not_indexed') },
  ]
  expect(visibilitySummaryOf({ results })).toEqual({
    shownIn: [
      { result: 'discovery?includeUnverified=true', place: 3 },
      { result: 'services?includeUnverified=true', place: null },
    ],
    leftOut: [
      { results: ['discovery', 'services'], reasons: [reason('not_verified')] },
      { results: ['calls'], reasons: [reason('not_indexed')] },
    ],
  })
})

test('a reason that keeps a listing out of everything is given once', () => {
  const results: ListingVisibility['results'] = [
    { result: 'discovery', ...hidden('draft') },
    { result: 'calls', ...hidden('draft') },
  ]
  expect(visibilitySummaryOf({ results })).toEqual({
    shownIn: [],
    leftOut: [{ results: ['discovery', 'calls'], reasons: [reason('draft')] }],
  })
})
