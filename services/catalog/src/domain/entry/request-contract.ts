import { ANSWER_BYTES, jsonBytes } from '@callboard/bus'
import type { RequestContract } from '@callboard/contract'
import { isPriced } from '../check-summary.ts'
import { invokeAction } from '../invoke-link.ts'
import type { ListedSnapshot, OperationSchemas } from '../listed.ts'
import { endpointOffers, type LiveOffer } from './endpoint-offers.ts'
import { howToPay } from './how-to-pay.ts'
import { sampleRequest } from './sample-request.ts'

type Operation = ListedSnapshot['operations'][number]

/** What is known of one operation besides its listing. */
export interface OperationFacts {
  readonly slug: string
  readonly schemas: OperationSchemas
  readonly live: LiveOffer | undefined
  /** Signs the link of its page. */
  readonly linkKey: string
}

/** A request contract in parts, of which some may not fit into an answer. */
export interface ContractParts extends Pick<RequestContract, 'howToPay' | 'sampleInput'> {
  readonly base: Omit<RequestContract, 'inputSchema' | 'outputSchema' | 'howToPay' | 'sampleInput'>
  readonly accepts: LiveOffer['accepts'][number][]
  readonly schemas: OperationSchemas
}

export function contractParts(operation: Operation, { slug, schemas, live, linkKey }: OperationFacts): ContractParts {
  const { name, method, url, metadataEvidence, price, payment } = operation
  const sample = sampleRequest({ method, url }, schemas)
  const { stored, live: shown, differences } = endpointOffers({ price, payment }, live)
  return {
    base: {
      name,
      method,
      url,
      metadataEvidence,
      offers: { stored, live: shown && { ...shown, accepts: [] }, differences },
      action: isPriced(operation) ? invokeAction(linkKey, slug, operation) : null,
    },
    howToPay: payment ? howToPay({ ...sample, method, payment }) : null,
    sampleInput: sample.input,
    accepts: shown?.accepts ?? [],
    schemas,
  }
}

/** The values of a request's parts that were left out. */
const LEFT_OUT = { inputSchema: null, outputSchema: null, sampleInput: null, howToPay: null }

/**
 * Request contracts beside the rest of an answer. Parts that do not fit into it are left out, the least needed first: a
 * schema is then null, as if never learnt, and so are sample and directions; a live offer keeps only its time.
 */
export function requestContracts(parts: readonly ContractParts[], beside: object): RequestContract[] {
  const budget = new ByteBudget({ ...beside, requests: parts.map(({ base }) => ({ ...base, ...LEFT_OUT })) })
  // What a buyer needs for each operation takes precedence over what is merely useful.
  const accepts = parts.map((one) => budget.take(one.accepts) ?? [])
  const inputs = parts.map((one) => budget.take(one.schemas.inputSchema))
  const directions = parts.map((one) => budget.take(one.howToPay))
  const samples = parts.map((one) => budget.take(one.sampleInput))
  const outputs = parts.map((one) => budget.take(one.schemas.outputSchema))
  return parts.map(({ base: { offers, ...base } }, at) => ({
    ...base,
    inputSchema: inputs[at] ?? null,
    outputSchema: outputs[at] ?? null,
    sampleInput: samples[at] ?? null,
    offers: { ...offers, live: offers.live && { ...offers.live, accepts: accepts[at] ?? [] } },
    howToPay: directions[at] ?? null,
  }))
}

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
