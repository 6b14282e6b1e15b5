import { NotOurs, suite } from './suite.ts'

/** The encapsulated X25519 key precedes the ciphertext. */
const ENC_BYTES = 32

const bytesOf = (text: string) => new TextEncoder().encode(text)
const base64url = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('base64url')

const keyPair = (secret: string) => suite.kem.deriveKeyPair(new Uint8Array(bytesOf(secret)).buffer)

/**
 * The public key of the holder of a secret: X25519, base64url, 43 characters.
 * @param secret at least 256 random bits, as text
 * @source RFC 9180 §7.1.3, DeriveKeyPair
 */
export async function sealingKeyOf(secret: string): Promise<string> {
  const { publicKey } = await keyPair(secret)
  return base64url(await suite.kem.serializePublicKey(publicKey))
}

/**
 * Seals a text to a public key.
 * @param purpose what it is for; opening requires the same, so that a sealed text cannot serve another purpose
 * @returns base64url of the encapsulated key and the ciphertext
 */
export async function seal(sealingKey: string, purpose: string, text: string): Promise<string> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(Buffer.from(sealingKey, 'base64url'))
  const sender = await suite.createSenderContext({ recipientPublicKey, info: bytesOf(purpose) })
  const ciphertext = await sender.seal(bytesOf(text))
  return base64url(Buffer.concat([new Uint8Array(sender.enc), new Uint8Array(ciphertext)]))
}

/** Opens what was sealed to the key of this secret for this purpose. @throws NotOurs */
export async function open(secret: string, purpose: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const recipientKey = await keyPair(secret)
    const enc = bytes.subarray(0, ENC_BYTES)
    const recipient = await suite.createRecipientContext({ recipientKey, enc, info: bytesOf(purpose) })
    return new TextDecoder().decode(await recipient.open(bytes.subarray(ENC_BYTES)))
  } catch (error) {
    throw new NotOurs(`This is not sealed to the key, or not for ${purpose}`, { cause: error })
  }
}
