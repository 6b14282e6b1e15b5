import type { Chain, ChainSet } from '@callboard/evm'
import { type Address, baseUnits } from '@callboard/values'
import {
  BAZAAR,
  BUILDER_CODE,
  type Confirmation,
  type ExactRequirements,
  type Extensions,
  type Offer,
  offerBuilderCode,
  offerPaymentIdentifier,
  PAYMENT_IDENTIFIER,
  ROUTING_PROOF,
  toV1Requirements,
  type V1Networks,
  type V1PaymentRequired,
} from '@callboard/x402'
import { DECODE_BAZAAR } from './decode/bazaar.ts'

/** The price of one of our own paid operations, and who is paid. */
export interface OwnPrice {
  /** Decimal text, exact in every token's decimals. */
  readonly priceUsd: string
  readonly payTo: Address
  /** From which confirmation on a payment counts, by network; the network's default where it has no entry. */
  readonly confirmations?: ReadonlyMap<string, Confirmation>
}

/** How long a buyer's authorization should be valid, in seconds. */
const MAX_TIMEOUT_SECONDS = 300

/** What we ask for: one entry for every chain we settle on. */
export const ownRequirements = (chains: ChainSet, price: OwnPrice): ExactRequirements[] =>
  [...chains.values()].map((chain) => ownRequirement(chain, price))

function ownRequirement({ network, usdc }: Chain, { priceUsd, payTo, confirmations }: OwnPrice): ExactRequirements {
  const confirmation = confirmations?.get(network)
  const amount = baseUnits(priceUsd, usdc.decimals)
  if (amount === undefined) throw new RangeError(`${priceUsd} USD is not exact in ${usdc.decimals} decimals`)
  return {
    scheme: 'exact',
    network,
    amount: amount.toString(),
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: {
      name: usdc.name,
      version: usdc.version,
      assetTransferMethod: 'eip3009',
      ...(confirmation && { confirmation }),
    },
  }
}

/** The extensions our own offers carry. */
export const OWN_EXTENSIONS = {
  [PAYMENT_IDENTIFIER]: offerPaymentIdentifier(false),
  [BUILDER_CODE]: offerBuilderCode({ s: [ROUTING_PROOF] }),
  [BAZAAR]: DECODE_BAZAAR,
} satisfies Extensions

export interface OwnResource {
  readonly url: string
  readonly description: string
}

/** The extensions of offers by our other services: their products are not described to crawlers. */
const { [BAZAAR]: _, ...SERVICE_EXTENSIONS } = OWN_EXTENSIONS

/** The offer of a product that another of our services sells. */
export const serviceOffer = (
  requirements: readonly ExactRequirements[],
  resource: OwnResource,
  error?: string,
): Offer => ({ ...ownOffer(requirements, resource, error), extensions: SERVICE_EXTENSIONS })

/** The offer of one of our own paid operations. */
export const ownOffer = (
  requirements: readonly ExactRequirements[],
  { url, description }: OwnResource,
  error?: string,
): Offer => ({
  x402Version: 2,
  ...(error === undefined ? {} : { error }),
  resource: { url, description, mimeType: 'application/json', serviceName: 'Callboard', tags: ['x402', 'payments'] },
  accepts: [...requirements],
  extensions: OWN_EXTENSIONS,
})

/** The same offer for version 1 clients; null when none of our chains has a version 1 name. */
export function ownV1Offer(
  requirements: readonly ExactRequirements[],
  { url, description }: OwnResource,
  networks: V1Networks,
  error?: string,
): V1PaymentRequired | null {
  const accepts = requirements.flatMap(
    (requirement) => toV1Requirements(requirement, { url, description }, networks) ?? [],
  )
  return accepts.length === 0 ? null : { x402Version: 1, error: error ?? 'X-PAYMENT header is required', accepts }
}
