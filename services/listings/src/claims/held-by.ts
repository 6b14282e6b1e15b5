import type { Address } from '@callboard/values'
import type { Held } from '../domain/mirror/held.ts'
import type { Mirrored } from '../domain/mirror/mirrored.ts'
import { lockMirrored } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** A claimed row. */
export type HeldRow = Mirrored & { readonly owner: Address; readonly held: Held }

export const isHeld = (row: Mirrored | undefined): row is HeldRow => row?.owner != null && row.held != null

/** A claimed row of this owner, locked until the commit; those of others appear not to exist. */
export async function lockHeld(tx: ListingsTx, slug: string, owner: Address): Promise<HeldRow | undefined> {
  const row = await lockMirrored(tx, slug)
  return isHeld(row) && row.owner === owner ? row : undefined
}
