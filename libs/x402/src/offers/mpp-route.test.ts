import { describe, expect, test } from 'vitest'
import { bindsRoute, parseWwwAuthenticate, readMppChallenges } from './mpp.ts'

const CHALLENGE = 'Payment id="a", realm="r", method="tempo", intent="charge", request="e30"'

describe('bindsRoute', () => {
  test.each([
    ['its scope', { _mppx_scope: 'e30' }],
    ['the digest of a body', { digest: 'sha-256=:AA=:' }],
    ['an opaque value', { opaque: '' }],
  ])('default: an offer with %s is bound to its route', (_, info) => {
    expect(bindsRoute({ mppx: { info: { method: 'GET', ...info } } })).toBe(true)
  })

  test.each([undefined, {}, { mppx: null }, { mppx: 'GET' }, { mppx: {} }, { mppx: { info: 'digest' } }])(
    'behavior: %j binds nothing',
    (extensions) => {
      expect(bindsRoute(extensions)).toBe(false)
    },
  )

  test('behavior: neither a method alone nor another extension binds anything', () => {
    expect(bindsRoute({ mppx: { info: { method: 'GET', digest: undefined } } })).toBe(false)
    expect(bindsRoute({ other: { info: { digest: 'x' } } })).toBe(false)
  })
})

describe('readMppChallenges', () => {
  test('default: a minimal challenge has no other members', () => {
    expect(readMppChallenges([CHALLENGE])).toStrictEqual([
      { id: 'a', realm: 'r', method: 'tempo', intent: 'charge', request: {} },
    ])
  })

  test('default: description and expiry are returned as sent', () => {
    const more = `${CHALLENGE}, description="Weather, today", expires="2026-12-01T00:00:00Z"`
    expect(readMppChallenges([more])).toMatchObject([
      { description: 'Weather, today', expires: '2026-12-01T00:00:00Z' },
    ])
  })

  test.each(['id', 'method', 'intent'])('error: with an empty %s it is not a challenge', (name) => {
    expect(readMppChallenges([CHALLENGE.replace(new RegExp(`${name}="[^"]*"`), `${name}=""`)])).toEqual([])
  })

  test('behavior: a realm can be empty', () => {
    expect(readMppChallenges([CHALLENGE.replace('realm="r"', 'realm=""')])).toMatchObject([{ realm: '' }])
  })
})

describe('limits', () => {
  const ofLength = (length: number) => `Payment id="${'x'.repeat(length - 13)}"`

  test('behavior: reads a header of 64 KiB, and skips a longer one but reads others with it', () => {
    expect(ofLength(65_536)).toHaveLength(65_536)
    expect(parseWwwAuthenticate([ofLength(65_536)])).toHaveLength(1)
    expect(parseWwwAuthenticate([ofLength(65_537), 'Bearer']).map(({ scheme }) => scheme)).toEqual(['Bearer'])
  })
})
