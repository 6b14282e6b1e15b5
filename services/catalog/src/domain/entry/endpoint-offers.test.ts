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
  test('nothing differs if the endpoint offers what its listing has, even among other offers', () => {
    expect(compared(offer())).toEqual([])
    expect(
      compared(offer({ network: 'eip155:5042' }), offer({ payTo: '0x9' }), offer({ maxTimeoutSeconds: 60 })),
    ).toEqual([])
  })

  test('each field that differs is reported with the listing’s and the endpoint’s value', () => {
    expect(compared(offer({ amount: '20000', maxTimeoutSeconds: 300 }))).toEqual([
      { field: 'amount', stored: '10000', live: '20000' },
      { field: 'maxTimeoutSeconds', stored: '60', live: '300' },
    ])
    expect(compared(offer({ payTo: '0x9' }))).toEqual([{ field: 'payTo', stored: payment().payTo, live: '0x9' }])
    expect(compared(offer({ network: 'eip155:5042' }))).toEqual([
      { field: 'network', stored: 'eip155:8453', live: 'eip155:5042' },
    ])
  })

  test('of several offers, the one to the same payee is compared, else the first in the same token, else the first', () => {
    const fields = (...accepts: ShownOffer[]) => compared(...accepts).map(({ field, live }) => [field, live])
    const elsewhere = offer({ network: 'eip155:5042', amount: '7' })
    expect(fields(elsewhere, offer({ payTo: '0x9', amount: '8' }), offer({ amount: '9' }))).toEqual([['amount', '9']])
    expect(fields(elsewhere, offer({ payTo: '0x9' }), offer({ payTo: '0x8' }))).toEqual([['payTo', '0x9']])
    expect(fields(offer({ asset: '0x7' }), offer({ asset: '0x6' }))).toEqual([['asset', '0x7']])
    expect(fields(elsewhere, offer({ asset: '0x7' }))).toEqual([
      ['amount', '7'],
      ['network', 'eip155:5042'],
    ])
  })

  test('a scheme that differs is reported, and an offer that cannot be paid is not compared', () => {
    const unpayable = offer({ amount: '7', payable: false, notPayableReason: 'network' })
    expect(compared(unpayable, offer({ scheme: 'upto' }))).toEqual([{ field: 'scheme', stored: 'exact', live: 'upto' }])
  })

  test('the stored offer is the payment with its price, and null if either is unknown', () => {
    const storedOf = (price: string | null, paid: ReturnType<typeof payment> | null) =>
      endpointOffers({ price, payment: paid }, undefined).stored
    expect(storedOf('0.01', payment())).toEqual({ ...payment(), price: '0.01' })
    expect([storedOf(null, payment()), storedOf('0.01', null)]).toEqual([null, null])
  })

  test('a live offer is shown with its state and time, and compared with nothing if nothing is stored', () => {
    const live = { method: 'GET', url: 'https://api.example/ask', state: 'ok_402', accepts: [offer()] } as const
    expect(endpointOffers({ price: null, payment: null }, { ...live, checkedAt: new Date(0) })).toEqual({
      stored: null,
      live: { accepts: [offer()], state: 'ok_402', checkedAt: '1970-01-01T00:00:00.000Z' },
      differences: [],
    })
  })

  test('an endpoint that offers nothing payable is no longer payable', () => {
    const expected = [{ field: 'payable', stored: 'true', live: 'false' }]
    expect(compared()).toEqual(expected)
    expect(compared(offer({ payable: false, notPayableReason: 'network' }))).toEqual(expected)
  })

  test('an unknown offer is compared with nothing', () => {
    expect(endpointOffers({ price: null, payment: null }, undefined)).toEqual({
      stored: null,
      live: null,
      differences: [],
    })
    expect(endpointOffers({ price: '0.01', payment: payment() }, undefined).differences).toEqual([])
    const accepts = [offer({ maxTimeoutSeconds: 60 })]
    const live = {
      method: 'GET',
      url: 'https://api.example/ask',
      state: 'ok_402',
      accepts,
      checkedAt: new Date(0),
    } as const
    expect(endpointOffers({ price: '0.01', payment: payment() }, live).differences).toEqual([])
  })
})
