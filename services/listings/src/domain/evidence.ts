import { jsonBytes } from '@callboard/bus'
import {
  acceptsOf,
  type ListingOperation,
  type ProbedOperation,
  type ProbeReport,
  type ShownOffer,
} from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { Words } from '@callboard/x402'
import {
  inWords,
  offerAvoidingSplitter,
  offerToSplitter,
  paidBy,
  payableOffers,
  paysSplitter,
  type Terms,
} from './offer.ts'

type Declared = Pick<ListingOperation, 'method' | 'url' | 'name' | 'description' | 'metadataEvidence' | 'sample'>

/** An operation and the result of probing it. */
export interface Probed<Operation = Declared> {
  readonly operation: Operation
  readonly report: ProbeReport
}

/** Sources from the seller's own server: its challenge, or the OpenAPI document of its origin. */
const TOLD_BY_SELLER: ReadonlySet<string> = new Set(['bazaar', 'output-schema', 'openapi'])

/**
 * An operation as its provider declares it, with the result of its probe. What the challenge says about the operation
 * takes precedence over what the provider says.
 */
export function publishedOperation({ operation, report }: Probed, terms: Terms): ListingOperation {
  const { method, url, name, description, metadataEvidence, sample } = operation
  const accepts = acceptsOf(report) ?? []
  const offer = offerToSplitter(accepts, terms) ?? payableOffers(accepts, terms)[0]
  const describedBy = description === '' ? 'endpoint' : 'owner'
  return {
    method,
    url,
    name,
    description,
    describedBy,
    metadataEvidence,
    ...(sample ? { sample } : {}),
    ...describedOf(report.result?.operations[0], describedBy),
    ...(offer ? paidBy(offer, terms, report.checkedAt) : { payment: null, price: null }),
  }
}

/** What an endpoint says about itself: schemas, and a description if its owner gave none. Bounded by the prober. */
export type Described = Pick<
  ProbedOperation,
  'description' | 'inputSchema' | 'inputExample' | 'outputSchema' | 'metadataEvidence'
>

/** The parts of a listed operation that its endpoint describes. */
export function describedOf(
  described: Described | undefined,
  describedBy: ListingOperation['describedBy'],
): Partial<ListingOperation> {
  if (!described) return {}
  const { description, inputSchema, inputExample, outputSchema, metadataEvidence } = described
  return {
    ...(describedBy === 'endpoint' && description !== undefined ? { description } : {}),
    ...(inputSchema ? { inputSchema } : {}),
    ...(inputExample ? { inputExample } : {}),
    ...(outputSchema ? { outputSchema } : {}),
    ...(isDescribedBySeller(described) ? { metadataEvidence } : {}),
  }
}

/** Whether an operation is described by the seller, in its challenge or in its origin's document. */
export const isDescribedBySeller = ({ metadataEvidence }: Pick<ListingOperation, 'metadataEvidence'>): boolean =>
  TOLD_BY_SELLER.has(metadataEvidence)

/** The most that the schemas and examples of one listing may take as JSON, so that its snapshot easily fits a message. */
const MAX_SCHEMA_BYTES = 256 * 1024

/** A listing's operations, without the schemas and examples that exceed the limit of one listing. */
export function withinBounds(operations: readonly ListingOperation[]): ListingOperation[] {
  let left = MAX_SCHEMA_BYTES
  return operations.map((operation) => {
    const { inputSchema, inputExample, outputSchema, ...rest } = operation
    const isDescribed = inputSchema || inputExample || outputSchema
    const bytes = isDescribed ? jsonBytes({ inputSchema, inputExample, outputSchema }) : 0
    if (bytes > left) return rest
    left -= bytes
    return operation
  })
}

/** An operation that cannot be listed as it is, and why. */
export interface Unusable {
  readonly index: number
  readonly probed: Probed
  /** What is wrong with an offer that is sound in itself; undefined if the probe's own words say it. */
  readonly words: Words | undefined
}

/** The first operation that no buyer could pay in the listing's token; undefined if all can be paid. */
export const firstUnpayable = (probed: readonly Probed[], terms: Terms): Unusable | undefined =>
  firstUnusable(probed, (accepts) => payableOffers(accepts, terms).length > 0, {
    message: `It offers no payable x402 exact payment in ${terms.asset} on ${terms.network}.`,
    mend: `Add an entry to \`accepts\`: scheme \`exact\`, network \`${terms.network}\`, asset \`${terms.asset}\`.`,
  })

/** The first operation that does not pay the listing's splitter; undefined if all do. */
export const firstNotPayingSplitter = (probed: readonly Probed[], terms: Terms): Unusable | undefined =>
  firstUnusable(probed, (accepts) => offerToSplitter(accepts, terms) !== undefined, {
    message: `It offers no payable x402 exact payment on ${terms.network} to the fee splitter ${terms.payTo}.`,
    mend: `Set \`payTo\` of its entry on \`${terms.network}\` to the fee splitter \`${terms.payTo}\`.`,
  })

/**
 * The refusal of the first operation that offers payment both to and past the listing's splitters, so that a buyer may
 * choose to pay no fee; undefined if there is none. An offer that pays no splitter at all is not mixed: before
 * activation its provider may not know the splitter's address yet.
 */
export function firstMixed(probed: readonly Probed[], terms: Terms) {
  for (const [index, { operation, report }] of probed.entries()) {
    const accepts = acceptsOf(report) ?? []
    const avoiding = offerAvoidingSplitter(accepts, terms)
    if (!avoiding || !accepts.some((offer) => paysSplitter(offer, terms))) continue
    return refuse('offer_avoids_splitter', {
      field: `operations.${index}.url`,
      message: `${operation.name}: ${avoidsInWords(avoiding, terms)}`,
      details: { entry: entryOf(avoiding) },
    })
  }
  return undefined
}

/** The fault of an offer that pays past the splitters, in words. */
export const avoidsInWords = (offer: ShownOffer, { network, payTo }: Terms): string =>
  `It offers ${inWords(offer)}, which is not the listing’s fee splitter there (${payTo} on ${network}).`

const entryOf = ({ scheme, network, asset, amount, payTo }: ShownOffer) => ({ scheme, network, asset, amount, payTo })

function firstUnusable(
  probed: readonly Probed[],
  isUsable: (accepts: readonly ShownOffer[]) => boolean,
  words: Words,
): Unusable | undefined {
  const index = probed.findIndex(({ report }) => report.state !== 'ok_402' || !isUsable(acceptsOf(report) ?? []))
  const first = probed[index]
  return first && { index, probed: first, words: first.report.state === 'ok_402' ? words : undefined }
}
