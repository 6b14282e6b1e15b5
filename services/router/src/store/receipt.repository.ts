import type { Address } from '@callboard/values'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Place, type Receipt, receiptOf, type SettledCall } from '../domain/receipt.ts'
import type { RouterDb } from './tables.ts'

/** Selects receipts of one key, or of one key of an owner. */
export type ReceiptsOf = { readonly keyId: string; readonly owner?: Address | undefined }

/** A call's receipt; `held` while it is under way; undefined if the call is unknown or belongs to another key. */
export async function receiptOfCall(
  db: RouterDb,
  { keyId }: ReceiptsOf,
  callId: string,
): Promise<Receipt | 'held' | undefined> {
  const { rows } = await sql<ReceiptRow & { state: 'held' | 'settled' }>`
    select state, ${COLUMNS} from call where call_id = ${callId} and key_id = ${keyId}`.execute(db)
  const [row] = rows
  if (row?.state === 'held') return 'held'
  return row && row.seq !== null ? checked(row) : undefined
}

/** Receipts of a key after a given place, in the order of the chain. */
export async function receiptsAfter(
  db: RouterDb,
  { keyId, owner }: ReceiptsOf,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Receipt[]> {
  const ofOwner: RawBuilder<SqlBool> = owner === undefined ? sql`true` : sql`owner = ${owner}`
  const { rows } = await sql<ReceiptRow>`
    select ${COLUMNS} from call
    where key_id = ${keyId} and receipt_seq > ${after} and ${ofOwner}
    order by receipt_seq limit ${limit}`.execute(db)
  return rows.map(checked)
}

const COLUMNS = sql`
  call_id as id, key_id as "keyId", model, upstream, surface, source, estimated, ending, price_version as "priceVersion",
  case when input_tokens is not null then json_build_object(
    'inputTokens', input_tokens, 'outputTokens', output_tokens, 'cacheReadTokens', cache_read_tokens,
    'cacheWriteTokens', cache_write_tokens, 'reasoningTokens', reasoning_tokens) end as usage,
  amount_nano::text as amount, cost_nano::text as cost, created_at as "createdAt", settled_at as "settledAt",
  receipt_seq::text as seq, encode(receipt_previous, 'hex') as previous, encode(receipt_hash, 'hex') as hash`

interface ReceiptRow extends Omit<SettledCall, 'amount' | 'cost'>, Omit<Place, 'seq'> {
  readonly amount: string
  readonly cost: string
  readonly seq: string | null
  readonly hash: string
}

/** @throws Error for a row that differs from what was settled */
function checked({ amount, cost, seq, previous, hash, ...call }: ReceiptRow): Receipt {
  const receipt = receiptOf({ ...call, amount: BigInt(amount), cost: BigInt(cost) }, { seq: Number(seq), previous })
  if (receipt.hash !== hash) throw new Error(`call ${call.id} was changed after it was settled: its receipt is ${hash}`)
  return receipt
}
