import type { World } from '../world.ts'

/** What must hold after every fault. @returns each way in which it does not, in words */
export interface Invariant {
  readonly name: string
  readonly broken: (world: World) => Promise<string[]>
}

/** At most so many of many findings are reported. */
const TOLD = 5

export const summary = (found: readonly string[]): string[] =>
  found.length <= TOLD ? [...found] : [...found.slice(0, TOLD), `and ${found.length - TOLD} more`]

/** Looks again until nothing is found, or the time is over. @returns what the last look found */
export async function foundAfter(withinMs: number, look: () => Promise<string[]>): Promise<string[]> {
  const end = performance.now() + withinMs
  for (;;) {
    const found = await look().catch((error: unknown) => [String(error)])
    if (found.length === 0 || performance.now() > end) return summary(found)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
