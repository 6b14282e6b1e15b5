import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cdpKey } from './cdp-key.ts'

const ed25519 = () => {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64')
}
const ec = (namedCurve: string, type: 'sec1' | 'pkcs8') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'pem', type }).toString()

describe('cdpKey', () => {
  test('default: an Ed25519 key of 64 bytes in base64 signs with EdDSA', () => {
    expect(cdpKey(` ${ed25519()}\n`)).toMatchObject({ algorithm: 'EdDSA', key: { asymmetricKeyType: 'ed25519' } })
  })

  test.each(['sec1', 'pkcs8'] as const)('default: an EC key on P-256 as %s signs with ES256', (type) => {
    expect(cdpKey(ec('P-256', type))).toMatchObject({ algorithm: 'ES256' })
  })

  test('behavior: the line breaks of a PEM may be written as \\n', () => {
    expect(cdpKey(ec('P-256', 'sec1').replaceAll('\n', '\\n'))?.algorithm).toBe('ES256')
  })

  test.each([
    ['nothing', ''],
    ['words', 'not a key'],
    ['base64 of 32 bytes', Buffer.alloc(32).toString('base64')],
    ['a key on another curve', ec('P-384', 'sec1')],
    ['a PEM of nothing', '-----BEGIN EC PRIVATE KEY-----\n-----END EC PRIVATE KEY-----'],
  ])('error: %s is not a key', (_what, secret) => {
    expect(cdpKey(secret)).toBeUndefined()
  })
})
