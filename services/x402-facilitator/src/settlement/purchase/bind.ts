import type { Address } from '@callboard/values'
import type { FacilitatorContext } from '../../context.ts'
import { PUBLIC_STATES } from '../../domain/settle-outcome.ts'
import {
  bindGrant,
  hasManyIdentifiers,
  type IdentifierKey,
  isBoundTo,
  type NamedPayment,
  reassignIdentifier,
  reserveIdentifier,
} from '../../store/grant.repository.ts'
import { claimPayments, findPayment } from '../../store/payment.repository.ts'
import type { FacilitatorTx, Payment } from '../../store/tables.ts'
import { claimOf } from '../settle.ts'
import type { Authentic } from './authenticate.ts'

/** What a payment is presented for. */
export interface Purpose {
  readonly operation: string
  readonly requestId: string
  /** The network of the requester, where the gateway says it. */
  readonly origin: string | null
  /** The owner of the purchase, where the operation knows one. */
  readonly owner?: Address | undefined
  /** SHA-256 of the request. */
  readonly fingerprint: string
  /** The `payment-identifier`, where the payment carries one. */
  readonly id: string | undefined
}

export type Binding =
  /** The payment is bound to this request; `claimed` is its row, where it was not claimed before. */
  | { readonly kind: 'ours'; readonly key: string; readonly claimed: Payment | undefined }
  /** The identifier names another payment of the same request. */
  | { readonly kind: 'earlier'; readonly key: string }
  | { readonly kind: 'conflict' }

/** The payment is bound to another request: what was stored for this one must be rolled back. */
class BoundElsewhere extends Error {
  override readonly name = 'BoundElsewhere'
}

/**
 * Binds payment and identifier to a request and claims the payment, all in one transaction. Of two concurrent payments
 * under one identifier, the second sees the first one claimed and is not touched. An identifier belongs to its payer: a
 * third party who sends it with a payment of its own makes a separate purchase, and learns nothing of the other one. A
 * conflict leaves nothing behind: an identifier never names a payment that was made for another request.
 */
export async function bind(ctx: FacilitatorContext, authentic: Authentic, purpose: Purpose): Promise<Binding> {
  try {
    return await ctx.db.transaction().execute((tx) => bindIn(ctx, tx, authentic, purpose))
  } catch (error) {
    if (error instanceof BoundElsewhere) return { kind: 'conflict' }
    throw error
  }
}

/** @throws BoundElsewhere */
async function bindIn(
  ctx: FacilitatorContext,
  tx: FacilitatorTx,
  authentic: Authentic,
  purpose: Purpose,
): Promise<Binding> {
  const { key } = authentic
  const { operation, requestId, origin, owner = '', fingerprint, id } = purpose
  const now = new Date(ctx.clock.now())
  const payer = authentic.transfer.authorization.from
  const takesName = id !== undefined && !(await hasManyIdentifiers(tx, key))
  const identifier = takesName ? { operation, payer, owner, id } : undefined
  const named = identifier && (await nameOf(tx, identifier, { fingerprint, payment_key: key }, now))
  if (named === null) return { kind: 'conflict' }
  if (named !== undefined && named !== key) return { kind: 'earlier', key: named }
  const grant = await bindGrant(tx, key, operation, fingerprint, now)
  if (grant.fingerprint !== fingerprint) throw new BoundElsewhere()
  const claim = claimOf(ctx, authentic, { origin, sponsor: null, requestId })
  const [claimed] = claim ? await claimPayments(tx, [claim], true) : []
  return { kind: 'ours', key, claimed }
}

/**
 * The payment an identifier names: this one, unless an earlier one of the same request is paid or may yet be. Null for
 * another request. The previous release left identifiers that name a payment of another request: they are void.
 */
async function nameOf(
  tx: FacilitatorTx,
  identifier: IdentifierKey,
  asked: NamedPayment,
  now: Date,
): Promise<string | null> {
  const named = await reserveIdentifier(tx, identifier, asked, now)
  if (named.fingerprint !== asked.fingerprint) return null
  if (named.payment_key === asked.payment_key) return asked.payment_key
  const earlier = await findPayment(tx, named.payment_key)
  const isBound =
    earlier && (await isBoundTo(tx, earlier.key, { operation: identifier.operation, fingerprint: asked.fingerprint }))
  if (isBound && PUBLIC_STATES[earlier.state] !== 'failed') return named.payment_key
  await reassignIdentifier(tx, identifier, asked.payment_key)
  return asked.payment_key
}
