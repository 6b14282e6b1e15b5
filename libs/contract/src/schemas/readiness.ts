import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { NetworkHealth } from './network-health.ts'
import { Timestamp } from './words.ts'

/** What an agent about to be deployed can rely on now, found by asking each part. */
export const TaskReadiness = z.object({
  /** `ready`: all of it answers. `degraded`: some operations do not answer, or some network cannot settle. */
  status: z.enum(['ready', 'degraded', 'unavailable']),
  checkedAt: Timestamp,
  /** The parts of this instance, each sent a small request. */
  services: z.array(
    z.object({
      service: z.string(),
      ready: z.boolean(),
      /** Why not, in words; null where it is ready. */
      reason: z.string().nullable(),
    }),
  ),
  /** Every operation with a route, ready while its service is. */
  operations: z.array(
    z.object({ id: z.string(), method: z.string(), path: z.string(), auth: z.string(), ready: z.boolean() }),
  ),
  /** Whether payments can be settled now, by network; null while that is unknown. */
  networks: z.array(NetworkHealth).nullable(),
  /** Parts that this version defines and this instance does not run: none, since every one of them runs. */
  notRunning: z.array(z.object({ part: z.string(), paths: z.array(z.string()), instead: z.string() })),
})
export type TaskReadiness = z.output<typeof TaskReadiness>

nameSchemas({ TaskReadiness })
