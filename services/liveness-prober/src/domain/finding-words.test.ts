import { describe, expect, test } from 'vitest'
import { inWords, redirectTarget } from './finding.ts'

const FROM = new URL('https://api.example/v1/quote?x=1')
const target = (status: number, location?: string | string[]) =>
  redirectTarget({ status, headers: { location }, bodyText: '' }, FROM)

describe('redirectTarget', () => {
  test.each([
    ['https://www.api.example/v2', 'https://www.api.example/v2'],
    ['http://other.example', 'http://other.example/'],
    ['//other.example/a', 'https://other.example/a'],
    ['/v2/quote', 'https://api.example/v2/quote'],
    ['rate', 'https://api.example/v1/rate'],
    [['/first', '/second'], 'https://api.example/first'],
    ['https://user:pass@api.example/', 'https://api.example/'],
  ])('of %j is %s', (location, leadsTo) => {
    expect(target(302, location)).toBe(leadsTo)
  })

  test.each([
    [undefined],
    [''],
    [[]],
    ['ftp://api.example/'],
    ['xhttp://api.example/'],
    ['javascript:alert(1)'],
    ['http://['],
  ])('of %j is none', (location) => {
    expect(target(302, location)).toBeUndefined()
  })

  test.each([
    [299, undefined],
    [300, 'https://api.example/a'],
    [399, 'https://api.example/a'],
    [400, undefined],
  ])('of a %i is %s', (status, leadsTo) => {
    expect(target(status, '/a')).toBe(leadsTo)
  })

  test('is at most 2,048 characters long', () => {
    const path = (length: number) => `/${'a'.repeat(length - 'https://api.example/'.length)}`
    expect(target(302, path(2_048))).toHaveLength(2_048)
    expect(target(302, path(2_049))).toBeUndefined()
  })
})

describe('inWords', () => {
  test.each([
    [{}, 'No.'],
    [{ redirectTo: 'https://a.example/' }, 'No. It redirects to https://a.example/.'],
    [{ methods: ['POST', 'PUT'] as const }, 'No. It says that it accepts POST, PUT.'],
    [{ contentEncoding: 'gzip' }, 'No. Its body is encoded as gzip.'],
    [{ unread: [] }, 'No.'],
    [
      {
        unread: [
          { index: 0, members: ['amount', 'payTo'] },
          { index: 2, members: [] },
        ],
      },
      'No. Missing or of the wrong kind: accepts[0].amount, accepts[0].payTo, accepts[2].',
    ],
    [
      { unread: Array.from({ length: 9 }, (_, index) => ({ index, members: ['asset'] })) },
      `No. Missing or of the wrong kind: ${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `accepts[${at}].asset`).join(', ')}.`,
    ],
    [
      { redirectTo: 'https://a.example/', methods: ['GET'] as const, contentEncoding: 'br' },
      'No. It redirects to https://a.example/. It says that it accepts GET. Its body is encoded as br.',
    ],
  ])('adds after the sentence what only this answer says: %j', (facts, words) => {
    expect(inWords('No.', facts)).toBe(words)
  })
})
