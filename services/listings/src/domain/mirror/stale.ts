import { isoTime } from '@callboard/values'
import type { Mirrored } from './mirrored.ts'

/** A payable row for which no probe has read a way to pay for too long. @param now milliseconds */
export const stale = (row: Mirrored, now: number): Mirrored => ({
  ...row,
  state: 'stale',
  stateSince: now,
  reason: `No probe could read its offer since ${isoTime(row.okAt ?? row.createdAt)}; it is shown again after the next that can.`,
})
