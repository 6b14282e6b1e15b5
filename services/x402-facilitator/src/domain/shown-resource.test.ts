import { describe, expect, test } from 'vitest'
import { type ListedResource, shownResource } from './shown-resource.ts'

const entry = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
}
const bare: ListedResource = {
  resource: 'https://a.example/weather',
  type: 'http',
  x402_version: 2,
  accepts: [{ ...entry, payable: true, notPayableReason: null }],
  offered_at: new Date(Date.UTC(2026, 10, 22, 10, 4, 30, 5)),
  description: null,
  mime_type: null,
  service_name: null,
  tags: null,
  icon_url: null,
  extensions: null,
}
const shownBare = {
  resource: 'https://a.example/weather',
  type: 'http',
  x402Version: 2,
  accepts: [entry],
  lastUpdated: '2026-11-22T10:04:30.005Z',
}

describe('shownResource', () => {
  test('default: shows what its offer says, without members that the offer lacks', () => {
    expect(shownResource(bare)).toEqual(shownBare)
    expect(Object.keys(shownResource(bare))).toEqual(Object.keys(shownBare))
  })

  test('behavior: shows everything that the offer says, under the protocol’s names', () => {
    const said = {
      description: 'The weather',
      mime_type: 'application/json',
      service_name: 'Weather',
      tags: ['weather'],
      icon_url: 'https://a.example/icon.png',
      extensions: { bazaar: {} },
    }
    expect(shownResource({ ...bare, ...said })).toEqual({
      ...shownBare,
      description: 'The weather',
      mimeType: 'application/json',
      serviceName: 'Weather',
      tags: ['weather'],
      iconUrl: 'https://a.example/icon.png',
      extensions: { bazaar: {} },
    })
  })

  test('behavior: an empty text counts as said', () => {
    expect(shownResource({ ...bare, description: '', tags: [] })).toMatchObject({ description: '', tags: [] })
  })

  test('behavior: does not show our verdicts on what can be paid', () => {
    const accepts = [{ ...entry, payable: false, notPayableReason: 'asset' }]
    expect(shownResource({ ...bare, accepts }).accepts).toEqual([entry])
  })

  test.each(['resource', 'type', 'x402_version', 'accepts', 'offered_at'] as const)(
    'error: a resource without %s is never listed',
    (member) => {
      expect(() => shownResource({ ...bare, [member]: null })).toThrow('no offer was read')
    },
  )
})
