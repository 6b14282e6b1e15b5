import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { BackupEnvelope, RelayPurpose, Sealed } from '@callboard/contract'
import { type Binding, deriveKeyPair, type KeyPair, openBase, sealBase } from '@callboard/sealing'
import type { Address, Hex } from '@callboard/values'
import { recoverMessageAddress } from 'viem'

/** A client written from docs/backups.md, in that document's terms and order; it knows nothing else of this service. */

const LF = Uint8Array.of(0x0a)
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))
const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())
const lines = (...parts: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.flatMap((part, n) => (n === 0 ? [part] : [LF, part]))))

/** §3.1: the text that the wallet signs. */
export const backupKeyText = (origin: string): string =>
  `Callboard backup key, version 1

Origin: ${origin}

Whoever has this signature can read the backups of my agents. I sign it only to make or to read backups, and only for the origin above.`

/** Half the order of secp256k1, rounded down: the highest `s` of a signature that is not malleable (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** §3.2: 32 bytes from the wallet's signature. @throws Error if the signature is not an ordinary one */
export function ikmOf(signature: Hex, origin: string): Uint8Array {
  if (signature.length !== 132) throw new Error('The signature is not of 65 bytes: not of a key, but of a contract')
  const rs = Buffer.from(signature.slice(2, 130), 'hex')
  if (BigInt(`0x${rs.toString('hex', 32)}`) > HALF_ORDER) throw new Error('The signature has the higher s')
  return new Uint8Array(hkdfSync('sha256', rs, 'callboard/backup-key/1', origin, 32))
}

/** §3: the owner's backup key. @throws Error for a wallet whose signatures differ */
export async function backupKeyOf(
  wallet: { readonly address: Address; signMessage(asked: { message: string }): Promise<Hex> },
  origin: string,
): Promise<KeyPair> {
  const message = backupKeyText(origin)
  const [first, second] = [await wallet.signMessage({ message }), await wallet.signMessage({ message })]
  const signer = await recoverMessageAddress({ message, signature: first }).catch(() => undefined)
  if (signer !== wallet.address) throw new Error('The signature is not the wallet’s own')
  const [ikm, again] = [ikmOf(first, origin), ikmOf(second, origin)]
  if (base64url(ikm) !== base64url(again)) throw new Error('The wallet does not sign alike every time')
  return deriveKeyPair(ikm)
}

/** §3.3: the hash by which an envelope names its key. */
export const recipientOf = (publicKey: Uint8Array): string => base64url(sha256(publicKey))

/** §4.1: the context that an envelope is bound to. */
export const envelopeBinding = (owner: Address, device: string): Binding => ({
  info: lines(utf8('callboard/backup/1'), utf8(owner.toLowerCase()), utf8(device)),
  aad: new Uint8Array(),
})

const BLOCK_BYTES = 1_024

/** §4.2: JSON, padded with spaces so that its length reveals little. */
export function plaintextOf(content: object): Uint8Array {
  const json = utf8(JSON.stringify(content))
  const padded = new Uint8Array(Math.ceil(json.length / BLOCK_BYTES) * BLOCK_BYTES).fill(0x20)
  padded.set(json)
  return padded
}

async function seal(publicKey: Uint8Array, binding: Binding, plaintext: Uint8Array): Promise<Sealed> {
  const { enc, ciphertext } = await sealBase(publicKey, binding, plaintext)
  return { version: 1, enc: base64url(enc), ciphertext: base64url(ciphertext) }
}

const open = (keys: KeyPair, binding: Binding, { enc, ciphertext }: Sealed): Promise<Uint8Array> =>
  openBase(keys, binding, { enc: bytesOf(enc), ciphertext: bytesOf(ciphertext) })

/** §4: encrypts the backup of a device. */
export const sealEnvelope = async (
  publicKey: Uint8Array,
  { owner, device }: { readonly owner: Address; readonly device: string },
  plaintext: Uint8Array,
): Promise<BackupEnvelope> => ({
  ...(await seal(publicKey, envelopeBinding(owner, device), plaintext)),
  recipient: recipientOf(publicKey),
})

/** §4.3 @throws Error for an envelope of another key; NotOurs for another owner’s or device’s, or a changed one */
export async function openEnvelope(
  keys: KeyPair,
  { owner, device }: { readonly owner: Address; readonly device: string },
  envelope: BackupEnvelope,
): Promise<Uint8Array> {
  if (envelope.recipient !== recipientOf(keys.publicKey)) throw new Error('The envelope is for another key')
  return open(keys, envelopeBinding(owner, device), envelope)
}

/** What a program asks an owner's browser for. */
export interface Asked {
  readonly purpose: RelayPurpose
  readonly device: string
}

/** The content of the link; the service must not learn the salt. */
export interface Link {
  readonly code: string
  /** 16 bytes. */
  readonly salt: Uint8Array
}

/** §5.1: the code commits to the request, and to the key that the answer is for. */
export const codeOf = ({ purpose, device }: Asked, publicKey: Uint8Array, salt: Uint8Array): string =>
  base64url(sha256(lines(utf8('callboard/relay/1'), utf8(purpose), utf8(device), publicKey, salt)))

/** §5.1: the program's part of a new relay. The defaults are random bytes; tests may fix them. */
export async function newRelay(asked: Asked, ikm: Uint8Array = randomBytes(32), salt: Uint8Array = randomBytes(16)) {
  const keys = await deriveKeyPair(ikm)
  return { keys, link: { code: codeOf(asked, keys.publicKey, salt), salt }, publicKey: base64url(keys.publicKey) }
}

/** §5.2: the link that the program gives to its owner. */
export const linkText = (base: string, { code, salt }: Link): string =>
  `${base}/console/restore#code=${code}&salt=${base64url(salt)}`

export function readLink(text: string): Link {
  const given = new URLSearchParams(new URL(text).hash.slice(1))
  return { code: given.get('code') ?? '', salt: bytesOf(given.get('salt') ?? '') }
}

/** §5.3: the context that a result is bound to. It includes the salt, which only the two ends know. */
export const resultBinding = ({ purpose, device }: Asked, { code, salt }: Link): Binding => ({
  info: lines(utf8('callboard/relay/1'), utf8(purpose), utf8(device), salt),
  aad: sha256(utf8(code)),
})

/** §5.3: the owner's answer. @throws Error if the service shows another key, purpose or device than the program's */
export async function sealResult(
  shown: { readonly publicKey: string; readonly claimed: Asked },
  link: Link,
  plaintext: Uint8Array,
): Promise<Sealed> {
  const publicKey = bytesOf(shown.publicKey)
  if (codeOf(shown.claimed, publicKey, link.salt) !== link.code) throw new Error('This is not what the program asked')
  return seal(publicKey, resultBinding(shown.claimed, link), plaintext)
}

/** §5.4 @throws NotOurs for a result that does not come from a holder of the link */
export const openResult = (keys: KeyPair, asked: Asked, link: Link, result: Sealed): Promise<Uint8Array> =>
  open(keys, resultBinding(asked, link), result)
