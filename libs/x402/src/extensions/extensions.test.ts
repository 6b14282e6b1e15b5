import { x402ResourceServer } from '@x402/core/server'
import { describe, expect, test } from 'vitest'
import { PAYMENT, REQUIREMENTS } from '../../test/vectors.ts'
import type { Extensions } from '../messages/payment-required.ts'
import { checkEcho } from './extensions.ts'

const reference = new x402ResourceServer()
const referenceAccepts = (extensions: Extensions, echoed: Extensions | undefined) => {
  const offer = { x402Version: 2, resource: { url: 'https://api.example' }, accepts: [REQUIREMENTS], extensions }
  const payment = { ...PAYMENT, extensions: echoed } as Parameters<typeof reference.validateExtensions>[1]
  return reference.validateExtensions(offer as Parameters<typeof reference.validateExtensions>[0], payment).valid
}

const codes = (info: object) => ({ 'builder-code': { info } })
const many = (count: number) => Array.from({ length: count }, (_, at) => `svc_${at}`)

describe('checkEcho', () => {
  const identifier = { 'payment-identifier': { info: { required: true, nested: { a: [1] } }, schema: {} } }

  test.each<[string, Extensions, Extensions | undefined, boolean]>([
    ['no extensions at all', identifier, undefined, true],
    ['an empty echo', identifier, {}, true],
    ['an unchanged echo', identifier, identifier, true],
    [
      'a member added to info',
      identifier,
      { 'payment-identifier': { info: { required: true, nested: { a: [1], b: 2 }, id: 'x' } } },
      true,
    ],
    [
      'another schema',
      identifier,
      { 'payment-identifier': { ...identifier['payment-identifier'], schema: { a: 1 } } },
      true,
    ],
    [
      'a changed member',
      identifier,
      { 'payment-identifier': { info: { required: false, nested: { a: [1] } } } },
      false,
    ],
    ['a missing member', identifier, { 'payment-identifier': { info: { required: true } } }, false],
    [
      'a changed array',
      identifier,
      { 'payment-identifier': { info: { required: true, nested: { a: [1, 2] } } } },
      false,
    ],
    ['an info that is no object', identifier, { 'payment-identifier': { info: 'x' } }, false],
    ['an extension that the server did not advertise', identifier, { other: { info: { a: 1 } } }, true],
    ['the routing proof without an offer', {}, codes({ s: ['svc'] }), true],
    ['an app code without an offer', {}, codes({ a: 'app' }), false],
    ['the app code repeated', codes({ a: 'app' }), codes({ a: 'app', s: ['svc'] }), true],
    ['another app code', codes({ a: 'app' }), codes({ a: 'ppa' }), false],
    ['the app code left out', codes({ a: 'app' }), codes({ s: ['svc'] }), false],
    ['an app code where only services were offered', codes({ s: ['x'] }), codes({ a: 'app', s: ['x'] }), false],
    ['a service appended', codes({ a: 'app', s: ['x'] }), codes({ a: 'app', s: ['svc', 'x'] }), true],
    ['a service as text', codes({ s: ['x'] }), codes({ s: 'x' }), true],
    ['a service dropped', codes({ s: ['x'] }), codes({ s: ['svc'] }), false],
    ['all services dropped', codes({ s: ['x'] }), codes({}), false],
    ['ten services', codes({ s: ['svc_1'] }), codes({ s: many(10) }), true],
    ['eleven services', codes({ s: ['svc_1'] }), codes({ s: many(11) }), false],
  ])('behavior: judges %s as @x402/core does', (_, advertised, echoed, holds) => {
    expect(checkEcho(advertised, echoed).ok).toBe(holds)
    expect(referenceAccepts(advertised, echoed)).toBe(holds)
  })

  test.each([null, 'app', 7, [], undefined])(
    'behavior: an echo of builder codes as %j loses those that were offered',
    (echo) => {
      for (const echoed of [{ 'builder-code': echo }, { 'builder-code': { info: echo } }]) {
        expect(checkEcho(codes({ a: 'app' }), echoed).ok).toBe(false)
      }
    },
  )

  test('behavior: a prototype’s name is a name like any other (@x402/core 2.27 throws)', () => {
    expect(checkEcho(identifier, { constructor: { info: { a: 1 } } })).toEqual({ ok: true })
  })

  test('error: names the extension at fault', () => {
    expect(checkEcho(codes({ a: 'app' }), codes({ a: 'ppa' }))).toEqual({
      ok: false,
      reason: 'extension_echo_mismatch',
      extension: 'builder-code',
    })
  })
})
