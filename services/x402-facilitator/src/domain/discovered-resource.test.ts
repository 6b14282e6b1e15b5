import type { PresentedPayment } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { discoveredResource } from './discovered-resource.ts'

const requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
} as const

const discover = (resource: unknown, extensions: Record<string, unknown> = {}) =>
  discoveredResource({ x402Version: 2, extensions, requirement } as unknown as PresentedPayment, { resource }, {})

describe('discoveredResource', () => {
  test('default: origin and path, and none of the payer’s claims about it', () => {
    const bazaar = { info: { input: { type: 'mcp', tool: 'weather' } }, routeTemplate: '/:any' }
    const claims = { url: 'https://A.example/x?q=1#f', description: 'Mine', serviceName: 'Mine', tags: ['mine'] }
    expect(discover(claims, { bazaar })).toEqual({
      resource: 'https://a.example/x',
      type: 'http',
      x402Version: 2,
      accepts: requirement,
    })
  })

  test('behavior: a final dot of the host makes no second resource', () => {
    expect(discover({ url: 'https://a.example./x' })).toMatchObject({ resource: 'https://a.example/x' })
  })

  test('behavior: version 1 names the resource in the requirement', () => {
    const payment = { x402Version: 1, extensions: {}, requirement } as unknown as PresentedPayment
    expect(discoveredResource(payment, {}, { resource: 'https://a.example/v1' })).toMatchObject({
      resource: 'https://a.example/v1',
      x402Version: 1,
    })
    expect(discoveredResource(payment, { resource: { url: 'https://a.example/v2' } }, {})).toBeUndefined()
    expect(discoveredResource(payment, {}, { url: 'https://a.example/v2' })).toBeUndefined()
  })

  test.each([
    ['one of 2,048 characters', `https://a.example/${'x'.repeat(2030)}`],
    ['one without TLS', 'http://a.example/'],
    ['one with a port', 'https://a.example:8443/'],
  ])('behavior: a URL is accepted: %s', (_what, url) => expect(discover({ url })?.resource).toBe(url))

  test('behavior: a URL may be at most 2,048 characters long once it is percent-encoded', () => {
    const grown = (more: string) => discover({ url: `https://a.example/${'\u00e9'.repeat(338)}${more}` })
    expect(grown('xx')?.resource).toHaveLength(2048)
    expect(grown('xxx')).toBeUndefined()
  })

  test.each([
    ['there is none', undefined],
    ['it is no URL', { url: 'weather' }],
    ['it is no web address', { url: 'javascript:alert(1)' }],
    ['it is of another scheme that begins so', { url: 'httpx://a.example/' }],
    ['it is of another scheme that ends so', { url: 'web+https://a.example/' }],
    ['it carries a name', { url: 'https://me@a.example/' }],
    ['it carries a password', { url: 'https://:secret@a.example/' }],
    ['it is no text', { url: ['https://a.example/'] }],
    ['it is called as in version 1', { resource: 'https://a.example/' }],
    ['it is no object', 'https://a.example/'],
    ['it is too long', { url: `https://a.example/${'x'.repeat(2031)}` }],
    ['it is too long, of which it would keep little', { url: `https://a.example/?${'x'.repeat(2048)}` }],
    ['it is too long once it is percent-encoded', { url: `https://a.example/${'\u00e9'.repeat(1000)}` }],
  ])('behavior: undefined when %s', (_what, resource) => expect(discover(resource)).toBeUndefined())
})
