import { describe, expect, test } from 'vitest'
import { AUTHORIZATION, PAYER, REQUIREMENTS, THIRD_PARTY } from '../../test/vectors.ts'
import { toUtf8 } from '../base64.ts'
import { canonicalTarget, type PaidRequest, paymentFingerprint, requestFingerprint } from './fingerprint.ts'

const REQUEST: PaidRequest = { method: 'POST', url: '/api/router/top-up/5?b=2&a=1', body: toUtf8('{}'), owner: PAYER }

const fingerprint = (
  request: Partial<PaidRequest> = {},
  terms: object = {},
  from = PAYER,
  nonce = AUTHORIZATION.nonce,
) => paymentFingerprint({ ...REQUEST, ...request }, { ...REQUIREMENTS, ...terms }, from, nonce)

describe('canonicalTarget', () => {
  test.each([
    ['/a?b=2&a=1', '/a?a=1&b=2'],
    ['/a?x=2&x=1', '/a?x=2&x=1'],
    ['/a?q=a+b', '/a?q=a+b'],
    ['/a?q=a%20b', '/a?q=a+b'],
    ['/%7euser/%2f', '/~user/%2F'],
    ['/a/./b/../c', '/a/c'],
    ['/a?', '/a'],
    ['/a#part', '/a'],
    ['/%3a%41%2D%5f%7E%2e', '/%3AA-_~.'],
    ['/%C3%a4', '/%C3%A4'],
    ['https://api.example/a?b=1', '/a?b=1'],
    ['//other.example/a', '//other.example/a'],
  ])('behavior: %s becomes %s', (url, spelled) => {
    expect(canonicalTarget(url)).toBe(spelled)
    expect(canonicalTarget(spelled)).toBe(spelled)
  })

  test('error: throws for text that is neither a URL nor a path', () => {
    expect(() => canonicalTarget('weather')).toThrow(TypeError)
  })
})

describe('paymentFingerprint', () => {
  test('default: the same payment for the same request has one fingerprint, whatever its spelling', () => {
    expect(fingerprint()).toMatch(/^0x[0-9a-f]{64}$/)
    expect(fingerprint({ method: 'post', url: '/api/router/top-up/5?a=1&b=2' })).toBe(fingerprint())
    expect(fingerprint({ owner: PAYER.toLowerCase() }, { payTo: REQUIREMENTS.payTo.toLowerCase() })).toBe(fingerprint())
  })

  test('default: matches the published vector, because stored fingerprints outlive a release', () => {
    expect(fingerprint()).toBe('0xe5b3b1e3c3c9fce748101085b25699df5ae28fad84120f74d08214662e5b8de5')
  })

  test('behavior: every part changes the fingerprint', () => {
    const others = [
      fingerprint({ method: 'GET' }),
      fingerprint({ url: '/api/router/top-up/20?b=2&a=1' }),
      fingerprint({ url: '/api/router/top-up/5' }),
      fingerprint({ body: toUtf8('{ }') }),
      fingerprint({ owner: THIRD_PARTY }),
      fingerprint({}, { amount: '1' }),
      fingerprint({}, { network: 'eip155:5042' }),
      fingerprint({}, { asset: THIRD_PARTY }),
      fingerprint({}, { payTo: THIRD_PARTY }),
      fingerprint({}, { scheme: 'upto' }),
      fingerprint({}, {}, THIRD_PARTY),
      fingerprint({}, {}, PAYER, `0x${'00'.repeat(32)}`),
      requestFingerprint(REQUEST),
    ]
    expect(new Set([fingerprint(), ...others]).size).toBe(others.length + 1)
  })
})

describe('requestFingerprint', () => {
  test('default: matches the published vectors, with and without owner and body', () => {
    expect(requestFingerprint(REQUEST)).toBe('0x48de77d0cce6aea864aecd77a623e5285ec5aa86242e18e8a4e02214f4b49e8e')
    expect(requestFingerprint({ method: 'get', url: 'https://api.example/weather' })).toBe(
      '0x110945cceec7918925edd729e9cb7aacb7626c7f467e019fb72383416f609646',
    )
  })

  test('behavior: another method, target, body or owner changes the fingerprint', () => {
    const others = [
      { method: 'PUT' },
      { url: '/api/router/top-up/6?b=2&a=1' },
      { body: toUtf8('[]') },
      { owner: THIRD_PARTY },
    ].map((change) => requestFingerprint({ ...REQUEST, ...change }))
    expect(new Set([requestFingerprint(REQUEST), ...others]).size).toBe(5)
  })

  test('default: the same request has one fingerprint, and an absent body equals an empty one', () => {
    expect(requestFingerprint({ ...REQUEST })).toBe(requestFingerprint(REQUEST))
    const { body: _, ...bodiless } = REQUEST
    expect(requestFingerprint(bodiless)).toBe(requestFingerprint({ ...REQUEST, body: new Uint8Array() }))
  })
})
