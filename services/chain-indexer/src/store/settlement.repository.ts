import type { ObservedSettlement } from '@callboard/contract'
import type { Caip2, Hex } from '@callboard/values'
import { sql } from 'kysely'
import type { Submission } from '../domain/chain-data.ts'
import type { IndexerDb, IndexerTx, SettlementTable } from './tables.ts'

type Key = Pick<SettlementTable, 'tx_hash' | 'log_index'>

const keyOf = ({ tx_hash, log_index }: Key) => `${tx_hash}:${log_index}`

/** A column in Postgres' array format. Numbers, times and `null` need no quotes. */
const column = <Row>(rows: readonly Row[], value: (row: Row) => string | number | boolean) =>
  `{${rows.map(value).join(',')}}`

/** A column of hex text, which Postgres splits with less CPU than it parses an array. */
const hexColumn = <Row>(rows: readonly Row[], value: (row: Row) => Hex | null) =>
  sql`string_to_array(${rows.map((row) => value(row) ?? '').join(',')}, ',', '')`

/**
 * Records settlements of one chain in one statement. Existing rows are left unchanged: only a reorganisation, which
 * deletes first, gives a settlement another block.
 * @returns the new ones
 */
export async function insertSettlements(
  tx: IndexerTx,
  settlements: readonly ObservedSettlement[],
): Promise<readonly ObservedSettlement[]> {
  const [first] = settlements
  if (!first) return []
  const { rows } = await sql<Key>`
    insert into settlement (network, asset, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to,
      amount, nonce, facilitator, builder_codes, attributed)
    select ${first.network}, ${first.asset}, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to,
      amount, nonce, facilitator, builder_codes, attributed
    from unnest(
      ${hexColumn(settlements, (one) => one.txHash)},
      ${column(settlements, (one) => one.logIndex)}::integer[],
      ${column(settlements, (one) => one.blockNumber)}::bigint[],
      ${hexColumn(settlements, (one) => one.blockHash)},
      ${column(settlements, (one) => one.observedAt)}::timestamptz[],
      ${hexColumn(settlements, (one) => one.payer)},
      ${hexColumn(settlements, (one) => one.payTo)},
      ${column(settlements, (one) => one.amount)}::numeric[],
      ${hexColumn(settlements, (one) => one.nonce)},
      ${hexColumn(settlements, (one) => one.facilitator)},
      ${settlements.map(({ builderCodes }) => (builderCodes ? JSON.stringify(builderCodes) : null))}::jsonb[],
      ${column(settlements, (one) => one.builderCodes !== undefined)}::boolean[]
    ) as one (tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to, amount, nonce, facilitator,
      builder_codes, attributed)
    on conflict do nothing
    returning settlement.tx_hash, settlement.log_index`.execute(tx)
  if (rows.length === settlements.length) return settlements
  const inserted = new Set(rows.map(keyOf))
  return settlements.filter(({ txHash, logIndex }) => inserted.has(keyOf({ tx_hash: txHash, log_index: logIndex })))
}

/** Transactions that were not read yet, newest first. */
export async function unattributed(db: IndexerDb, network: Caip2, limit: number): Promise<Hex[]> {
  const rows = await db
    .selectFrom('settlement')
    .select('tx_hash')
    .where('network', '=', network)
    .where('attributed', 'is not', true)
    .orderBy('block_number', 'desc')
    .limit(limit)
    .execute()
  return [...new Set(rows.map(({ tx_hash }) => tx_hash))]
}

/** Stores who submitted transactions. One that the node lacks (null) is not requested again; known data stays. */
export async function attribute(
  tx: IndexerTx,
  network: Caip2,
  submissions: ReadonlyMap<Hex, Submission | null>,
): Promise<void> {
  const read = [...submissions]
  await sql`
    update settlement set attributed = true, facilitator = coalesce(one.facilitator, settlement.facilitator),
      builder_codes = one.builder_codes
    from unnest(
      ${hexColumn(read, ([txHash]) => txHash)},
      ${hexColumn(read, ([, submission]) => submission?.facilitator ?? null)},
      ${read.map(([, submission]) => submission?.builderCodes && JSON.stringify(submission.builderCodes))}::jsonb[]
    ) as one (tx_hash, facilitator, builder_codes)
    where network = ${network} and settlement.tx_hash = one.tx_hash`.execute(tx)
}

/** Deletes the settlements in blocks above a height. @returns the deleted rows, in chain order */
export async function deleteSettlementsAbove(
  tx: IndexerTx,
  network: Caip2,
  height: number,
): Promise<Pick<SettlementTable, 'tx_hash' | 'log_index' | 'block_number' | 'block_hash'>[]> {
  const deleted = await tx
    .deleteFrom('settlement')
    .where('network', '=', network)
    .where('block_number', '>', height)
    .returning(['tx_hash', 'log_index', 'block_number', 'block_hash'])
    .execute()
  return deleted.toSorted((a, b) => a.block_number - b.block_number || a.log_index - b.log_index)
}
