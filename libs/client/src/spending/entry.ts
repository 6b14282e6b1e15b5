import { agents } from '@callboard/contract'
import { z } from 'zod'
import type { Asked, Spent } from './policy.ts'

/**
 * `promised` is signed, or about to be: the holder of the signature may use it until it expires. `settled` is paid.
 * `refused` was turned down by the seller, who still holds the signature. `unknown` had no answer.
 */
const State = z.enum(['promised', 'settled', 'refused', 'unknown'])

/** A transfer's order to the token, as EIP-3009 has it signed. */
const Signed = agents.relayTransfer.input.pick({ signature: true, authorization: true })
export type Signed = z.output<typeof Signed>

/** A payment or a transfer, as the ledger keeps it. */
export const Entry = z.object({
  id: z.string(),
  at: z.number(),
  url: z.string(),
  network: z.string(),
  payTo: z.string(),
  /** Base units of USDC as decimal text. */
  amount: z.string().regex(/^\d+$/),
  /** Unix milliseconds, after which the signature is worth nothing. */
  validBefore: z.number(),
  state: State,
  transaction: z.string().optional(),
  /** A transfer to the agent's own owner, which is no spending. */
  toOwner: z.boolean().optional(),
  /** Of a transfer whose outcome is not known, so that a repeat sends the same again. */
  signed: Signed.optional(),
})
export type Entry = z.output<typeof Entry>

/** Whether an entry counts as spent: all do, but what stays with the owner, and what was refused and is over. */
const counts = ({ state, validBefore, toOwner }: Entry, now: number) =>
  toOwner !== true && (state !== 'refused' || now < validBefore)

/** What counts as spent. */
export const spentBy = (entries: readonly Entry[], now: number): Spent[] =>
  entries.filter((entry) => counts(entry, now)).map(({ at, amount }) => ({ at, amount: BigInt(amount) }))

/** A transfer that is asked for. */
export interface TransferAsked extends Asked {
  /** The service that relays it. */
  readonly url: string
  readonly toOwner: boolean
}

/** Whether an entry is a transfer of these terms that was signed, and whose outcome is not known. */
export const isOpen = ({ state, signed, ...entry }: Entry, { url, network, payTo, amount }: TransferAsked): boolean =>
  signed !== undefined &&
  (state === 'promised' || state === 'unknown') &&
  entry.url === url &&
  entry.network === network &&
  entry.payTo === payTo &&
  entry.amount === amount.toString()
