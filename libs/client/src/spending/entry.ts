import { agents } from '@callboard/contract'
import { MINUTE_MS } from '@callboard/values'
import { z } from 'zod'
import type { Asked, Spent } from './policy.ts'

/**
 * `promised` is signed or about to be: the signature's holder may use it until it expires. `settled` is paid. `refused`
 * was refused by the seller, who still holds the signature. `unknown` had no answer.
 */
const State = z.enum(['promised', 'settled', 'refused', 'unknown'])

/** A signed order for the token to transfer, per EIP-3009. */
const Signed = agents.relayTransfer.input.pick({ signature: true, authorization: true })
export type Signed = z.output<typeof Signed>

/** A payment or a transfer, as stored in the ledger. */
export const Entry = z.object({
  id: z.string(),
  at: z.number(),
  url: z.string(),
  network: z.string(),
  payTo: z.string(),
  /** Base units of USDC as decimal text. */
  amount: z.string().regex(/^\d+$/),
  /** Unix milliseconds, after which the signature is no longer valid. */
  validBefore: z.number(),
  state: State,
  transaction: z.string().optional(),
  /** A transfer to the agent's own owner, which does not count as spending. */
  toOwner: z.boolean().optional(),
  /** For a transfer of unknown outcome, so that a repeat sends the same one. */
  signed: Signed.optional(),
  /** Of a payment: the request that it pays for (`requestHash`). */
  request: z.string().optional(),
  /** Of a payment of unknown outcome: its header as it was sent, so that a repeat presents the same one. */
  presented: z.string().optional(),
  /** Of a payment: the process that waits for the answer. */
  pid: z.number().optional(),
})
export type Entry = z.output<typeof Entry>

/** A payment that was presented. */
export type Presented = Entry & { readonly presented: string }

/**
 * Whether an entry counts as spent. Every payment does: that it was refused is the seller's word, and the seller may
 * have used the signature all the same. Transfers count, except those to the owner, and those that the service refused
 * and that have expired.
 */
const counts = ({ state, validBefore, toOwner }: Entry, now: number) =>
  toOwner === undefined || (!toOwner && (state !== 'refused' || now < validBefore))

/** The entries that count as spent. */
export const spentBy = (entries: readonly Entry[], now: number): Spent[] =>
  entries.filter((entry) => counts(entry, now)).map(({ at, amount }) => ({ at, amount: BigInt(amount) }))

/** A requested transfer. */
export interface TransferAsked extends Asked {
  /** The service that relays it. */
  readonly url: string
  readonly toOwner: boolean
}

/** No process waits longer for the answer to a payment. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS

/**
 * Whether an entry is a payment for this request whose outcome nobody learns any more.
 * @param isWaiting whether its process still waits for the answer
 */
export const isUndecided = (
  entry: Entry,
  request: string,
  { now, isWaiting }: { readonly now: number; readonly isWaiting: (id: string, pid: number) => boolean },
): entry is Presented => {
  const { id, state, pid, at, presented } = entry
  if (entry.request !== request || presented === undefined) return false
  const isAwaited = state === 'promised' && pid !== undefined && now - at < LONGEST_WAIT_MS && isWaiting(id, pid)
  return state === 'unknown' || (state === 'promised' && !isAwaited)
}

/** Whether an entry is a signed transfer with these terms whose outcome is unknown. */
export const isOpen = ({ state, signed, ...entry }: Entry, { url, network, payTo, amount }: TransferAsked): boolean =>
  signed !== undefined &&
  (state === 'promised' || state === 'unknown') &&
  entry.url === url &&
  entry.network === network &&
  entry.payTo === payTo &&
  entry.amount === amount.toString()
