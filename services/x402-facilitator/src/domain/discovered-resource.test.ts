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
  test('default: origin and path, and what the payment says of it', () => {
    expect(discover({ url: 'https://a.example/x?q=1#f', description: ' One  line\n', mimeType: 'text/plain' })).toEqual(
      {
        resource: 'https://a.example/x',
        type: 'http',
        x402Version: 2,
        accepts: requirement,
        description: 'One line',
        mimeType: 'text/plain',
      },
    )
  })

  test('behavior: version 1 names the resource in the requirement', () => {
    const payment = { x402Version: 1, extensions: {}, requirement } as unknown as PresentedPayment
    expect(discoveredResource(payment, {}, { resource: 'https://a.example/v1' })).toMatchObject({
      resource: 'https://a.example/v1',
      x402Version: 1,
    })
  })

  test.each([
    ['there is none', undefined],
    ['it is no URL', { url: 'weather' }],
    ['it is no web address', { url: 'javascript:alert(1)' }],
    ['it carries credentials', { url: 'https://me:secret@a.example/' }],
    ['it is too long', { url: `https://a.example/${'x'.repeat(2048)}` }],
  ])('behavior: undefined when %s', (_what, resource) => expect(discover(resource)).toBeUndefined())

  test('behavior: a tool of a bazaar is of type mcp', () => {
    const bazaar = { info: { input: { type: 'mcp', tool: 'weather', inputSchema: { type: 'object' } } } }
    expect(discover({ url: 'https://a.example/mcp' }, { bazaar })).toMatchObject({
      type: 'mcp',
      extensions: { bazaar },
    })
  })

  test('behavior: extensions that are personal, too large, or unfit for Postgres are left out', () => {
    const extensions = {
      'builder-code': { info: { s: ['svc'] } },
      'payment-identifier': { info: { id: 'x'.repeat(16) } },
      large: 'x'.repeat(20_000),
      nul: '\u0000',
      half: ['\ud83d'],
      whole: '\u{1f600}',
    }
    expect(discover({ url: 'https://a.example/' }, extensions)?.extensions).toEqual({ whole: '\u{1f600}' })
  })

  test('behavior: text is cut without half a character left over', () => {
    const { description } = discover({ url: 'https://a.example/', description: '\u{1f600}'.repeat(300) }) ?? {}
    expect(description?.length).toBeLessThanOrEqual(512)
    expect(description?.isWellFormed()).toBe(true)
  })
})
