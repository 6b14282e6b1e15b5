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

/** Waits for something to come about. @throws Error naming it when it does not */
export async function until(what: string, look: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`It did not come to this within ${withinMs / 1000} s: ${what}`)
    await wait(50)
  }
}
