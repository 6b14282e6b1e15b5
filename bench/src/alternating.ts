/** The cost of a series of runs. */
export interface Cost {
  readonly perSecond: number
  /** CPU time of this process per piece, in microseconds. */
  readonly cpuMicros: number
}

/** Runs `piece` repeatedly for about `ms` milliseconds. */
async function stretch(
  piece: () => unknown,
  ms: number,
): Promise<{ pieces: number; wallMs: number; cpuMicros: number }> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  let pieces = 0
  while (performance.now() - start < ms) {
    for (let i = 0; i < 16; i += 1) await piece()
    pieces += 16
  }
  const { user, system } = process.cpuUsage(cpu)
  return { pieces, wallMs: performance.now() - start, cpuMicros: user + system }
}

/**
 * Measures several pieces of work in this process in turns, so that a change in the machine's speed affects all: one
 * warm-up turn, then five counted ones of 400 ms each.
 */
export async function alternating<Name extends string>(
  pieces: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(pieces) as Name[]
  const sums = Object.fromEntries(names.map((name) => [name, { pieces: 0, wallMs: 0, cpuMicros: 0 }])) as Record<
    Name,
    Awaited<ReturnType<typeof stretch>>
  >
  for (let turn = 0; turn < 6; turn += 1) {
    for (const name of names) {
      const cost = await stretch(pieces[name], 400)
      if (turn === 0) continue
      for (const key of ['pieces', 'wallMs', 'cpuMicros'] as const) sums[name][key] += cost[key]
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const { pieces, wallMs, cpuMicros } = sums[name]
      return [name, { perSecond: (pieces * 1_000) / wallMs, cpuMicros: cpuMicros / pieces }]
    }),
  ) as Record<Name, Cost>
}
