import { textStatement } from '@callboard/store'
import type { Address, Hex } from '@callboard/values'
import { type Confirmation, type ExactTransfer, paymentKey } from '@callboard/x402'
import { sql } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import { nextState } from '../domain/payment-state.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

/** A runner that dies loses its payment after this time. */
export const LEASE_MS = 5_000
const LEASE_SQL = `now() + ${LEASE_MS} * interval '1 millisecond'`
export const LEASE = sql.raw<Date>(LEASE_SQL)

type Keyed = Pick<ExactTransfer, 'network' | 'asset'> & {
  readonly authorization: { readonly from: Address; readonly nonce: Hex }
}

export const keyOf = ({ network, asset, authorization: { from, nonce } }: Keyed): string =>
  paymentKey({ network, asset, from, nonce })

export const findPayments = (db: FacilitatorDb, keys: readonly string[]): Promise<Payment[]> =>
  db.selectFrom('payment').selectAll().where('key', '=', sql<string>`any(${keys}::text[])`).execute()

export const findPayment = async (db: FacilitatorDb, key: string): Promise<Payment | undefined> =>
  (await findPayments(db, [key]))[0]

/** The fields of a claim. */
export interface Claim {
  readonly transfer: ExactTransfer
  readonly suffix: Hex
  readonly confirmation: Confirmation
  readonly resource: DiscoveredResource | undefined
  /** The caller's network; null for an internal request. */
  readonly origin: string | null
  /** The owner of the request's credential. */
  readonly sponsor: Address | null
  /** Id of the caller's request; null for a payment that was found on the chain. */
  readonly requestId: string | null
  readonly owner: string
  readonly now: Date
}

/** The channel on which claims are announced. */
export const claimsChannel = (schema: string): string => `claims_${schema}`

/** Claims within this time of an announced one are not announced; listeners wait that much longer. */
export const TOLD_EVERY_MS = 1_000

/**
 * `claimPayments` with announcements to all processes: those that would take the payment up, should this one die, sleep
 * while nothing is open. Once a second is enough, and a commit with a notification waits for all others.
 */
export function tellingClaims(db: FacilitatorDb): (claims: readonly Claim[]) => Promise<(Payment | undefined)[]> {
  let toldAt = Number.NEGATIVE_INFINITY
  return async (claims) => {
    const now = performance.now()
    const tells = now - toldAt >= TOLD_EVERY_MS
    const claimed = await claimPayments(db, claims, tells)
    if (tells && claimed.some((row) => row !== undefined)) toldAt = now
    return claimed
  }
}

/**
 * Claims keys, each for one authorization and leased to its claimant: a new row, or a refused one that is presented again.
 * @param tells whether the commit notifies `claimsChannel`
 * @returns the claimed rows in the claims' order, undefined where the key is taken, by a claim of the same list too
 */
export async function claimPayments(
  db: FacilitatorDb,
  claims: readonly Claim[],
  tells = false,
): Promise<(Payment | undefined)[]> {
  const firsts = new Map(claims.toReversed().map((claim) => [keyOf(claim.transfer), claim]))
  const written = [...firsts.values()].map(claimedRow)
  const claimed = await textStatement<Pick<Payment, 'key' | (typeof KEPT_COLUMNS)[number]>>(
    tells ? CLAIM_AND_TELL : CLAIM,
    [JSON.stringify(written)],
  ).execute(db)
  const kept = new Map(claimed.rows.map((row) => [row.key, row]))
  const rows = new Map<Claim, Payment>()
  for (const [index, claim] of [...firsts.values()].entries()) {
    const row = written[index]
    const rest = row && kept.get(row.key)
    if (rest) rows.set(claim, { ...row, ...rest })
  }
  return claims.map((claim) => rows.get(claim))
}

/** What a claim sets; a payment that is presented again may set it anew. */
const TERMS = [
  ...([
    'pay_to',
    'amount',
    'valid_after',
    'valid_before',
    'signature',
    'suffix',
    'confirmation',
    'resource',
    'origin',
    'sponsor',
    'request_id',
  ] as const),
  ...(['state', 'lease_owner', 'updated_at'] as const),
]
const CLAIMED_COLUMNS = ['key', 'network', 'asset', 'payer', 'nonce', ...TERMS] as const

/** What a claim leaves unchanged. */
const KEPT_COLUMNS = [
  ...(['reason', 'lane', 'chain_nonce', 'tx_hash', 'settled_tx', 'block_number', 'block_hash', 'log_index'] as const),
  ...(['is_foreign', 'announced_tx', 'preconfirmed_tx', 'lease_until', 'created_at'] as const),
  ...(['new_payer', 'exposure', 'gas_limit', 'legs'] as const),
]

const claiming = (more: string): string => `
    insert into payment (${[...CLAIMED_COLUMNS, 'created_at'].join(', ')}, lease_until)
    select ${[...CLAIMED_COLUMNS, 'updated_at'].join(', ')}, ${LEASE_SQL}
    from json_to_recordset($1::json) as claim (
      key text, network text, asset text, payer text, nonce text, pay_to text, amount numeric, valid_after numeric,
      valid_before numeric, signature text, suffix text, confirmation text, resource jsonb, origin text, sponsor text, request_id text, state text,
      lease_owner text, updated_at timestamptz)
    order by key
    on conflict (key) do update set
      (${TERMS.join(', ')}, reason, lease_until) =
      (${TERMS.map((name) => `excluded.${name}`).join(', ')}, null, excluded.lease_until)
    where payment.state = 'refused'
    returning ${['key', ...KEPT_COLUMNS].map((name) => `payment.${name}`).join(', ')}${more}`
const CLAIM = claiming('')
const CLAIM_AND_TELL = claiming(`, pg_notify('claims_' || current_schema(), '')`)

const claimedRow = ({ transfer, suffix, confirmation, resource, origin, sponsor, requestId, owner, now }: Claim) => ({
  key: keyOf(transfer),
  network: transfer.network,
  asset: transfer.asset,
  payer: transfer.authorization.from,
  nonce: transfer.authorization.nonce,
  pay_to: transfer.payTo,
  amount: transfer.amount,
  valid_after: transfer.authorization.validAfter,
  valid_before: transfer.authorization.validBefore,
  signature: transfer.signature,
  suffix,
  confirmation,
  resource: resource ?? null,
  origin,
  sponsor,
  request_id: requestId,
  state: nextState('absent', 'presented') as 'claimed',
  lease_owner: owner,
  updated_at: now,
})

/**
 * Gives up a claim for which nothing was ever signed: an earlier transaction of it, though it came to nothing, has shown
 * the authorization.
 * @returns false when the caller does not hold it, or there is such a transaction
 */
export async function releasePayment(db: FacilitatorDb, seen: Payment): Promise<boolean> {
  nextState(seen.state, 'released')
  const { numDeletedRows } = await db
    .deleteFrom('payment')
    .where('key', '=', seen.key)
    .where('state', '=', seen.state)
    .where('lease_owner', '=', seen.lease_owner)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('leg').select('payment_key').where('payment_key', '=', seen.key))),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}
