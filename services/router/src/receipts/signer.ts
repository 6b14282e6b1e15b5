import { madeOf } from '@callboard/runtime'
import type { Receipt } from '../domain/receipt.ts'
import { noteReceiptKey } from '../store/receipt-key.repository.ts'
import type { RouterDb } from '../store/tables.ts'
import { type SigningKey, signingKey } from './signing-key.ts'

/** Where the public keys of receipts are; `jku` of each receipt. */
export const RECEIPT_KEYS_PATH = '/api/router/receipt-keys'

/** Signs receipts with the key of the moment, which is published before the first of them leaves. */
export class ReceiptSigner {
  readonly #current: () => Published

  /** @param seed reads 64 hexadecimal digits; absent: a key of this process alone, whose public half outlives it */
  constructor(seed: () => string | undefined, baseUrl: string, db: RouterDb, now: () => number) {
    const jku = new URL(RECEIPT_KEYS_PATH, baseUrl).href
    const publish = ({ kid, publicKey }: SigningKey) => noteReceiptKey(db, { kid, publicKey }, new Date(now()))
    this.#current = madeOf(seed, (hex) => {
      const key = signingKey(hex === undefined ? undefined : Buffer.from(hex, 'hex'), jku)
      return { key, published: untilDone(() => publish(key)) }
    })
  }

  /** @returns the receipt as compact JWS, whose payload is its text */
  async sign({ text }: Receipt): Promise<string> {
    const { key, published } = this.#current()
    await published()
    return key.sign(text)
  }
}

interface Published {
  readonly key: SigningKey
  /** Resolves once the public key stands where it is looked for. */
  readonly published: () => Promise<void>
}

/** Work that is done once; what failed is tried again. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}
