import { type RawBuilder, sql } from 'kysely'

/**
 * What a receipt says of a settled call, as `factsOf` of domain/receipt.ts writes it: JSON without blanks, its members in
 * this order.
 * @param table has the columns of `call`
 */
export function receiptFacts(table: string): RawBuilder<string> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql`row_to_json((select facts from (select
    ${of('call_id')} as id, ${of('key_id')} as key, ${of('model')} as model, ${of('upstream')} as upstream,
    ${of('surface')} as surface, ${of('source')} as source,
    case when ${of('input_tokens')} is not null then row_to_json((select used from (select
      ${of('input_tokens')} as "inputTokens", ${of('output_tokens')} as "outputTokens",
      ${of('cache_read_tokens')} as "cacheReadTokens", ${of('cache_write_tokens')} as "cacheWriteTokens",
      ${of('reasoning_tokens')} as "reasoningTokens") as used)) end as usage,
    ${of('estimated')} as estimated, ${of('ending')} as ending, ${of('price_version')} as "priceVersion",
    ${usd(of('amount_nano'))} as "heldUsd", ${usd(of('cost_nano'))} as "amountUsd", 'USD' as currency,
    ${time(of('created_at'))} as "createdAt", ${time(of('settled_at'))} as "settledAt") as facts))::text`
}

/** The text that is hashed and signed: the facts, and the receipt's place in the chain of its key. */
export const receiptText = (receipt: {
  readonly facts: RawBuilder<unknown>
  readonly seq: RawBuilder<unknown>
  readonly previous: RawBuilder<unknown>
}): RawBuilder<string> => sql`
  left(${receipt.facts}, -1) || ',"seq":' || (${receipt.seq})::text || ',"previous":'
  || coalesce('"' || encode(${receipt.previous}, 'hex') || '"', 'null') || '}'`

/** Decimal text without trailing zeros; a product of decimals is exact, where a quotient is rounded. */
const usd = (nano: RawBuilder<unknown>) => sql`trim_scale(${nano} * 0.000000001)::text`

const time = (at: RawBuilder<unknown>) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
