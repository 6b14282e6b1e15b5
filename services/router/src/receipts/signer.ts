import type { Receipt } from '../domain/receipt.ts'
import { noteReceiptKey } from '../store/receipt-key.repository.ts'
import type { RouterDb } from '../store/tables.ts'
import { type SigningKey, signingKey } from './signing-key.ts'

/** Where the public keys of receipts are; `jku` of each receipt. */
export const RECEIPT_KEYS_PATH = '/api/router/receipt-keys'

/** Signs receipts with one key, which is published before the first of them leaves. */
export class ReceiptSigner {
  readonly #key: SigningKey
  readonly #publish: (key: SigningKey) => Promise<void>
  #published: Promise<void> | undefined

  /** @param seed 64 hexadecimal digits; absent: a key of this process alone, whose public half outlives it */
  constructor(seed: string | undefined, baseUrl: string, db: RouterDb, now: () => number) {
    const jku = new URL(RECEIPT_KEYS_PATH, baseUrl).href
    this.#key = signingKey(seed === undefined ? undefined : Buffer.from(seed, 'hex'), jku)
    this.#publish = ({ kid, publicKey }) => noteReceiptKey(db, { kid, publicKey }, new Date(now()))
  }

  /** @returns the receipt as compact JWS, whose payload is its text */
  async sign({ text }: Receipt): Promise<string> {
    this.#published ??= this.#publish(this.#key).catch((error: unknown) => {
      this.#published = undefined
      throw error
    })
    await this.#published
    return this.#key.sign(text)
  }
}
