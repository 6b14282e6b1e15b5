import { PUBLIC_STATES } from '../domain/settle-outcome.ts'
import type { FacilitatorKit } from '../kit.ts'
import { bindGrant, reassignIdentifier, reserveIdentifier } from '../store/grant.repository.ts'
import { claimPayments, findPayment } from '../store/payment.repository.ts'
import type { FacilitatorTx, Payment } from '../store/tables.ts'
import type { Authentic } from './authenticate.ts'
import { claimOf } from './settle.ts'

/** What a payment is presented for. */
export interface Purpose {
  readonly operation: string
  /** SHA-256 of the request. */
  readonly fingerprint: string
  /** The `payment-identifier`, where the payment carries one. */
  readonly id: string | undefined
}

export type Binding =
  /** The payment is bound to this request; `claimed` is its row, where it was not claimed before. */
  | { readonly kind: 'ours'; readonly key: string; readonly claimed: Payment | undefined }
  /** The identifier stands for another payment of the same request. */
  | { readonly kind: 'earlier'; readonly key: string }
  | { readonly kind: 'conflict' }

/**
 * Binds payment and identifier to a request and claims the payment, all in one transaction. Of two payments that come
 * under one identifier at the same time, the second sees the first one claimed and is not touched.
 */
export const bind = (kit: FacilitatorKit, authentic: Authentic, purpose: Purpose): Promise<Binding> =>
  kit.db.transaction().execute(async (tx) => {
    const { key } = authentic
    const { operation, fingerprint, id } = purpose
    const now = new Date(kit.clock.now())
    const named = id === undefined ? undefined : await nameOf(tx, id, key, purpose, now)
    if (named === null) return { kind: 'conflict' }
    if (named !== undefined && named !== key) return { kind: 'earlier', key: named }
    const grant = await bindGrant(tx, key, operation, fingerprint, now)
    if (grant.fingerprint !== fingerprint) return { kind: 'conflict' }
    const claim = claimOf(kit, authentic)
    const [claimed] = claim ? await claimPayments(tx, [claim]) : []
    return { kind: 'ours', key, claimed }
  })

/** The payment an identifier stands for: this one, unless an earlier one is paid or may yet be. Null for another request. */
async function nameOf(
  tx: FacilitatorTx,
  id: string,
  key: string,
  { operation, fingerprint }: Purpose,
  now: Date,
): Promise<string | null> {
  const named = await reserveIdentifier(tx, operation, id, { fingerprint, payment_key: key }, now)
  if (named.fingerprint !== fingerprint) return null
  if (named.payment_key === key) return key
  const earlier = await findPayment(tx, named.payment_key)
  if (earlier && PUBLIC_STATES[earlier.state] !== 'failed') return named.payment_key
  await reassignIdentifier(tx, operation, id, key)
  return key
}
