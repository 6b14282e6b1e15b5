import { isDeepStrictEqual } from 'node:util'
import type { ListingOperation } from '@callboard/contract'
import type { IsoTime } from '@callboard/values'
import type { Listing } from './listing.ts'
import { readAt } from './refresh.ts'

/** When the offer of each operation was read last, in their order; null for one that was never read. */
export type ReadTimes = readonly (IsoTime | null)[]

export const readTimes = (operations: readonly ListingOperation[]): ReadTimes =>
  operations.map((one) => readAt(one) ?? null)

/** Operations as they were read at these times; a time that is older than the recorded one changes nothing. */
export const asRead = (
  operations: readonly ListingOperation[],
  times: ReadTimes | null,
): readonly ListingOperation[] => (times ? operations.map((one, at) => readLater(one, times[at] ?? null)) : operations)

function readLater(operation: ListingOperation, time: IsoTime | null): ListingOperation {
  const recorded = readAt(operation)
  if (time === null || recorded === undefined || Date.parse(time) <= Date.parse(recorded)) return operation
  const { payment } = operation
  return payment ? { ...operation, payment: { ...payment, checkedAt: time } } : { ...operation, problemAt: time }
}

type Read = Pick<Listing, 'operations' | 'conformances'>

/** Whether a listing was read again and says the same. */
export const saysTheSame = (before: Read, after: Read): boolean =>
  isDeepStrictEqual(before.conformances, after.conformances) &&
  isDeepStrictEqual(before.operations.map(withoutTime), after.operations.map(withoutTime))

const withoutTime = ({ payment, problemAt: _, ...rest }: ListingOperation) => ({
  ...rest,
  payment: payment && { ...payment, checkedAt: null },
})
