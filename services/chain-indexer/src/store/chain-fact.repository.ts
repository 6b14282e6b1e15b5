import type { ObservedIdentity, ObservedSplitter, ObservedSupplyChange } from '@callboard/contract'
import type { Caip2 } from '@callboard/values'
import { type Selectable, sql } from 'kysely'
import { inChainOrder, insertedOf, placeIn, placeRow } from './log-rows.ts'
import type { ChainFactTable, IndexerTx } from './tables.ts'

/** Chain data that is kept in addition to settlements, stakes and burns, by kind. */
export type ChainFact =
  | { readonly kind: 'splitter'; readonly emitter: string; readonly said: ObservedSplitter }
  | { readonly kind: 'supply'; readonly emitter: string; readonly said: ObservedSupplyChange }
  | { readonly kind: 'identity'; readonly emitter: string; readonly said: ObservedIdentity }

/** The facts of one kind, as published. */
export const saidOf = <Kind extends ChainFact['kind']>(facts: readonly ChainFact[], kind: Kind) =>
  facts.flatMap((fact) => (fact.kind === kind ? [fact.said as Extract<ChainFact, { kind: Kind }>['said']] : []))

/** Records facts in one statement. Existing ones are left unchanged. @returns the new ones */
export async function insertFacts(tx: IndexerTx, facts: readonly ChainFact[]): Promise<readonly ChainFact[]> {
  if (facts.length === 0) return []
  const rows = facts.map(({ kind, emitter, said }) => ({ ...placeRow(said), kind, emitter, said }))
  const { rows: inserted } = await sql<ChainFactTable>`
    insert into chain_fact (network, tx_hash, log_index, block_number, block_hash, observed_at, kind, emitter, said)
    select network, tx_hash, log_index, block_number, block_hash, observed_at, kind, emitter, said
    from json_to_recordset(${JSON.stringify(rows)}::json) as one (network text, tx_hash text, log_index integer,
      block_number bigint, block_hash text, observed_at timestamptz, kind text, emitter text, said jsonb)
    on conflict do nothing
    returning tx_hash, log_index`.execute(tx)
  const all = facts.map((fact) => ({ ...fact.said, fact }))
  return insertedOf(all, inserted).map(({ fact }) => fact)
}

/** Deletes the facts in blocks above a height. @returns them, in chain order */
export async function deleteFactsAbove(tx: IndexerTx, network: Caip2, height: number): Promise<ChainFact[]> {
  const rows = await tx
    .deleteFrom('chain_fact')
    .where('network', '=', network)
    .where('block_number', '>', height)
    .returningAll()
    .execute()
  return factsIn(rows)
}

/** Deletes the facts that a contract logged. @returns them, in chain order */
export async function deleteFactsOf(tx: IndexerTx, network: Caip2, emitter: string): Promise<ChainFact[]> {
  const rows = await tx
    .deleteFrom('chain_fact')
    .where('network', '=', network)
    .where('emitter', '=', emitter)
    .returningAll()
    .execute()
  return factsIn(rows)
}

const factsIn = (rows: readonly Selectable<ChainFactTable>[]): ChainFact[] =>
  rows
    .map((row) => ({
      place: placeIn(row),
      fact: { kind: row.kind, emitter: row.emitter, said: row.said } as ChainFact,
    }))
    .toSorted((a, b) => inChainOrder(a.place, b.place))
    .map(({ fact }) => fact)
