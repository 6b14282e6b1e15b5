import type { ListingOperation, ProbeReport, ShownOffer } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { offerToSplitter, paidBy, payableOffers, type Terms } from './offer.ts'

type Declared = Pick<ListingOperation, 'method' | 'url' | 'name' | 'description' | 'metadataEvidence'>

/** An operation with what a probe of it has met. */
export interface Probed<Operation = Declared> {
  readonly operation: Operation
  readonly report: ProbeReport
}

/** The entries of the offer that a probe has read; null where it read none. */
export const acceptsOf = ({ result }: ProbeReport): readonly ShownOffer[] | null =>
  result?.kind === 'x402' ? result.accepts : null

/**
 * An operation as its provider declares it, with what its probe has read. What the challenge itself tells of the
 * operation counts more than what the provider says of it.
 */
export function publishedOperation({ operation, report }: Probed, terms: Terms): ListingOperation {
  const { method, url, name, description } = operation
  const told = report.result?.operations[0]
  const isTold = told?.metadataEvidence === 'bazaar' || told?.metadataEvidence === 'output-schema'
  const accepts = acceptsOf(report) ?? []
  const offer = offerToSplitter(accepts, terms) ?? payableOffers(accepts, terms)[0]
  return {
    method,
    url,
    name,
    description: description || (told?.description ?? ''),
    metadataEvidence: isTold ? told.metadataEvidence : operation.metadataEvidence,
    ...(told?.inputSchema ? { inputSchema: told.inputSchema } : {}),
    ...(told?.outputSchema ? { outputSchema: told.outputSchema } : {}),
    ...(offer ? paidBy(offer, terms, report.checkedAt) : { payment: null, price: null }),
  }
}

/** The refusal of the first operation that no buyer could pay in the listing's token; undefined when all can be paid. */
export const firstUnpayable = (probed: readonly Probed[], terms: Terms) =>
  firstRefused(
    probed,
    (accepts) => payableOffers(accepts, terms).length > 0,
    `It offers no payable x402 exact payment in ${terms.asset} on ${terms.network}.`,
  )

/** The refusal of the first operation that does not pay the listing's splitter; undefined when all do. */
export const firstNotPayingSplitter = (probed: readonly Probed[], terms: Terms) =>
  firstRefused(
    probed,
    (accepts) => offerToSplitter(accepts, terms) !== undefined,
    `It offers no payable x402 exact payment on ${terms.network} to the fee splitter ${terms.payTo}.`,
  )

function firstRefused(probed: readonly Probed[], isUsable: (accepts: readonly ShownOffer[]) => boolean, why: string) {
  const index = probed.findIndex(({ report }) => !isUsable(acceptsOf(report) ?? []))
  const refused = probed[index]
  if (!refused) return undefined
  const { operation, report } = refused
  const reason = report.state === 'ok_402' ? why : report.message
  return refuse('no_usable_challenge', {
    field: `operations.${index}.url`,
    message: `${operation.name}: ${reason}`,
    details: { state: report.state },
  })
}
