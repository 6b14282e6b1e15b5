import { router, x402Facilitator } from '@callboard/contract'
import type { Call } from '@callboard/runtime'
import { type Clock, isRefusal, MINUTE_MS } from '@callboard/values'
import type { PaymentRequired } from '@callboard/x402'
import type { Config } from '../config.ts'
import { nanoUsdOf } from '../domain/usd.ts'

/** What it takes to request an offer. */
interface Asking {
  readonly call: Call<typeof x402Facilitator.offer>
  readonly clock: Clock
  readonly config: Pick<Config, 'BASE_URL'>
}

/** How long an offer is cached: what the facilitator sells changes only with its settings. */
const KNOWN_MS = MINUTE_MS

/** A price at which balance is sold, as text. */
export type Tier = `${(typeof router.TOP_UP_USD)[number]}`
const TIERS = router.TOP_UP_USD.map((usd) => `${usd}` as Tier)

/** The smallest tier that adds at least this much; undefined if none does. @param nano nano-USD */
export const tierFor = (nano: bigint): Tier | undefined => TIERS.find((usd) => nanoUsdOf(usd) >= nano)

/** The offers of the facilitator for each tier of balance. */
export class TopUpOffers {
  readonly #known = new Map<Tier, { readonly offer: PaymentRequired; readonly until: number }>()

  /** The offer of a tier. @throws the bus's fault when the facilitator cannot be asked */
  async of({ call, clock, config }: Asking, tier: Tier): Promise<PaymentRequired> {
    const now = clock.now()
    const known = this.#known.get(tier)
    if (known && now < known.until) return known.offer
    const resourceUrl = new URL(`/api/router/top-up/${tier}`, config.BASE_URL).href
    const asked = { operation: router.topUp.id, resourceUrl, priceUsd: tier }
    const answer = await call(x402Facilitator.offer, asked)
    if (isRefusal(answer)) throw new Error(`the facilitator sells no top-up: ${answer.refusal}`)
    this.#known.set(tier, { offer: answer.paymentRequired, until: now + KNOWN_MS })
    return answer.paymentRequired
  }

  /** The tier whose offer a payment accepts; undefined where it accepts none of ours. */
  async tierOf(asking: Asking, accepted: Accepted): Promise<Tier | undefined> {
    for (const tier of TIERS) {
      const { accepts } = await this.of(asking, tier)
      const isMeant = accepts.some(
        ({ network, asset, amount }) =>
          network === accepted.network &&
          asset.toLowerCase() === accepted.asset.toLowerCase() &&
          amount === accepted.amount,
      )
      if (isMeant) return tier
    }
    return undefined
  }
}

/** What a payment claims to pay. */
export interface Accepted {
  readonly network: string
  readonly asset: string
  readonly amount: string
}
