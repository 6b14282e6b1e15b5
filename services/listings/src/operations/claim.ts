import type { listings } from '@callboard/contract'
import { type Address, isRefusal, refuse } from '@callboard/values'
import { checkClaim } from '../claims/claim-message.ts'
import { originRefused } from '../claims/claim-origin.ts'
import { type ListingsContext, type ListingsHandler, ownerOf } from '../context.ts'
import { heldFrom } from '../domain/mirror/held.ts'
import { mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import type { Mirrored } from '../domain/mirror/mirrored.ts'
import { claimable, payable } from '../domain/mirror/payee.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { lockOrigin } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** The rows of an origin are locked together, so that exactly one of several concurrent claims takes them. */
export const claim: ListingsHandler<typeof listings.claim> = async ({ origin, message, signature }, ctx) => {
  const refused = originRefused(ctx, origin)
  if (refused) return refused
  const owner = ownerOf(ctx.caller)
  const signer = await checkClaim(ctx, { origin, owner }, message, signature)
  if (isRefusal(signer)) return signer
  return ctx.db.transaction().execute(async (tx) => {
    const rows = await lockOrigin(tx, origin)
    const found = claimable(rows, signer)
    if (found.outcome === 'not_payee') return refuse('not_payee', { message: whatIsPaid(rows, signer.address) })
    if (found.outcome !== 'claimed') return refuse(found.outcome)
    for (const row of found.rows) await take(ctx, tx, row, { owner, signedBy: signer.address })
    return { claimed: found.rows.map(({ slug }) => slug) }
  })
}

function take(
  ctx: ListingsContext,
  tx: ListingsTx,
  row: Mirrored,
  { owner, signedBy }: { readonly owner: Address; readonly signedBy: Address },
) {
  const held = heldFrom(mirrorSnapshot(row), signedBy)
  return changeMirrored(ctx, tx, row, { ...row, owner, ownedSince: ctx.clock.now(), held })
}

/** A signer who is not the payee learns what our probes read, which is public, and what would fix it. */
function whatIsPaid(rows: readonly Mirrored[], signer: Address): string {
  const payees = [...new Set(rows.flatMap(payable).map(({ payTo }) => payTo))]
  const read =
    payees.length === 0
      ? 'Our probes have recently read no offer of it that can be paid here.'
      : `Our probes read that it pays ${payees.slice(0, 3).join(', ')}${payees.length > 3 ? ' and others' : ''}.`
  return `${signer} signed. ${read} Every way to pay for an endpoint has to pay the wallet that signs.`
}
