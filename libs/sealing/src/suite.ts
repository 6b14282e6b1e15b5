import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/** RFC 9180 with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM: 0x0020, 0x0001, 0x0002. */
export const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** The sealed text is not for this key or this purpose, or was changed on its way. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs'
}
