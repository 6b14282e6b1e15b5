import type { CatalogueEntry } from '@callboard/contract'
import type { Listed, ListedSnapshot, OperationSchemas } from '../listed.ts'
import { serviceOf } from '../service-shape.ts'
import type { LiveOffer } from './endpoint-offers.ts'
import { contractParts, requestContracts } from './request-contract.ts'

/** What an entry shows in addition to its listing. */
export interface EntryFacts extends Pick<CatalogueEntry, 'week' | 'offerChanges' | 'recentSettlements' | 'samePayee'> {
  readonly liveOffers: readonly LiveOffer[]
  /** Signs the links of its calls. */
  readonly linkKey: string
}

/** A service with its request contracts. */
export function entryOf(
  listed: Listed<ListedSnapshot>,
  schemas: readonly OperationSchemas[],
  { liveOffers, linkKey, ...facts }: EntryFacts,
): CatalogueEntry {
  const service = serviceOf(listed)
  const { slug, listedAt, operations } = listed.snapshot
  const parts = operations.map((operation, index) => {
    const live = liveOffers.find(({ method, url }) => method === operation.method && url === operation.url)
    return contractParts(operation, { slug, schemas: schemas[index] ?? {}, live, linkKey })
  })
  return { ...service, listedAt, requests: requestContracts(parts, { service, listedAt, ...facts }), ...facts }
}
