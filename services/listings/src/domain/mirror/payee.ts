import type { Address } from '@callboard/values'
import { termsIn } from './after-probe.ts'
import type { Mirrored, PaymentTerm } from './mirrored.ts'

/** Who signed, and the network on which that is proven: null for a key, which is the same on every network. */
export interface Signer {
  readonly address: Address
  readonly network: string | null
}

/** The result of a claim of an origin's rows. */
export type Claimable =
  | { readonly outcome: 'no_listings' | 'not_payee' | 'already_owned' }
  | { readonly outcome: 'claimed'; readonly rows: readonly Mirrored[] }

/**
 * The rows of an origin that a signer may take: those without an owner for which our own probe last read that every
 * supported way to pay pays the signer. What a source says about the payee is ignored.
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
 * Whom a row pays according to our last reading. A suspended row asks for another payee than before, and a stale one
 * was not read recently: neither is proof.
 */
export const payable = ({ state, fact }: Mirrored): PaymentTerm[] =>
  state === 'payable' && fact ? termsIn(fact.accepts) : []
