import { expect, test } from 'vitest'
import { publicJwk, signingKey } from './signing-key.ts'

const JKU = 'https://callboard.example/api/router/receipt-keys'

test('signs and names its key as in RFC 8037, appendix A', () => {
  // The private key of RFC 8037 §A.1, which is that of the first test of RFC 8032 §7.1.
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const { kid, publicKey } = signingKey(seed, JKU)
  expect(kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  expect(publicJwk(publicKey)).toMatchObject({ x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid, crv: 'Ed25519' })
})

test('its signature verifies in the Web Cryptography API with the published key, and for no other text', async () => {
  const { kid, publicKey, sign } = signingKey(undefined, JKU)
  const jws = sign('{"amountUsd":"0.01"}')
  const [head = '', payload = '', signature = ''] = jws.split('.')
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
    ...{ alg: 'EdDSA', typ: 'callboard-receipt+jws', kid, jku: JKU },
  })
  expect(Buffer.from(payload, 'base64url').toString()).toBe('{"amountUsd":"0.01"}')
  const { crv, kty, x } = publicJwk(publicKey)
  const key = await crypto.subtle.importKey('jwk', { crv, kty, x }, 'Ed25519', false, ['verify'])
  const verifies = (text: string) =>
    crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64url'), Buffer.from(text))
  expect(await verifies(`${head}.${payload}`)).toBe(true)
  expect(await verifies(`${head}.${payload}x`)).toBe(false)
})

test('without a configured key, it generates a new one each time', () => {
  expect(signingKey(undefined, JKU).kid).not.toBe(signingKey(undefined, JKU).kid)
})
