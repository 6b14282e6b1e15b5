import { NotOurs, suite } from './suite.ts'

/** An X25519 key pair (RFC 7748): 32 bytes each. */
export interface KeyPair {
  readonly publicKey: Uint8Array
  readonly privateKey: Uint8Array
}

/** What an HPKE message is bound to in addition to its key. Opening requires the same bytes. */
export interface Binding {
  readonly info: Uint8Array
  readonly aad: Uint8Array
}

/** An HPKE message in its two parts. */
export interface Message {
  /** The encapsulated key, 32 bytes. */
  readonly enc: Uint8Array
  /** As long as the plaintext plus 16 bytes. */
  readonly ciphertext: Uint8Array
}

/**
 * Derives the key pair of a secret.
 * @param ikm at least 32 random bytes
 * @source RFC 9180 §7.1.3, DeriveKeyPair
 */
export async function deriveKeyPair(ikm: Uint8Array): Promise<KeyPair> {
  const { publicKey, privateKey } = await suite.kem.deriveKeyPair(ikm)
  return {
    publicKey: new Uint8Array(await suite.kem.serializePublicKey(publicKey)),
    privateKey: new Uint8Array(await suite.kem.serializePrivateKey(privateKey)),
  }
}

/** Seals one message to a public key. @source RFC 9180 §6.1, SealBase */
export async function sealBase(key: Uint8Array, { info, aad }: Binding, plaintext: Uint8Array): Promise<Message> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(key)
  const sender = await suite.createSenderContext({ recipientPublicKey, info })
  const ciphertext = await sender.seal(plaintext, aad)
  return { enc: new Uint8Array(sender.enc), ciphertext: new Uint8Array(ciphertext) }
}

/** Opens one message. @throws NotOurs @source RFC 9180 §6.1, OpenBase */
export async function openBase(
  keys: KeyPair,
  { info, aad }: Binding,
  { enc, ciphertext }: Message,
): Promise<Uint8Array> {
  try {
    const recipientKey = {
      publicKey: await suite.kem.deserializePublicKey(keys.publicKey),
      privateKey: await suite.kem.deserializePrivateKey(keys.privateKey),
    }
    const recipient = await suite.createRecipientContext({ recipientKey, enc, info })
    return new Uint8Array(await recipient.open(ciphertext, aad))
  } catch (error) {
    throw new NotOurs('This is not sealed to the key, or not bound to this', { cause: error })
  }
}
