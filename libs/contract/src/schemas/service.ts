import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Conformance, Liveness } from './liveness.ts'
import { Address, Category, Fee, Group, HttpMethod, Network, Timestamp, Usd, Verification } from './words.ts'

export const ServiceEndpoint = z.object({
  name: z.string(),
  method: HttpMethod,
  url: z.string(),
  price: Usd,
  description: z.string(),
  payment: z.object({ scheme: z.string(), network: Network, asset: Address, payTo: Address, checkedAt: Timestamp }),
})

/** A listing in the frozen shape of services. */
export const Service = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: Category,
  /** The verification tier: `verified`, `listed` or `mirrored`. */
  tier: z.enum(['verified', 'listed', 'mirrored']),
  group: Group,
  fee: Fee,
  verified: z.boolean(),
  verification: Verification,
  /** Whether we serve the endpoint on behalf of someone else; none is yet. */
  wrapped: z.boolean(),
  /** Null until the first check. */
  lastCheckedAt: Timestamp.nullable(),
  liveness: Liveness,
  conformance: Conformance,
  /** The lowest price among the endpoints, as USD text. */
  price: Usd,
  networks: z.array(Network),
  endpoints: z.array(ServiceEndpoint),
})
export type Service = z.output<typeof Service>

nameSchemas({ ServiceEndpoint, Service })
