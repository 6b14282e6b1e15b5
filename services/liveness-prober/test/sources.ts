import {
  type EventDeclaration,
  eventName,
  type HttpMethod,
  type ListingSnapshot,
  listingChanged,
  listingRemoved,
  type noChecks,
  probeRequested,
} from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import type { TestDatabase } from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { PAY_TO } from './offers.ts'

let sequence = 0

/** Services that receive events about listings. */
type Publisher = Pick<Running, 'bus'>

async function publish(services: Publisher, event: EventDeclaration, data: { slug: string }): Promise<void> {
  sequence += 1
  await services.bus.events.publish({
    id: `test-${sequence}`,
    name: eventName(event),
    key: data.slug,
    sequence,
    source: 'listings',
    occurredAt: isoTime(Date.now()),
    data,
  })
}

/** Publishes a listing with these endpoints, as the listings service does. */
export function publishChanged(
  services: Publisher,
  slug: string,
  urls: readonly string[],
  more: Partial<ListingSnapshot> & { method?: HttpMethod } = {},
): Promise<void> {
  const { method = 'GET', ...rest } = more
  const now = isoTime(Date.now())
  const snapshot: ListingSnapshot = {
    slug,
    version: 1,
    name: slug,
    description: 'For tests.',
    category: 'data',
    status: 'live',
    verification: 'none',
    group: 'added',
    provenance: 'self_listed',
    fee: { bps: 500, label: '5% network fee' },
    operations: urls.map((url) => ({
      name: 'Quote',
      method,
      url,
      description: '',
      metadataEvidence: 'none',
      price: '0.01',
      payment: null,
    })),
    payTo: [{ network: 'eip155:31337', address: PAY_TO }],
    conformance: null,
    createdAt: now,
    listedAt: now,
    updatedAt: now,
    ...rest,
  }
  return publish(services, listingChanged, snapshot)
}

export const publishRemoved = (services: Publisher, slug: string, version: number): Promise<void> =>
  publish(services, listingRemoved, { slug, version } as never)

/** Requests a probe of a resource named by a payment, as the facilitator does. */
export function askForProbe({ bus }: Publisher, url: string, probeId: string, id = `ask-${probeId}`): Promise<void> {
  const requestedAt = isoTime(Date.now())
  sequence += 1
  return bus.events.publish({
    ...{ id, name: eventName(probeRequested), key: url, sequence, source: 'x402-facilitator', occurredAt: requestedAt },
    data: { url, probeId, requestedAt },
  })
}

export interface Completed {
  readonly slug: string
  readonly url: string
  readonly state: string
  readonly finding?: string
  readonly verdict: string
  readonly checkedAt: string
  readonly consecutiveDown: number
  readonly accepts: readonly { payable: boolean; payTo: string }[] | null
  readonly liveness: typeof noChecks
}

/** The recorded `probe.completed` events, oldest first. */
export async function completed(database: TestDatabase, slug: string): Promise<Completed[]> {
  const rows = await database.query<{ data: Completed }>(
    `select data from liveness_prober.outbox where name = 'probe.completed.v1' and key = $1 order by sequence`,
    [slug],
  )
  return rows.map(({ data }) => data)
}
