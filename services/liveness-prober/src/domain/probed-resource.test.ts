import { encodeHeader, PAYMENT_REQUIRED_HEADER, readChallenge } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { offer, PAY_TO, payableEntry, USDC } from '../../test/offers.ts'
import type { Probed } from '../probe-endpoint.ts'
import { probeResult } from './probe-result.ts'
import { probedResource } from './probed-resource.ts'

const TOKENS = [{ network: 'eip155:31337', asset: USDC, name: 'USDC', version: '2' }] as const
const ENDPOINT = new URL('https://api.example/quote')

/** The result of probing an offer in the header of a 402. */
function probed(asked: object, url = ENDPOINT): Probed {
  const headers = { [PAYMENT_REQUIRED_HEADER.toLowerCase()]: encodeHeader(asked) }
  const challenge = readChallenge({ status: 402, headers, bodyText: '{}' }, { tokens: TOKENS })
  const result = probeResult(challenge, url, 'GET')
  return {
    state: 'ok_402',
    finding: 'payable',
    result,
    challenge,
    httpStatus: 402,
    latencyMs: 1,
    message: '',
    mend: '',
    retryAfterMs: null,
  }
}

const shown = (resource: object, more: object = {}) =>
  probedResource(ENDPOINT, probed(offer({ resource: { url: ENDPOINT.href, ...resource }, ...more })))

