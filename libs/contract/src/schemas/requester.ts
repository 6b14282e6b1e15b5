import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/**
 * The caller as the edge saw it, not as it describes itself: shown to an owner before they decide. The gateway puts it
 * into the input of routes marked `requester`; a client cannot.
 */
export const Requester = z.object({
  /** The address of the connection, or the one that a trusted proxy reports. */
  address: z.string().max(64),
  /** The `User-Agent`, truncated; null when none was sent. */
  userAgent: z.string().max(256).nullable(),
})
export type Requester = z.output<typeof Requester>

nameSchemas({ Requester })
