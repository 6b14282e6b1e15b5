import type { ShownOffer } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { payment } from '../../../test/support/listed.ts'
import { endpointOffers } from './endpoint-offers.ts'

const offer = (more: Partial<ShownOffer> = {}): ShownOffer => {
  const { checkedAt: _, ...rest } = payment()
  return { ...rest, payable: true, notPayableReason: null, ...more }
}
const compared = (...accepts: ShownOffer[]) =>
  endpointOffers(
    { price: '0.01', payment: payment({ maxTimeoutSeconds: 60 }) },
    { method: 'GET', url: 'https://api.example/ask', state: 'ok_402', accepts, checkedAt: new Date(0) },
  ).differences

describe('endpointOffers', () => {
  test('nothing differs where the endpoint offers what its listing has, also among other offers', () => {
    expect(compared(offer())).toEqual([])
    expect(
      compared(offer({ network: 'eip155:5042' }), offer({ payTo: '0x9' }), offer({ maxTimeoutSeconds: 60 })),
    ).toEqual([])
  })

  test('each field that differs is told as the listing and as the endpoint has it', () => {
    expect(compared(offer({ amount: '20000', maxTimeoutSeconds: 300 }))).toEqual([
      { field: 'amount', stored: '10000', live: '20000' },
      { field: 'maxTimeoutSeconds', stored: '60', live: '300' },
    ])
    expect(compared(offer({ payTo: '0x9' }))).toEqual([{ field: 'payTo', stored: payment().payTo, live: '0x9' }])
    expect(compared(offer({ network: 'eip155:5042' }))).toEqual([
      { field: 'network', stored: 'eip155:8453', live: 'eip155:5042' },
    ])
  })

  test('an endpoint that offers nothing that can be paid is payable no longer', () => {
    const expected = [{ field: 'payable', stored: 'true', live: 'false' }]
    expect(compared()).toEqual(expected)
    expect(compared(offer({ payable: false, notPayableReason: 'network' }))).toEqual(expected)
  })

  test('what is not known is compared with nothing', () => {
    expect(endpointOffers({ price: null, payment: null }, undefined)).toEqual({
      stored: null,
      live: null,
      differences: [],
    })
    expect(endpointOffers({ price: '0.01', payment: payment() }, undefined).differences).toEqual([])
  })
})
