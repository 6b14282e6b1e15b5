import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Network } from './words.ts'

/** Whether payments on a network can be settled now; `reason` says why not. */
export const NetworkHealth = z.object({
  network: Network,
  canSettle: z.boolean(),
  reason: z.string().optional(),
})
export type NetworkHealth = z.output<typeof NetworkHealth>

nameSchemas({ NetworkHealth })
