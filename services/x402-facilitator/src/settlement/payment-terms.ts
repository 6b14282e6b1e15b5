import { type Chain, chainOf } from '@callboard/evm'
import type { ExactTransfer } from '@callboard/x402'
import type { FacilitatorContext } from '../context.ts'
import type { Movement } from '../domain/settlement-log.ts'
import type { Payment } from '../store/tables.ts'
import type { OnItsWay } from './runner/overdue.ts'

/** The transfer of a row. Its reasons are stored as version 2 names, regardless of the request's version. */
export const transferOf = (row: Payment, { chainId, usdc: { name, version } }: Chain): ExactTransfer => ({
  x402Version: 2,
  network: row.network,
  asset: row.asset,
  payTo: row.pay_to,
  amount: row.amount,
  domain: { name, version, chainId, verifyingContract: row.asset },
  authorization: {
    from: row.payer,
    to: row.pay_to,
    value: row.amount,
    validAfter: row.valid_after,
    validBefore: row.valid_before,
    nonce: row.nonce,
  },
  signature: row.signature,
})

/** The movement that has to appear in a transaction's logs. */
export const movementOf = ({ asset, payer, pay_to, amount, nonce }: Payment): Movement => ({
  asset,
  payer,
  payTo: pay_to,
  amount,
  nonce,
})

/** The same for a transfer that has no row yet. */
export const transferMovement = ({ asset, payTo, amount, authorization }: ExactTransfer): Movement => ({
  ...{ asset, payTo, amount },
  payer: authorization.from,
  nonce: authorization.nonce,
})

/** Whether a row was claimed for exactly this authorization; its signature may be encoded differently. */
export const isSameAuthorization = (row: Payment, { payTo, amount, authorization }: ExactTransfer): boolean =>
  row.pay_to === payTo &&
  row.amount === amount &&
  row.valid_after === authorization.validAfter &&
  row.valid_before === authorization.validBefore

/** Blocks before the claim in which a third party may have used the authorization. */
const BLOCKS_BEFORE_CLAIM = 5_000
const MOST_BLOCKS = 200_000

/** How long a sent payment has been on its way, and its chain's block time. */
export const onItsWay = (
  { clock, resources }: Pick<FacilitatorContext, 'clock' | 'resources'>,
  { network, updated_at }: Payment,
): OnItsWay => ({
  since: updated_at.getTime(),
  now: clock.now(),
  blockTimeMs: chainOf(resources.chains, network).blockTimeMs,
})

/**
 * Since when a third party may have used an authorization. One that no transaction has shown counts from its newest
 * claim: anyone may claim an old one again and again, and each block before that is read anew.
 */
const usableSince = ({ state, announced_tx, created_at, updated_at }: Payment): Date =>
  state === 'claimed' && announced_tx === null ? updated_at : created_at

/** How many blocks back the use of an authorization is searched: for as long as it may have been used, and some before. */
export const reachOf = (row: Payment, { blockTimeMs }: Chain, now: number): number =>
  Math.min(MOST_BLOCKS, BLOCKS_BEFORE_CLAIM + Math.ceil((now - usableSince(row).getTime()) / blockTimeMs))
