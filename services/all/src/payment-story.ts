import { sql } from 'kysely'
import type { ServiceName } from './services.ts'
import { type Named, readEach, type TablesBeside } from './tables-beside.ts'

const named = (name: ServiceName): Named => ({ name })
const [x402Facilitator, chainIndexer] = [named('x402-facilitator'), named('chain-indexer')]
const [catalog, router] = [named('catalog'), named('router')]

/** A payment as the facilitator stores it. Amounts are in base units of the asset. */
export interface StoredPayment {
  readonly key: string
  readonly state: string
  readonly reason: string | null
  readonly payer: string
  readonly payTo: string
  readonly amount: string
  readonly nonce: string
  readonly requestId: string | null
  readonly settledTx: string | null
  readonly isForeign: boolean
  readonly block: number | null
  readonly confirmation: string
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Our operation that it bought; null for a payment to others. */
  readonly bought: string | null
}

/** One of our transactions that carried a payment. */
export interface Attempt {
  readonly paymentKey: string
  readonly hash: string
  readonly lane: string
  readonly chainNonce: number
  readonly signedAt: Date
  readonly sentAgainAt: Date | null
}

/** An event about the payment, as its service wrote it; `gaveUp` names a consumer that could not handle it. */
export interface Told {
  readonly service: string
  readonly name: string
  readonly at: Date
  readonly publishedAt: Date | null
  readonly gaveUp: string | null
}

/** What the chain-indexer observed of it. */
export interface Observed {
  readonly network: string
  readonly txHash: string
  readonly logIndex: number
  readonly block: number
  readonly payer: string
  readonly payTo: string
  readonly amount: string
  readonly facilitator: string | null
}

/** Whom a payment was credited to, as a sentence for the operator. */
export interface Credited {
  readonly service: string
  readonly sentence: string
}

/** What is known about a payment or a transaction, in all services whose tables may be read. */
export interface PaymentStory {
  readonly payments: readonly StoredPayment[]
  readonly attempts: readonly Attempt[]
  readonly observed: readonly Observed[]
  readonly told: readonly Told[]
  readonly credited: readonly Credited[]
  readonly unread: readonly string[]
}

/**
 * Collects what the services recorded about a payment.
 * @param asked a transaction's hash, a payment's key, or the id of the request that claimed it
 */
export async function paymentStory(tables: TablesBeside, asked: string): Promise<PaymentStory> {
  const found = await readEach([x402Facilitator], () => storedPayments(tables, asked))
  const keys = found.rows.map(({ key }) => key)
  const tries = await readEach([x402Facilitator], () => attempts(tables, keys))
  const hashes = [
    ...new Set([asked, ...found.rows.flatMap((row) => row.settledTx ?? []), ...tries.rows.map((row) => row.hash)]),
  ]
  const observed = await readEach([chainIndexer], () => observedIn(tables, hashes))
  const about = { keys, hashes, eventKeys: [...hashes, ...found.rows.map(({ nonce }) => nonce)] }
  const told = await readEach([x402Facilitator, chainIndexer], (service) => toldBy(tables, service, about))
  const lost = await readEach([catalog, router], (service) => gaveUp(tables, service, about))
  const listings = await readEach([catalog], () => creditedListings(tables, about))
  const balances = await readEach([router], () => creditedBalances(tables, about))
  const all = [found, tries, observed, told, lost, listings, balances]
  return {
    payments: found.rows,
    attempts: tries.rows,
    observed: observed.rows,
    told: [...told.rows, ...lost.rows].sort((one, other) => one.at.getTime() - other.at.getTime()),
    credited: [...listings.rows, ...balances.rows],
    unread: [...new Set(all.flatMap(({ unread }) => unread))],
  }
}

/** The identifiers by which the other services know it. */
interface About {
  readonly keys: readonly string[]
  readonly hashes: readonly string[]
  readonly eventKeys: readonly string[]
}

