import type { Listing } from '../domain/listing.ts'
import { saysTheSame } from '../domain/read-times.ts'
import { saveListing, saveReadTimes } from '../store/listing.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** Writes what a check found of a locked listing if the public sees no difference, which is nearly always. */
export async function saveReading(
  tx: ListingsTx,
  locked: Listing,
  found: Pick<Listing, 'operations' | 'conformances'>,
): Promise<void> {
  const read = { ...locked, ...found }
  await (saysTheSame(locked, read) ? saveReadTimes(tx, read) : saveListing(tx, read))
}
