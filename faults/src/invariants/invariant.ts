import type { World } from '../world.ts'

/** A condition that must hold after every fault. @returns each violation, in words */
export interface Invariant {
  readonly name: string
  readonly broken: (world: World) => Promise<string[]>
}

/** The most findings that are reported. */
const TOLD = 5

export const summary = (found: readonly string[]): string[] =>
  found.length <= TOLD ? [...found] : [...found.slice(0, TOLD), `and ${found.length - TOLD} more`]

/** Checks again until nothing is found, or the time is over. @returns the findings of the last check */
export async function foundAfter(withinMs: number, look: () => Promise<string[]>): Promise<string[]> {
  const end = performance.now() + withinMs
  for (;;) {
    const found = await look().catch((error: unknown) => [String(error)])
    if (found.length === 0 || performance.now() > end) return summary(found)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
