import { setTimeout as wait } from 'node:timers/promises'
import type { World } from '../world.ts'

/** A failure that happens to real systems. */
export interface Fault {
  readonly name: string
  /** How it is done, in a few words. */
  readonly how: string
  /** What must hold in addition to the invariants. */
  readonly mustHold: string
  /** Causes it under load, and heals it. @throws Error when what must hold does not */
  readonly inject: (world: World) => Promise<void>
  /** Why it cannot be caused on this machine, in words. */
  readonly impossible?: () => string | undefined
}

export const seconds = (count: number): Promise<void> => wait(count * 1_000)

/** How long a system may take to reach an expected state. */
export const PATIENCE_MS = 60_000
