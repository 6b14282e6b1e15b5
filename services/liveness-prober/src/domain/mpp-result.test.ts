import type { MppChallenge } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { probeResult } from './probe-result.ts'

const ENDPOINT = new URL('https://api.example/v1/quote?pair=EUR')

describe('a challenge of the machine payments protocol alone', () => {
  const first: MppChallenge = {
    id: `${'i'.repeat(256)}!`,
    realm: `${'r'.repeat(256)}!`,
    method: `${'m'.repeat(64)}!`,
    intent: `${'c'.repeat(64)}!`,
    request: { a: 'x'.repeat(8_192 - '{"a":""}'.length) },
    expires: `${'e'.repeat(64)}!`,
    description: `${'d'.repeat(500)}!`,
  }
  const second: MppChallenge = { id: 'b', realm: 'r', method: 'tempo', intent: 'charge', request: null }
  const read = (...challenges: [MppChallenge, ...MppChallenge[]]) => {
    const result = probeResult(
      { kind: 'mpp', challenges, offerTransport: 'www-authenticate', issues: [] },
      ENDPOINT,
      'POST',
    )
    if (result.kind !== 'mpp') throw new Error(result.kind)
    return result
  }

  test('is shown within bounds, and describes the operation', () => {
    const bounded = {
      id: 'i'.repeat(256),
      realm: 'r'.repeat(256),
      method: 'm'.repeat(64),
      intent: 'c'.repeat(64),
      request: first.request,
      expires: 'e'.repeat(64),
      description: 'd'.repeat(500),
    }
    expect(read(first, second)).toEqual({
      kind: 'mpp',
      endpoint: 'https://api.example/v1/quote?pair=EUR',
      operations: [
        {
          method: 'POST',
          url: 'https://api.example/v1/quote?pair=EUR',
          name: 'quote',
          description: 'd'.repeat(500),
          metadataEvidence: 'none',
        },
      ],
      challenge: bounded,
      challenges: [bounded, second],
    })
  })

  test('has no request if that is longer than 8 KiB', () => {
    const request = { a: 'x'.repeat(8_193 - '{"a":""}'.length) }
    expect(read({ ...first, request }).challenge.request).toBeNull()
  })

  test('is one of at most 16', () => {
    expect(read(second, ...Array<MppChallenge>(16).fill(second)).challenges).toHaveLength(16)
  })
})
