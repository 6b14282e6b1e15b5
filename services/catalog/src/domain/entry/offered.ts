import type { EndpointPayment, HttpMethod, ListingSnapshot } from '@callboard/contract'
import { schemaHash } from '@callboard/values/schema-hash'

type Operation = ListingSnapshot['operations'][number]

/** The offer of one endpoint in one version of a listing; schemas by their hash. */
export interface OfferedOperation
  extends Pick<EndpointPayment, 'scheme' | 'network' | 'asset' | 'payTo' | 'maxTimeoutSeconds'> {
  readonly method: HttpMethod
  readonly url: string
  /** USD text. */
  readonly price: string
  readonly inputSchema?: string
  readonly outputSchema?: string
}

/** The payable offers of a snapshot. Undefined if it is not live: it then offers nothing to anyone. */
export function offered({
  status,
  operations,
}: Pick<ListingSnapshot, 'status' | 'operations'>): OfferedOperation[] | undefined {
  return status === 'live' ? operations.flatMap((operation) => offeredBy(operation) ?? []) : undefined
}

function offeredBy(operation: Operation): OfferedOperation | undefined {
  const { method, url, price, payment } = operation
  if (price === null || !payment) return undefined
  const inputSchema = operation.inputSchema ? schemaHash(operation.inputSchema) : operation.inputSchemaHash
  const outputSchema = operation.outputSchema ? schemaHash(operation.outputSchema) : operation.outputSchemaHash
  const { scheme, network, asset, payTo, maxTimeoutSeconds } = payment
  return {
    ...{ method, url, price, scheme, network, asset, payTo },
    ...(maxTimeoutSeconds === undefined ? {} : { maxTimeoutSeconds }),
    ...(inputSchema ? { inputSchema } : {}),
    ...(outputSchema ? { outputSchema } : {}),
  }
}
