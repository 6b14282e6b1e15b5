import type { PayeeClaim } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'
import type { Claimant } from './store/claimant.repository.ts'

/** Whom a payment pays. */
export interface Payee {
  readonly network: Caip2
  readonly payTo: Address
}

export const payeeOf = ({ network, payTo }: Payee): Payee => ({ network, payTo })

const nameOf = ({ network, payTo }: Payee) => `${network} ${payTo}`

/** The splitters of some listings; those of one payout wallet share theirs. */
export class Payees {
  readonly #listings: ReadonlyMap<string, readonly Claimant[]>

  /** @param listings oldest first */
  constructor(listings: readonly Claimant[]) {
    this.#listings = Map.groupBy(listings, nameOf)
  }

  /** All of the listings. */
  get listings(): Claimant[] {
    return [...this.#listings.values()].flat()
  }

  readonly areListed = (payee: Payee): boolean => this.#listings.has(nameOf(payee))

  /** The claims on a payee, among those of all the listings. */
  claimsOn(payee: Payee, claims: readonly PayeeClaim[]): PayeeClaim[] {
    const slugs = new Set(this.#listings.get(nameOf(payee))?.map(({ slug }) => slug))
    return claims.filter(({ slug }) => slugs.has(slug))
  }

  /** Which listing a settlement is kept for if only drafts claim its payee: the oldest, preferably not withdrawn. */
  draftOf(payee: Payee): Claimant | undefined {
    const drafts = this.#listings.get(nameOf(payee)) ?? []
    return drafts.find(({ withdrawnAt }) => withdrawnAt === null) ?? drafts[0]
  }
}
