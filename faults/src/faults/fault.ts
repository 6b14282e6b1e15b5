import { setTimeout as wait } from 'node:timers/promises'
import type { World } from '../world.ts'

/** One thing that happens to real systems. */
export interface Fault {
  readonly name: string
  /** How it is done, in a few words. */
  readonly how: string
  /** What must hold beside the invariants. */
  readonly mustHold: string
  /** Does it amid the load, and heals it. @throws Error when what must hold does not */
  readonly inject: (world: World) => Promise<void>
  /** Why it cannot be done on this machine, in words. */
  readonly impossible?: () => string | undefined
}

export const seconds = (count: number): Promise<void> => wait(count * 1_000)

/** How long a system may take to come to what is waited for. */
export const PATIENCE_MS = 60_000
