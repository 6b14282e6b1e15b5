import { errorIn, evidenceIn } from './evidence.ts'
import type { Ledger } from './ledger.ts'

/** The answer to a call, and how its payment ended. */
export interface Paid {
  readonly answer: Response
  /** Undefined when the call was free. */
  readonly payment?:
    | (Promised & {
        /** `unknown`: the seller gave no proof, or says that the payment is pending or was used. */
        readonly state: 'settled' | 'refused' | 'unknown'
        /** Whether the same call presents this payment again, instead of signing another. */
        readonly repeatable: boolean
        readonly transaction?: string
        /** The seller's own reason, if it gave any. */
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

/** How a payment was answered. */
interface Answered {
  readonly answer: Response
  readonly signed?: Signed | undefined
  /** Whether the ledger has it as it was sent. */
  readonly isKept: boolean
}

/** Records the outcome of a payment that was answered. */
export async function concluded(
  ledger: Ledger,
  promised: Promised,
  { answer, signed, isKept }: Answered,
): Promise<Paid> {
  const { success, errorReason, ...transaction } = evidenceIn(answer)
  if (success) {
    await recorded(ledger.conclude(promised.id, 'settled', transaction))
    return { answer, payment: { ...promised, state: 'settled', repeatable: false, ...transaction } }
  }
  const isDenied = answer.status === 402
  const claimedReason = errorReason ?? (isDenied ? await errorIn(answer.clone()) : undefined)
  const isUsed = isDenied && claimedReason === NONCE_USED
  const state = isDenied && !isUsed && claimedReason !== PENDING ? 'refused' : 'unknown'
  // A used one buys nothing more. Nor does one whose answer is here without evidence: there is none the next time either.
  const repeatable = state === 'unknown' && !isUsed && !answer.ok && isKept
  await recorded(ledger.conclude(promised.id, state, { ...signed, ...(repeatable ? {} : { presented: undefined }) }))
  return { answer, payment: { ...promised, state, repeatable, ...(claimedReason ? { claimedReason } : {}) } }
}

/** Reasons of a 402 by which the money has moved, or still may: nothing else uses a nonce that was made for it. */
const PENDING = 'settlement_pending'
const NONCE_USED = 'invalid_exact_evm_nonce_already_used'

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
