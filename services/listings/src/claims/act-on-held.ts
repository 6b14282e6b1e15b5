import type { StatusAction } from '@callboard/contract'
import { type Address, refuse } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { heldRecord } from '../domain/mirror/held-record.ts'
import { afterAction, heldTransition, rejectionOf } from '../domain/mirror/held-row.ts'
import { didTo } from '../domain/rejection.ts'
import { notApplicable } from '../domain/status.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { nameRefused } from '../names.ts'
import type { ListingsTx } from '../store/tables.ts'
import { type HeldRow, lockHeld } from './held-by.ts'
import { nameRejected } from './name-rejected.ts'

interface Acting {
  readonly slug: string
  readonly owner: Address
  readonly action: StatusAction
}

/** Performs an owner's action on a listing that they claimed; anything else is not found. */
export async function actOnHeld(ctx: ListingsContext, { slug, owner, action }: Acting) {
  const row = await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockHeld(tx, slug, owner)
    if (!locked) return refuse('not_found')
    const next = heldTransition(locked, action)
    if (!next) return refuse('invalid_state', { message: notTaken(locked, action) })
    const refused = action === 'activate' ? await activationRefused(tx, locked) : undefined
    return refused ?? changeMirrored(ctx, tx, locked, afterAction(locked, action, next, ctx.clock.now()))
  })
  if ('refusal' in row) return row
  const listing = heldRecord(row)
  const { status, verification } = listing
  return { ok: true as const, slug, status, verification, listing, warnings: [] }
}

async function activationRefused(tx: ListingsTx, locked: HeldRow) {
  const { name } = locked.held
  return (await nameRefused(tx, { owner: locked.owner, name })) ?? (await nameRejected(tx, locked, name))
}

function notTaken(row: HeldRow, action: StatusAction): string {
  const rejection = rejectionOf(row)
  const why = rejection?.reason ? ` The operator ${didTo(rejection)} it: ${rejection.reason}` : ''
  return notApplicable(action, heldRecord(row), (other) => heldTransition(row, other) !== null) + why
}