const bazaar = (more: object = {}) => ({ info: { input: { type: 'http', method: 'GET' } }, ...more })
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('probedResource', () => {
  test('default: returns what the offer says, with its ways to pay', () => {
    const service = { serviceName: 'Quotes', tags: ['quotes'], iconUrl: 'https://cdn.example/icon.png' }
    const extensions = { bazaar: bazaar() }
    expect(shown({ description: ' One\nline ', mimeType: 'text/plain', ...service }, { extensions })).toEqual({
      resource: 'https://api.example/quote',
      type: 'http',
      x402Version: 2,
      accepts: [{ ...payableEntry(), payable: true, notPayableReason: null }],
      description: 'One line',
      mimeType: 'text/plain',
      ...service,
      extensions,
    })
  })

  test('behavior: a route template names the resource if it fits the path, and is otherwise left out', () => {
    const at = (url: string) =>
      probedResource(new URL(url), probed(offer({ extensions: { bazaar: bazaar({ routeTemplate: '/quote/:pair' }) } })))
    expect(at('https://api.example/quote/eur')?.resource).toBe('https://api.example/quote/:pair')
    expect(at('https://api.example/rates')?.resource).toBe('https://api.example/rates')
  })

  test('behavior: text is stripped of markup brackets, controls, direction marks and half characters', () => {
    expect(shown({ description: '<b>Quo\u202Ete</b>\u0000' })?.description).toBe('b Quo te /b')
    const { description } = shown({ description: '\u{1f600}'.repeat(600) }) ?? {}
    expect(description?.length).toBeLessThanOrEqual(512)
    expect(description?.isWellFormed()).toBe(true)
  })

  test('behavior: the total is bounded, and ways to pay come first, payable ones before the others', () => {
    const network = 'solana:5eykt4UsFvXY9wJPgmUeD3tA'
    const others = Array.from({ length: 9 }, (_, n) => payableEntry({ network, extra: { note: `${n}`.repeat(450) } }))
    const resource = shown(
      { description: '\u{1f600}'.repeat(256), iconUrl: `https://cdn.example/${'i'.repeat(2000)}` },
      { accepts: [...others, payableEntry()], extensions: { bazaar: bazaar({ schema: { a: 'x'.repeat(1500) } }) } },
    )
    expect(bytesOf(resource)).toBeLessThanOrEqual(8 * 1024)
    expect(resource?.accepts.at(-1)).toMatchObject({ payTo: PAY_TO, payable: true })
    expect(resource?.description).toBeDefined()
    expect(resource).not.toHaveProperty('extensions')
  })

  test.each([
    ['too large', { a: 'x'.repeat(5000) }],
    ['unfit for Postgres', { a: '\u0000' }],
    ['that refers to another document', { schema: { $ref: 'https://evil.example/schema.json' } }],
  ])('behavior: an extension %s is left out', (_what, extension) => {
    expect(shown({}, { extensions: { extension, 'sign-in-with-x': { info: {} } } })?.extensions).toEqual({
      'sign-in-with-x': { info: {} },
    })
  })

  test('default: returns only the ways to pay of an offer that says nothing else', () => {
    expect(probedResource(ENDPOINT, probed(offer({ resource: undefined })))).toStrictEqual({
      resource: 'https://api.example/quote',
      type: 'http',
      x402Version: 2,
      accepts: [{ ...payableEntry(), payable: true, notPayableReason: null }],
    })
  })

  test('behavior: a tool of an MCP server has the type mcp', () => {
    const mcp = { info: { input: { type: 'mcp', toolName: 'quote' } } }
    expect(shown({}, { extensions: { bazaar: mcp } })?.type).toBe('mcp')
  })

  test('behavior: ways to pay may take 5 KiB, and those that do not fit are left out', () => {
    const sized = (bytes: number, amount: string) => {
      const entry = { ...payableEntry({ amount, extra: { name: 'USDC', version: '2', a: '' } }) }
      const filled = bytes - bytesOf({ ...entry, payable: true, notPayableReason: null })
      return { ...entry, extra: { ...entry.extra, a: 'x'.repeat(filled) } }
    }
    const amounts = (last: number) =>
      shown({}, { accepts: [sized(2_000, '1'), sized(2_000, '2'), sized(last, '3')] })?.accepts.map(
        ({ amount }) => amount,
      )
    expect(amounts(1_120)).toEqual(['1', '2', '3'])
    expect(amounts(1_121)).toEqual(['1', '2'])
  })

  test('behavior: the whole resource may take 8 KiB', () => {
    const filled = (length: number) =>
      shown({}, { extensions: { a: { v: 'x'.repeat(3_900) }, b: { v: 'x'.repeat(length) } } })
    const room = 8_192 - bytesOf(filled(0))
    expect(bytesOf(filled(room))).toBe(8_192)
    expect(filled(room)?.extensions).toHaveProperty('b')
    expect(filled(room + 1)?.extensions).not.toHaveProperty('b')
  })

  test('behavior: the first eight extensions are kept', () => {
    const extensions = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`e${at}`, { at }]))
    expect(Object.keys(shown({}, { extensions })?.extensions ?? {})).toEqual('e0 e1 e2 e3 e4 e5 e6 e7'.split(' '))
  })

  test.each<[string, Partial<Probed>]>([
    ['another state', { state: 'wrong_version' }],
    ['no result', { result: null }],
    ['a result of another kind', { result: { kind: 'plain', operations: [] } }],
    ['no challenge', { challenge: null }],
    ['a challenge of another kind', { challenge: { kind: 'plain', offerTransport: 'none', authSchemes: [] } }],
  ])('error: %s yields no resource', (_what, more) => {
    expect(probedResource(ENDPOINT, { ...probed(offer()), ...more })).toBeUndefined()
  })

  test('error: an offer without a version or a way to pay yields no resource', () => {
    expect(probedResource(ENDPOINT, probed(offer({ x402Version: undefined })))).toBeUndefined()
    expect(probedResource(ENDPOINT, probed(offer({ accepts: [] })))).toBeUndefined()
  })

  test('error: a probe without an offer yields no resource', () => {
    expect(probedResource(ENDPOINT, { state: 'timeout', result: null, challenge: null })).toBeUndefined()
    expect(probedResource(ENDPOINT, { ...probed(offer({ accepts: [] })), state: 'ok_402_no_accepts' })).toBeUndefined()
  })
})
