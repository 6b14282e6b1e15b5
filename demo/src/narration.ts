const startedAt = performance.now()
let step = 0

/** Reports a step of the demonstration as it happens: its number, the time since the start, and what was observed. */
export function tell(what: string, ...seen: readonly string[]): void {
  step += 1
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)
  console.log(`${String(step).padStart(3)} ${seconds} s  ${what}`)
  for (const line of seen) console.log(`             ${line}`)
}

export const short = (hex: string): string => (hex.length > 14 ? `${hex.slice(0, 8)}…${hex.slice(-4)}` : hex)
