import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CredentialKind, hashSecret, isOfKind, isSecretOf, newCredential } from './credential.ts'

const KINDS: readonly CredentialKind[] = [
  ...(['key', 'session', 'access', 'refresh', 'device', 'code', 'client', 'registration'] as const),
]

describe('newCredential', () => {
  test.each(KINDS)('default: of the kind %s: 256 bits after the prefix that scanners look for', (kind) => {
    const { secret, hash, prefix } = newCredential(kind)
    expect(secret).toMatch(new RegExp(`^cb_${kind}_[A-Za-z0-9_-]{43}$`))
    expect(hash).toBe(hashSecret(secret))
    expect(prefix).toBe(secret.slice(0, 12))
  })

  test('behavior: no two are alike', () => {
    const secrets = Array.from({ length: 1_000 }, () => newCredential('access').secret)
    expect(new Set(secrets).size).toBe(1_000)
  })
})

describe('isOfKind', () => {
  test('default: a secret is of its own kind and no other', () => {
    for (const made of KINDS) {
      const { secret } = newCredential(made)
      expect(KINDS.filter((kind) => isOfKind(secret, kind))).toEqual([made])
    }
  })

  test.each(['', 'key', 'cb_key', 'xcb_key_1', ' cb_key_1', 'CB_KEY_1', 'cb_keys_1', 'other_cb_key_'])(
    'error: "%s" is not a key',
    (text) => {
      expect(isOfKind(text, 'key')).toBe(false)
    },
  )
})

describe('hashSecret', () => {
  test('default: SHA-256 in hex, so that what is stored today is found tomorrow', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('isSecretOf', () => {
  test('default: a secret matches only its own hash', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(isSecretOf(one, hashSecret(other))).toBe(one === other)
        expect(isSecretOf(one, hashSecret(one))).toBe(true)
      }),
    )
  })

  test('behavior: the hash, read from the database, does not work as the secret', () => {
    const { hash } = newCredential('client')
    expect(isSecretOf(hash, hash)).toBe(false)
  })
})
