import type { Address } from '@callboard/values'
import { termsIn } from './after-probe.ts'
import type { Mirrored, PaymentTerm } from './mirrored.ts'

/** Who signed, and on which network that is proven: null for a key, which is one on every network. */
export interface Signer {
  readonly address: Address
  readonly network: string | null
}

/** What a claim of an origin's rows comes to. */
export type Claimable =
  | { readonly outcome: 'no_listings' | 'not_payee' | 'already_owned' }
  | { readonly outcome: 'claimed'; readonly rows: readonly Mirrored[] }

/**
 * The rows of an origin that a signer may take: those that nobody owns, and of which our own probe read, the last time,
 * that every way to pay which can be taken here pays the signer. What a source says of the payee counts for nothing.
 */
export function claimable(rows: readonly Mirrored[], signer: Signer): Claimable {
  if (rows.length === 0) return { outcome: 'no_listings' }
  const paying = rows.filter((row) => pays(row, signer))
  if (paying.length === 0) return { outcome: 'not_payee' }
  const free = paying.filter(({ owner }) => owner === null)
  return free.length === 0 ? { outcome: 'already_owned' } : { outcome: 'claimed', rows: free }
}

function pays(row: Mirrored, { address, network }: Signer): boolean {
  const terms = payable(row)
  const isSigners = ({ payTo, network: on }: PaymentTerm) =>
    payTo.toLowerCase() === address.toLowerCase() && (network === null || on === network)
  return terms.length > 0 && terms.every(isSigners)
}

/**
 * Whom a row pays by our last reading of it. One that is suspended asks for another payee than before, and one that is
 * stale was not read lately: neither is a proof.
 */
export const payable = ({ state, fact }: Mirrored): PaymentTerm[] =>
  state === 'payable' && fact ? termsIn(fact.accepts) : []
