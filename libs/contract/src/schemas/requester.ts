import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/**
 * Who asked, as the edge saw it and not as they say: what an owner is shown before they decide. The gateway puts it into
 * the input of routes that are marked `requester`; a client cannot.
 */
export const Requester = z.object({
  /** The address of the connection, or what a trusted proxy says of it. */
  address: z.string().max(64),
  /** The `User-Agent`, cut; null when none was sent. */
  userAgent: z.string().max(256).nullable(),
})
export type Requester = z.output<typeof Requester>

nameSchemas({ Requester })
