import { BuilderCodeClientExtension, declareBuilderCodeExtension } from '@x402/extensions/builder-code'
import { describe, expect, test } from 'vitest'
import { PAYMENT } from '../../test/vectors.ts'
import { BUILDER_CODE, isRoutedByUs, offerBuilderCode, readBuilderCodes, withRoutingProof } from './builder-code.ts'
import { checkEcho } from './extensions.ts'

const codes = (info: unknown) => ({ [BUILDER_CODE]: { info } })

describe('builder-code', () => {
  test('default: the offer equals that of @x402/extensions', () => {
    const reference = declareBuilderCodeExtension('app', ['one', 'two'])
    expect(offerBuilderCode({ a: 'app', s: ['one', 'two'] }).info).toEqual(reference.info)
    const { schema } = offerBuilderCode({ a: 'app' })
    // One more service code is the facilitator's own, on chain.
    const s = { ...reference.schema.properties.s, maxItems: 10 }
    expect(schema).toEqual({ ...reference.schema, properties: { ...reference.schema.properties, s } })
  })

  test('behavior: can advertise five services, an app code alone, or nothing', () => {
    const five = { s: ['a', 'b', 'c', 'd', 'x'.repeat(32)] }
    expect(offerBuilderCode(five).info).toEqual(five)
    expect(offerBuilderCode({}).info).toEqual({})
  })

  test('error: never advertises codes that break the rules', () => {
    expect(() => offerBuilderCode({ a: 'UPPER' })).toThrow()
    expect(() => offerBuilderCode({ s: ['a', 'b', 'c', 'd', 'e', 'f'] })).toThrow()
    expect(() => offerBuilderCode({ s: [] })).toThrow()
    expect(() => offerBuilderCode({ s: ['x'.repeat(33)] })).toThrow()
    expect(() => offerBuilderCode({ w: 'facilitator' } as object)).toThrow()
  })

  test('default: our proof is found where our client puts it', () => {
    expect(isRoutedByUs(withRoutingProof())).toBe(true)
    expect(withRoutingProof()).toEqual(codes({ s: ['svc'] }))
  })

  test('behavior: our proof keeps what the server advertised, so the echo check passes', () => {
    const advertised = { [BUILDER_CODE]: offerBuilderCode({ a: 'app', s: ['one'] }), other: { info: { x: 1 } } }
    const echoed = withRoutingProof(advertised)
    expect(echoed[BUILDER_CODE]).toMatchObject({ info: { a: 'app', s: ['one', 'svc'] } })
    expect(checkEcho(advertised, echoed)).toEqual({ ok: true })
    expect(withRoutingProof(echoed)).toEqual(echoed)
  })

  test('behavior: the proof of a client of @x402/extensions is found', async () => {
    const client = new BuilderCodeClientExtension('svc')
    type Arguments = Parameters<typeof client.enrichPaymentPayload>
    const paid = await client.enrichPaymentPayload(PAYMENT as Arguments[0], {} as Arguments[1])
    expect(isRoutedByUs(paid.extensions)).toBe(true)
  })

  test('behavior: a single service as text is a list of one', () => {
    expect(readBuilderCodes(codes({ a: 'app', s: 'svc' }))).toEqual({ a: 'app', s: ['svc'] })
  })

  test('behavior: an app code alone, services alone, and ten services are valid codes', () => {
    const ten = Array.from({ length: 10 }, (_, at) => `svc_${at}`)
    expect(readBuilderCodes(codes({ a: 'app' }))).toEqual({ a: 'app' })
    expect(readBuilderCodes(codes({ s: ten, w: 'facilitator' }))).toEqual({ s: ten })
    expect(isRoutedByUs(codes({ a: 'app' }))).toBe(false)
    expect(isRoutedByUs(codes({ s: ten }))).toBe(false)
  })

  test('behavior: our proof is added once, whatever the extension held before', () => {
    for (const extension of ['svc', null, [], { info: 'svc' }, { info: {} }])
      expect(isRoutedByUs(withRoutingProof({ [BUILDER_CODE]: extension }))).toBe(true)
    expect(withRoutingProof(codes({ a: 'app', s: 'svc' }))).toEqual(codes({ a: 'app', s: ['svc'] }))
    expect(withRoutingProof(codes({ s: 'one' }))).toEqual(codes({ s: ['one', 'svc'] }))
    expect(withRoutingProof({ [BUILDER_CODE]: { schema: { type: 'object' } } })).toEqual({
      [BUILDER_CODE]: { schema: { type: 'object' }, info: { s: ['svc'] } },
    })
  })

  test.each([
    undefined,
    {},
    codes({}),
    codes(null),
    codes({ s: [] }),
    codes({ s: ['UPPER'] }),
    codes({ s: ['a b'] }),
    codes({ s: ['x'.repeat(33)] }),
    codes({ s: Array.from({ length: 11 }, () => 'svc') }),
    codes({ s: [1] }),
    codes({ a: '' }),
    codes({ a: 'app!' }),
    codes({ a: '!app' }),
    codes({ a: 'app', s: 7 }),
    { [BUILDER_CODE]: 'svc' },
  ])('error: %j carries no codes', (extensions) => {
    expect(readBuilderCodes(extensions)).toBeUndefined()
    expect(isRoutedByUs(extensions)).toBe(false)
  })
})
