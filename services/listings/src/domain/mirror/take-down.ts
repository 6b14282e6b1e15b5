import type { Mirrored } from './mirrored.ts'

/** A row removed from every result by the operator: no reading and no owner restores it. @param now milliseconds */
export function takenDown(row: Mirrored, reason: string, now: number): Mirrored {
  const takenDown = { kind: 'suspended', at: now, reason } as const
  return { ...row, takenDown, state: 'suspended', stateSince: now, reason: `The operator suspended it: ${reason}` }
}

/** A row after the operator lifted that: it is payable again once a probe reads an offer of the known terms. */
export const putBack = (row: Mirrored, now: number): Mirrored => ({
  ...row,
  ...{ takenDown: null, state: 'unprobed', stateSince: now, reason: null },
})
