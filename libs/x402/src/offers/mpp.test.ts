import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWwwAuthenticate, readMppChallenges } from './mpp.ts'

const REQUEST = { amount: '10000', currency: '0x20c0', recipient: '0x0', methodDetails: { chainId: 4217 } }
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const PAYMENT = `Payment id="abc", realm="api.example", method="tempo", intent="charge", request="${base64url(REQUEST)}"`

const parsed = (...values: string[]) =>
  parseWwwAuthenticate(values).map(({ scheme, params }) => [scheme, Object.fromEntries(params)])

describe('parseWwwAuthenticate', () => {
  test.each<[string, [string, object][]]>([
    ['Bearer', [['Bearer', {}]]],
    ['Bearer realm="x"', [['Bearer', { realm: 'x' }]]],
    [
      'Bearer realm=x, Payment id="1"',
      [
        ['Bearer', { realm: 'x' }],
        ['Payment', { id: '1' }],
      ],
    ],
    [
      'Negotiate, Payment id="1", realm="r"',
      [
        ['Negotiate', {}],
        ['Payment', { id: '1', realm: 'r' }],
      ],
    ],
    [
      'Negotiate YII==, Payment id="1"',
      [
        ['Negotiate', {}],
        ['Payment', { id: '1' }],
      ],
    ],
    ['Negotiate YII', [['Negotiate', {}]]],
    [
      'Negotiate a-._~+/Z9 , Payment id="1"',
      [
        ['Negotiate', {}],
        ['Payment', { id: '1' }],
      ],
    ],
    ['Payment id=1', [['Payment', { id: '1' }]]],
    ['Payment description="a, b=\\"c\\", Bearer", id="1"', [['Payment', { description: 'a, b="c", Bearer', id: '1' }]]],
    ['Payment id = "1" ,  REALM = r', [['Payment', { id: '1', realm: 'r' }]]],
    [', ,Payment id="1",,realm="r",', [['Payment', { id: '1', realm: 'r' }]]],
    ['Payment id="1", id="2"', [['Payment', { id: '1' }]]],
    ['Payment id="1", broken="x, realm="r"', [['Payment', { id: '1', realm: 'r' }]]],
    ['Payment id="back\\\\slash"', [['Payment', { id: 'back\\slash' }]]],
    ['realm="nobody"', []],
    ['', []],
  ])('behavior: parses %s', (value, challenges) => {
    expect(parsed(value)).toEqual(challenges)
  })

  test('behavior: reads several headers like one list', () => {
    expect(parsed('Bearer', 'Payment id="1"')).toEqual(parsed('Bearer, Payment id="1"'))
  })

  test('behavior: any quoted text survives', () => {
    const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
    fc.assert(
      fc.property(fc.string(), fc.string(), (id, realm) => {
        expect(parsed(`Bearer, Payment id=${quoted(id)}, realm=${quoted(realm)}`)).toEqual([
          ['Bearer', {}],
          ['Payment', { id, realm }],
        ])
      }),
    )
  })

  test('behavior: never throws or hangs, whatever the text', () => {
    const noise = fc.array(fc.constantFrom('Payment', ' ', ',', '=', '"', '\\', 'id', '==', 'ü'), { maxLength: 60 })
    fc.assert(fc.property(noise, (parts) => Array.isArray(parseWwwAuthenticate([parts.join('')]))))
    for (const text of ['a="\\', 'a=",', '"', 'a ', 'a=', ','])
      parseWwwAuthenticate([text.repeat(16_000).slice(0, 65_536)])
  }, 2_000)
})

describe('readMppChallenges', () => {
  test('default: reads a challenge with its decoded request', () => {
    expect(readMppChallenges([`Bearer realm="x", ${PAYMENT}, expires="2026-12-01T00:00:00Z"`])).toEqual([
      {
        id: 'abc',
        realm: 'api.example',
        method: 'tempo',
        intent: 'charge',
        request: REQUEST,
        expires: '2026-12-01T00:00:00Z',
      },
    ])
  })

  test('behavior: reads several challenges, and a scheme in any letter case', () => {
    expect(readMppChallenges([`${PAYMENT}, ${PAYMENT.replace('Payment', 'payment')}`])).toHaveLength(2)
  })

  test('behavior: another scheme is not an MPP challenge, whatever its parameters', () => {
    expect(readMppChallenges([PAYMENT.replace('Payment', 'Bearer')])).toEqual([])
  })

  test.each(['', '@@@', base64url([1]), Buffer.from('nonsense').toString('base64url')])(
    'behavior: a request of %j is recognised and left undecoded',
    (request) => {
      const value = PAYMENT.replace(/request="[^"]*"/, `request="${request}"`)
      expect(readMppChallenges([value])[0]?.request).toBeNull()
    },
  )

  test.each(['id', 'realm', 'method', 'intent', 'request'])('error: without %s it is not a challenge', (name) => {
    expect(readMppChallenges([PAYMENT.replace(new RegExp(`${name}="[^"]*"`), `x="y"`)])).toEqual([])
  })
})
