import type { Mirrored } from './mirrored.ts'

/** A row that the operator took out of every result: no reading of it and no owner brings it back. @param now milliseconds */
export function takenDown(row: Mirrored, reason: string, now: number): Mirrored {
  const takenDown = { kind: 'suspended', at: now, reason } as const
  return { ...row, takenDown, state: 'suspended', stateSince: now, reason: `The operator suspended it: ${reason}` }
}

/** The same row after the operator took that back: it is payable again once a fresh probe reads an offer of the known terms. */
export const putBack = (row: Mirrored, now: number): Mirrored => ({
  ...row,
  ...{ takenDown: null, state: 'unprobed', stateSince: now, reason: null },
})
