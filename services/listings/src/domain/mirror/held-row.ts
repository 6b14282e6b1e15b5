import type { ListingStatus, Verification } from '@callboard/contract'
import { AddressText } from '@callboard/x402'
import type { Rejection, ReviewedFacts } from '../listing.ts'
import { isAsReviewed } from '../review.ts'
import { type Action, type Next, transition } from '../status.ts'
import { termsIn } from './after-probe.ts'
import type { Held } from './held.ts'
import type { Mirrored } from './mirrored.ts'

type JudgedRow = Pick<
  Mirrored,
  'state' | 'held' | 'claim' | 'fact' | 'terms' | 'method' | 'url' | 'owner' | 'takenDown'
>

/** A row is live unless its owner or the operator took it down, or its payment terms changed. */
export function statusOf({ state, held }: Pick<JudgedRow, 'state' | 'held'>): ListingStatus {
  if (held && held.status !== 'live') return held.status
  return state === 'suspended' ? 'suspended' : 'live'
}

/** Verified means exactly what the operator checked, and no later change. */
export function verificationOf(row: JudgedRow): Verification {
  const { held } = row
  if (!held || statusOf(row) !== 'live') return 'none'
  if (held.verification !== 'verified' || !held.reviewed) return held.verification
  return isAsReviewed(held.reviewed, heldFacts(row)) ? 'verified' : 'requested'
}

/**
 * The facts that the operator checks before a claimed row is verified. Its payee is the one that our last reading asks
 * to be paid: terms that were once approved may name others. While nothing is asked, the reviewed payee stands.
 */
export function heldFacts({ held, claim, fact, terms, method, url, owner }: JudgedRow) {
  const [asked] = termsIn(fact?.accepts ?? [])
  const payee = AddressText.parse(asked?.payTo ?? held?.reviewed?.payTo ?? terms?.[0]?.payTo ?? owner)
  return {
    name: held?.name ?? claim.title,
    description: held?.description ?? claim.description,
    payoutWallet: payee,
    payTo: payee,
    operations: [{ method, url, name: '', description: '' }],
  } satisfies ReviewedFacts
}

/** The operator's verdict in force against a row. */
export const rejectionOf = ({ takenDown, held }: Pick<JudgedRow, 'takenDown' | 'held'>): Rejection | null =>
  takenDown ?? held?.rejection ?? null

/** The result of an action on a claimed row; null if its state does not allow it. */
export const heldTransition = (row: JudgedRow, action: Action): Next =>
  row.held
    ? transition({ status: statusOf(row), verification: verificationOf(row), rejection: rejectionOf(row) }, action)
    : null

/** A claimed row after an action that its state allows. An activated row is probed again before it has a price. */
export function afterAction(
  row: Mirrored & { readonly held: Held },
  action: Action,
  next: NonNullable<Next>,
  now: number,
): Mirrored {
  const reviewed = action === 'verify' ? heldFacts(row) : next.verification === 'verified' ? row.held.reviewed : null
  const moved = { ...row, held: { ...row.held, ...next, reviewed } }
  if (action !== 'activate' || row.state === 'suspended') return moved
  return { ...moved, state: 'unprobed', reason: null, stateSince: now }
}
