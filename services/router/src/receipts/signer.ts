import { derived } from '@callboard/runtime'
import type { Receipt } from '../domain/receipt.ts'
import { noteReceiptKey } from '../store/receipt-key.repository.ts'
import type { RouterDb } from '../store/tables.ts'
import { type SigningKey, signingKey } from './signing-key.ts'

/** Where the public keys of receipts are published; the `jku` of each receipt. */
const RECEIPT_KEYS_PATH = '/api/router/receipt-keys'

/** Signs receipts with the current key, which is published before its first receipt leaves. */
export class ReceiptSigner {
  readonly #current: () => Published

  /** @param seed reads 64 hexadecimal digits; if absent, a key of this process only, whose public half is kept */
  constructor(seed: () => string | undefined, baseUrl: string, db: RouterDb, now: () => number) {
    const jku = new URL(RECEIPT_KEYS_PATH, baseUrl).href
    const publish = ({ kid, publicKey }: SigningKey) => noteReceiptKey(db, { kid, publicKey }, new Date(now()))
    this.#current = derived(seed, (hex) => {
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
  /** Resolves once the public key is stored where it is published. */
  readonly published: () => Promise<void>
}

/** Runs work once; a failure is retried at the next call. */
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
