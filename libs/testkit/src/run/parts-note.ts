import type { PartSummary } from '../servers/index.ts'

/** Vitest loads the set-up and the reporter separately, so the findings are passed in an environment variable. */
const NOTE = 'CALLBOARD_TEST_PARTS'

export function noteParts(parts: readonly PartSummary[]): void {
  const known = new Map(notedParts().map((summary) => [summary.part, summary]))
  for (const summary of parts) known.set(summary.part, summary)
  process.env[NOTE] = JSON.stringify([...known.values()])
}

export const notedParts = (): readonly PartSummary[] => JSON.parse(process.env[NOTE] ?? '[]') as PartSummary[]
