import { ANSWER_BYTES, jsonBytes } from '@callboard/bus'
import type { CatalogueEntry, RequestContract } from '@callboard/contract'
import type { Listed, ListedSnapshot, OperationSchemas } from '../listed.ts'
import { serviceOf } from '../service-shape.ts'
import { endpointOffers, type LiveOffer } from './endpoint-offers.ts'
import { howToPay } from './how-to-pay.ts'
import { sampleRequest } from './sample-request.ts'

/** What an entry shows in addition to its listing. */
export interface EntryFacts extends Pick<CatalogueEntry, 'week' | 'offerChanges' | 'recentSettlements' | 'samePayee'> {
  readonly liveOffers: readonly LiveOffer[]
}

/**
 * A service with its request contracts. Parts that do not fit into the answer are left out, the least needed first: a
 * schema is then null, as if never learnt, and so are sample and directions; a live offer keeps only its time.
 */
export function entryOf(
  listed: Listed<ListedSnapshot>,
  schemas: readonly OperationSchemas[],
  { liveOffers, ...facts }: EntryFacts,
): CatalogueEntry {
  const service = serviceOf(listed)
  const { listedAt, operations } = listed.snapshot
  const requests = operations.map((operation, index): Parts => {
    const { name, method, url, metadataEvidence, price, payment } = operation
    const live = liveOffers.find((one) => one.method === method && one.url === url)
    const sample = sampleRequest({ method, url }, schemas[index] ?? {})
    const { stored, live: shown, differences } = endpointOffers({ price, payment }, live)
    return {
      base: {
        name,
        method,
        url,
        metadataEvidence,
        offers: { stored, live: shown && { ...shown, accepts: [] }, differences },
      },
      howToPay: payment ? howToPay({ ...sample, method, payment }) : null,
      sampleInput: sample.input,
      accepts: shown?.accepts ?? [],
      schemas: schemas[index] ?? {},
    }
  })
  const budget = new ByteBudget({
    service,
    listedAt,
    ...facts,
    requests: requests.map(({ base }) => ({ ...base, ...LEFT_OUT })),
  })
  // What a buyer needs for each operation takes precedence over what is merely useful.
  const accepts = requests.map((one) => budget.take(one.accepts) ?? [])
  const inputs = requests.map((one) => budget.take(one.schemas.inputSchema))
  const directions = requests.map((one) => budget.take(one.howToPay))
  const samples = requests.map((one) => budget.take(one.sampleInput))
  const outputs = requests.map((one) => budget.take(one.schemas.outputSchema))
  return {
    ...service,
    listedAt,
    requests: requests.map(({ base: { offers, ...base } }, at) => ({
      ...base,
      inputSchema: inputs[at] ?? null,
      outputSchema: outputs[at] ?? null,
      sampleInput: samples[at] ?? null,
      offers: { ...offers, live: offers.live && { ...offers.live, accepts: accepts[at] ?? [] } },
      howToPay: directions[at] ?? null,
    })),
    ...facts,
  }
}

interface Parts extends Pick<RequestContract, 'howToPay' | 'sampleInput'> {
  readonly base: Omit<RequestContract, 'inputSchema' | 'outputSchema' | 'howToPay' | 'sampleInput'>
  readonly accepts: LiveOffer['accepts'][number][]
  readonly schemas: OperationSchemas
}

/** The values of a request's parts that were left out. */
const LEFT_OUT = { inputSchema: null, outputSchema: null, sampleInput: null, howToPay: null }

/** The remaining space in the largest answer that the bus carries. */
class ByteBudget {
  #left: number

  constructor(base: unknown) {
    this.#left = ANSWER_BYTES - jsonBytes(base)
  }

  /** @returns undefined if it does not fit */
  take<Value>(value: Value): Value | undefined {
    if (value === undefined || value === null) return undefined
    const bytes = jsonBytes(value)
    if (bytes > this.#left) return undefined
    this.#left -= bytes
    return value
  }
}
