import { describe, expect, test } from 'vitest'
import { operation } from '../../test/held-listing.ts'
import { rejectionAfter, repeatsRejected, shownRejection } from './rejection.ts'

const selling = (...urls: readonly string[]) => urls.map((url) => ({ ...operation, url }))
const compared = (name: string, ...urls: readonly string[]) => ({ name, operations: selling(...urls) })
const rejected = (slug: string, name: string, ...urls: readonly string[]) => ({
  ...{ slug, ...compared(name, ...urls) },
  rejection: { at: 0, reason: 'It sells nothing.' },
})

const QUOTE = 'https://api.example/quote'
const REJECTED = rejected('quotes', 'Quotes', QUOTE, 'https://api.example/history')

describe('repeatsRejected', () => {
  test('default: returns nothing for another name and other endpoints', () => {
    expect(repeatsRejected(compared('Weather', 'https://api.example/weather'), [REJECTED])).toBeUndefined()
    expect(repeatsRejected(compared('Quotes', QUOTE), [])).toBeUndefined()
  })

  test.each(['Quotes', 'quotes!', 'QUOTES'])('409 invalid_state: the same name: %s', (name) => {
    expect(repeatsRejected(compared(name, 'https://api.example/weather'), [REJECTED])).toEqual({
      refusal: 'invalid_state',
      field: 'name',
      message: expect.stringMatching(/rejected quotes, which has the same name\./),
    })
  })

  test.each([QUOTE, `${QUOTE}?symbol=ABC`, `${QUOTE}#part`, 'https://API.example:443/quote'])(
    '409 invalid_state: the same endpoint: %s',
    (url) => {
      expect(repeatsRejected(compared('Weather', 'https://api.example/weather', url), [REJECTED])).toEqual({
        refusal: 'invalid_state',
        field: 'operations.1.url',
        message: expect.stringMatching(/rejected quotes, which has the same endpoint\./),
      })
    },
  )

  test('behavior: if both are repeated, the endpoint is named before the name', () => {
    expect(repeatsRejected(compared('Quotes', QUOTE), [REJECTED])).toMatchObject({ field: 'operations.0.url' })
  })

  test('behavior: every rejected listing counts, and the first repeated one is named', () => {
    const others = [rejected('loans', 'Loans', 'https://loans.example/'), REJECTED, rejected('quotes-2', 'Quotes')]
    expect(repeatsRejected(compared('Quotes'), others)).toMatchObject({
      field: 'name',
      message: expect.stringContaining('rejected quotes,'),
    })
  })
})

test('repeatsRejected: says of a suspended listing that it was suspended', () => {
  const suspended = { ...REJECTED, rejection: { ...REJECTED.rejection, kind: 'suspended' as const } }
  const refusal = repeatsRejected(compared('Quotes', QUOTE), [suspended])
  expect(refusal?.message).toContain('The operator suspended quotes')
})

test('rejectionAfter: a verdict against a listing lasts until it is withdrawn', () => {
  const rejected = rejectionAfter(null, 'reject', 'It sells nothing.', 5)
  expect(rejected).toEqual({ kind: 'rejected', at: 5, reason: 'It sells nothing.' })
  expect(rejectionAfter(null, 'suspend', 'It changed.', 6)).toEqual({ kind: 'suspended', at: 6, reason: 'It changed.' })
  expect(rejectionAfter(rejected, 'verify', undefined, 7)).toBe(rejected)
  expect(rejectionAfter(rejected, 'reopen', undefined, 7)).toBeNull()
})

test('shownRejection: a verdict is shown under one name, and an older one without a kind is a rejection', () => {
  const shown = { at: '1970-01-01T00:00:00.000Z', reason: 'Why' }
  expect(shownRejection({ kind: 'suspended', at: 0, reason: 'Why' })).toEqual({ rejection: null, suspension: shown })
  expect(shownRejection({ at: 0, reason: 'Why' })).toEqual({ rejection: shown, suspension: null })
  expect(shownRejection(null)).toEqual({ rejection: null, suspension: null })
})
