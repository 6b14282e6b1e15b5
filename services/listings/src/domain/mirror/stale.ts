import { isoTime } from '@callboard/values'
import type { Mirrored } from './mirrored.ts'

/** A payable row for which no probe has read a way to pay for too long. @param now milliseconds */
export const stale = (row: Mirrored, now: number): Mirrored => ({
  ...row,
  state: 'stale',
  stateSince: now,
  reason: `No probe has been able to read its offer since ${isoTime(row.okAt ?? row.createdAt)}. It is shown again after the next probe that can.`,
})
