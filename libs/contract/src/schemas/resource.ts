import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { ShownOffer } from './probe.ts'

/**
 * A resource as its own 402 answers describe it. Our probe read all of it; none of it comes from a payment. Each text
 * and their total are limited in size; `serviceName`, `tags` and `iconUrl` are omitted where they break the rules of
 * the bazaar extension.
 */
export const ProbedResource = z.object({
  /** Origin and path, or origin and route template where the answer names one that fits the path. */
  resource: z.string(),
  type: z.enum(['http', 'mcp']),
  x402Version: z.number().int(),
  /** What it asks for, in its own order. */
  accepts: z.array(ShownOffer).min(1),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  iconUrl: z.string().optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
export type ProbedResource = z.output<typeof ProbedResource>

/** A listed resource, in the shape of the bazaar. */
export const DiscoveredResource = z.object({
  resource: z.string(),
  type: z.enum(['http', 'mcp']),
  x402Version: z.number().int(),
  accepts: z.array(z.record(z.string(), z.unknown())),
  /** When our probe last read this. */
  lastUpdated: z.iso.datetime(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  iconUrl: z.string().optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
export type DiscoveredResource = z.output<typeof DiscoveredResource>

nameSchemas({ DiscoveredResource })
