import { expect, test } from 'vitest'
import { ed25519Jwk, ed25519Key } from './ed25519-key.ts'

/** The private key of RFC 8037 §A.1, the same as that of the first test of RFC 8032 §7.1. */
const SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')

test('a key id is the key’s thumbprint, as in RFC 8037 §A.3', () => {
  const { kid, publicKey } = ed25519Key(SEED)
  expect(kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  expect(ed25519Jwk(publicKey)).toEqual({
    ...{ crv: 'Ed25519', kty: 'OKP', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    ...{ kid, use: 'sig' },
  })
})

test('an empty text gets the signature of the first test in RFC 8032 §7.1', () => {
  expect(ed25519Key(SEED).sign('').toString('hex')).toBe(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  )
})

test('without a given key, a new one is made each time', () => {
  expect(ed25519Key().kid).not.toBe(ed25519Key().kid)
})
