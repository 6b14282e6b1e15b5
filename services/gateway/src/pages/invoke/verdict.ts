import { FINDINGS, type InvokedCall } from '@callboard/contract'
import { REASON_WORDS, type Words } from '@callboard/x402'
import { SEEN } from './seen.ts'

/** Whether a call can be paid now, and if not, why, and what its seller can do about it. */
export type Verdict =
  /** `doubt` says what the last check saw instead of the offer; null if it saw one. */
  | { readonly payable: true; readonly doubt: string | null }
  | { readonly payable: false; readonly reasons: readonly Reason[] }
export interface Reason {
  readonly message: string
  /** Absent where only the seller knows. */
  readonly mend?: string
}

/** The verdict of the directory, with the reasons that our checks found. */
export function verdictOf({ payable, problem, check, request }: InvokedCall): Verdict {
  const seen = check && `At our last check, ${SEEN[check.state] ?? check.state}.`
  if (payable) return { payable: true, doubt: check?.state === 'ok_402' ? null : seen }
  const { stored, live } = request.offers
  const known = (live?.accepts ?? []).flatMap(({ notPayableReason }) => wordsOf(notPayableReason) ?? [])
  const scheme = stored && stored.scheme !== 'exact' ? [REASON_WORDS.scheme] : []
  const reasons: Reason[] = [
    ...(problem === null ? [] : [{ message: problem }]),
    ...(seen && check?.state === 'mpp' ? [{ message: seen, mend: FINDINGS.mpp.mend }] : []),
    ...new Set([...scheme, ...known]),
  ]
  return { payable: false, reasons: reasons.length > 0 ? reasons : [{ message: 'No check has read an offer of it.' }] }
}

/** A prober of a newer version may give reasons that this one does not know. */
const wordsOf = (reason: string | null): Words | undefined =>
  reason !== null && Object.hasOwn(REASON_WORDS, reason) ? REASON_WORDS[reason as keyof typeof REASON_WORDS] : undefined