async function storedPayments({ of }: TablesBeside, asked: string): Promise<StoredPayment[]> {
  const { rows } = await sql<StoredPayment>`
    select key, state, reason, payer, pay_to as "payTo", amount::text as amount, nonce, request_id as "requestId",
           settled_tx as "settledTx", is_foreign as "isForeign", block_number as block, confirmation,
           created_at as "createdAt", updated_at as "updatedAt",
           (select operation from grant_binding where payment_key = payment.key) as bought
    from payment
    where key = ${asked} or settled_tx = ${asked} or tx_hash = ${asked} or request_id = ${asked} or key in (
      select leg.payment_key from leg join transaction using (network, lane, chain_nonce) where hash = ${asked})
    order by created_at limit 200`.execute(of(x402Facilitator))
  return rows
}

async function attempts({ of }: TablesBeside, keys: readonly string[]): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select leg.payment_key as "paymentKey", hash, lane, chain_nonce as "chainNonce", created_at as "signedAt",
           sent_at as "sentAgainAt"
    from leg join transaction using (network, lane, chain_nonce)
    where leg.payment_key = any(${keys}) order by created_at`.execute(of(x402Facilitator))
  return rows
}

async function observedIn({ of }: TablesBeside, hashes: readonly string[]): Promise<Observed[]> {
  const { rows } = await sql<Observed>`
    select network, tx_hash as "txHash", log_index as "logIndex", block_number as block, payer, pay_to as "payTo",
           amount::text as amount, facilitator
    from settlement where tx_hash = any(${hashes}) order by network, tx_hash, log_index`.execute(of(chainIndexer))
  return rows
}

/** Events of the kinds that are only about payments: an outbox is long, and its index begins with the name. */
const KINDS = ['payment.settled.v1', 'settlement.observed.v1', 'settlement.attributed.v1', 'settlement.reverted.v1']

async function toldBy({ of }: TablesBeside, service: Named, { eventKeys }: About): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select ${service.name} as service, name, occurred_at as at, published_at as "publishedAt", null as "gaveUp"
    from outbox where name = any(${KINDS}) and key = any(${eventKeys}) order by sequence`.execute(of(service))
  return rows
}

async function gaveUp({ of }: TablesBeside, service: Named, { eventKeys }: About): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select ${service.name} as service, name, died_at as at, null as "publishedAt", reason as "gaveUp"
    from dead_letter where envelope->>'key' = any(${eventKeys}) order by died_at`.execute(of(service))
  return rows
}

async function creditedListings({ of }: TablesBeside, { hashes }: About): Promise<Credited[]> {
  const { rows } = await sql<{
    slug: string | null
    kind: string
    amount: string
    payTo: string
    shared: string[] | null
    reverted: boolean
  }>`
    select slug, kind, amount_usd::text as amount, pay_to as "payTo", shared_with as shared, reverted
    from settlement where tx_hash = any(${hashes}) order by network, tx_hash, log_index`.execute(of(catalog))
  return rows.map(({ slug, kind, amount, payTo, shared, reverted }) => ({
    service: catalog.name,
    sentence: [
      slug ? `listing ${slug} has ${amount} USD as a ${kind}` : `no listing has the ${amount} USD paid to ${payTo}`,
      ...(shared ? [`it can belong to ${shared.join(', ')} as well`] : []),
      ...(reverted ? ['its block left the chain, so it does not count'] : []),
    ].join('; '),
  }))
}

async function creditedBalances({ of }: TablesBeside, { keys, hashes }: About): Promise<Credited[]> {
  const { rows } = await sql<{ owner: string; usd: string; state: string; keyId: string | null }>`
    select owner, trim_scale(amount_nano / 1e9)::text as usd, state, key_id as "keyId"
    from top_up where payment_key = any(${keys}) or transaction = any(${hashes}) order by created_at`.execute(
    of(router),
  )
  return rows.map(({ owner, usd, state, keyId }) => ({
    service: router.name,
    sentence: `owner ${owner} bought ${usd} USD of balance${keyId ? ` with a call of key ${keyId}` : ''}: ${state}`,
  }))
}
