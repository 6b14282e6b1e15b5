import { errorIn, evidenceIn } from './evidence.ts'
import type { Ledger } from './ledger.ts'

/** The answer to a call, and how its payment ended. */
export interface Paid {
  readonly answer: Response
  /** Undefined when the call was free. */
  readonly payment?:
    | (Promised & {
        /** `unknown`: the seller gave no proof. Unless the answer is one of success, the same call presents it again. */
        readonly state: 'settled' | 'refused' | 'unknown'
        readonly transaction?: string
        /** The seller's own reason for refusing it, if it gave any. */
        readonly claimedReason?: string
      })
    | undefined
}

/** A payment in the ledger. */
export interface Promised {
  readonly id: string
  readonly amount: bigint
  readonly payTo: string
  readonly network: string
  /** An earlier call signed it and did not learn its outcome. */
  readonly repeated: boolean
}

/** What was signed. */
export interface Signed {
  /** Unix milliseconds, after which the signature is no longer valid. */
  readonly validBefore: number
}

/** Records the outcome of a payment that was answered. */
export async function concluded(
  ledger: Ledger,
  promised: Promised,
  { answer, signed }: { readonly answer: Response; readonly signed?: Signed | undefined },
): Promise<Paid> {
  const { success, errorReason, ...transaction } = evidenceIn(answer)
  if (success) {
    await recorded(ledger.conclude(promised.id, 'settled', transaction))
    return { answer, payment: { ...promised, state: 'settled', ...transaction } }
  }
  const state = answer.status === 402 ? 'refused' : 'unknown'
  // What was bought is here, and a seller that gives no evidence gives none the next time.
  const kept = answer.ok ? { presented: undefined } : {}
  await recorded(ledger.conclude(promised.id, state, { ...signed, ...kept }))
  const claimedReason = errorReason ?? (state === 'refused' ? await errorIn(answer.clone()) : undefined)
  return { answer, payment: { ...promised, state, ...(claimedReason ? { claimedReason } : {}) } }
}

/**
 * Waits until the ledger has written an outcome, or cannot: its disk is full, or another process keeps it. The promise
 * then stays in it and counts as spent, and the caller still gets the answer, which may be paid for.
 * @returns whether it was written
 */
export const recorded = (written: Promise<void>): Promise<boolean> =>
  written.then(
    () => true,
    () => false,
  )
