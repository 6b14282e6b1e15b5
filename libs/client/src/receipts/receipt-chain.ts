import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type OutputOf, router } from '@callboard/contract'
import { z } from 'zod'

/** A receipt of the Router: the outcome of one call. */
export type Receipt = OutputOf<typeof router.receipt>['receipt']
/** The public keys for a Router's receipts. */
export type ReceiptKeys = OutputOf<typeof router.receiptKeys>

const TYP = 'callboard-receipt+jws'

interface Link {
  readonly seq: number
  readonly hash: string
}

/**
 * Checks receipts one after the other: each signature, and that each names its predecessor. Receipts of several keys
 * may be mixed if those of each key are in order. A chain may start anywhere: what precedes its first receipt is
 * unknown.
 */
export class ReceiptChain {
  readonly #keys = new Map<string, KeyObject | undefined>()
  readonly #last = new Map<string, Link>()

  /**
   * @param keys from the Router itself, never from where a receipt says they are
   * @throws UnusableKeys
   */
  constructor(keys: ReceiptKeys) {
    this.learn(keys)
  }

  /** Takes further keys of the Router. One that cannot be used matters only for its receipts. @throws UnusableKeys */
  learn(said: ReceiptKeys): void {
    const read = KeySet.safeParse(said)
    if (!read.success) throw new UnusableKeys('What is given as the keys of receipts is not a JSON Web Key Set')
    for (const key of read.data.keys) this.#keys.set(key.kid, publicKeyOf(key))
  }

  /**
   * @param jws one receipt
   * @throws BrokenReceipt with what is wrong with it; after UnknownKey, it can be taken again
   */
  take(jws: string): Receipt {
    const payload = this.#payloadOf(jws)
    const receipt = receiptIn(payload)
    const { key, seq, previous } = receipt
    const before = this.#last.get(key)
    if (before && seq !== before.seq + 1) throw new BrokenReceipt(`is number ${seq} after number ${before.seq}`)
    if (before && previous !== before.hash)
      throw new BrokenReceipt(`does not name the receipt before it, ${before.hash}`)
    if ((seq === 1) !== (previous === null)) throw new BrokenReceipt(`is number ${seq} and names ${previous}`)
    this.#last.set(key, { seq, hash: createHash('sha256').update(payload).digest('hex') })
    return receipt
  }

  #payloadOf(jws: string): Buffer {
    const [head = '', payload = '', signature = '', ...more] = jws.split('.')
    const header = jsonOf(Buffer.from(head, 'base64url')) as Readonly<Record<string, unknown>> | undefined
    if (more.length > 0 || signature === '' || !header) throw new BrokenReceipt('is not a compact JWS')
    if (header.alg !== 'EdDSA' || header.typ !== TYP || header.crit !== undefined) {
      throw new BrokenReceipt('is signed, but not as a receipt')
    }
    const kid = String(header.kid)
    const key = this.#keys.get(kid)
    if (!key && this.#keys.has(kid))
      throw new UnknownKey(`is signed with the key ${kid}, and what the Router gives as that is not an Ed25519 key`)
    if (!key) throw new UnknownKey(`is signed with a key that is not the Router’s, ${header.kid}`)
    if (!verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))) {
      throw new BrokenReceipt('does not match its signature')
    }
    return Buffer.from(payload, 'base64url')
  }
}

/** A receipt that the Router did not sign, or that is out of place. */
export class BrokenReceipt extends Error {
  override readonly name: string = 'BrokenReceipt'
}

/** What is given as the Router's keys is no set of keys: no receipt can be checked. */
export class UnusableKeys extends Error {
  override readonly name = 'UnusableKeys'
}

/** @source RFC 7517 §5: keys that are not understood are ignored */
const KeySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) })
const Ed25519 = router.receiptKeys.output.shape.keys.element

/** @returns undefined for a key that no receipt can be checked with */
function publicKeyOf(said: object): KeyObject | undefined {
  const read = Ed25519.safeParse(said)
  if (!read.success) return undefined
  const { kty, crv, x } = read.data
  try {
    return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** A receipt that is signed with a key that the Router did not have when its keys were read. */
export class UnknownKey extends BrokenReceipt {
  override readonly name = 'UnknownKey'
}

function receiptIn(payload: Buffer): Receipt {
  const read = router.receipt.output.shape.receipt.safeParse(jsonOf(payload))
  if (!read.success)
    throw new BrokenReceipt(`is signed, but does not describe a call: ${read.error.issues[0]?.path.join('.')}`)
  return read.data
}

function jsonOf(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
