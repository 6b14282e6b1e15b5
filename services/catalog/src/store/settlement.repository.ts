import type {
  Credit,
  DataOf,
  ObservedSettlement,
  Sequenced,
  settlementAttributed,
  settlementReverted,
} from '@callboard/contract'
import { decimalText } from '@callboard/values'
import { sql } from 'kysely'
import { sharedColumn } from './payee.repository.ts'
import type { CatalogTx } from './tables.ts'

/** A settlement and its attribution. */
export type CreditedSettlement = Sequenced<ObservedSettlement> & { readonly credit: Credit | undefined }

/** The amount of a settlement, as exact decimal text. */
export const amountUsdOf = ({ amount, decimals }: ObservedSettlement): string => decimalText(BigInt(amount), decimals)

/**
 * Writes settlements as they are in a block, each unless a later observation is stored. A settlement counts as reverted
 * if its block is known to have left the chain since. The caller locks the settlements, their payments and payees.
 */
export async function keepSettlements(tx: CatalogTx, settlements: readonly CreditedSettlement[]): Promise<void> {
  if (settlements.length === 0) return
  const rows = settlements.map((seen) => ({
    ...{ network: seen.network, tx_hash: seen.txHash, log_index: seen.logIndex, block_number: seen.blockNumber },
    ...{ block_hash: seen.blockHash, observed_at: seen.observedAt, payer: seen.payer, pay_to: seen.payTo },
    ...{ asset: seen.asset, amount_usd: amountUsdOf(seen), nonce: seen.nonce, sequence: seen.sequence },
    ...{ slug: seen.credit?.slug ?? null, kind: seen.credit?.kind ?? 'call', shared_with: sharedColumn(seen.credit) },
    facilitator: seen.facilitator,
  }))
  await sql`
    insert into settlement (network, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to, asset,
                            amount_usd, slug, kind, shared_with, nonce, sequence, facilitator, reverted)
    select network, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to, asset,
           amount_usd, slug, kind, shared_with, nonce, sequence,
           coalesce(facilitator, (select submission.facilitator from submission
                                  where submission.network = one.network and submission.tx_hash = one.tx_hash)),
           exists (select from settlement_revert left_chain
                   where left_chain.network = one.network and left_chain.tx_hash = one.tx_hash
                     and left_chain.log_index = one.log_index and left_chain.block_hash = one.block_hash
                     and left_chain.sequence > one.sequence)
    from json_to_recordset(${JSON.stringify(rows)}::json) as one (
      network text, tx_hash text, log_index integer, block_number bigint, block_hash text, observed_at timestamptz,
      payer text, pay_to text, asset text, amount_usd numeric, slug text, kind text, shared_with text[], nonce text,
      sequence bigint, facilitator text)
    on conflict (network, tx_hash, log_index) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash,
          observed_at = excluded.observed_at, payer = excluded.payer, pay_to = excluded.pay_to,
          asset = excluded.asset, amount_usd = excluded.amount_usd, slug = excluded.slug, kind = excluded.kind,
          shared_with = excluded.shared_with, nonce = excluded.nonce, facilitator = excluded.facilitator,
          reverted = excluded.reverted, sequence = excluded.sequence,
          patterns = case when excluded.reverted then 0 else settlement.patterns end
      where settlement.sequence < excluded.sequence`.execute(tx)
}

/**
 * Reverts a settlement, if it is still the one of the block that left, and remembers that the block left. A reverted
 * settlement shows no pattern. The caller locks the settlement.
 */
export async function revertSettlement(
  tx: CatalogTx,
  { network, txHash, logIndex, blockHash, sequence }: Sequenced<DataOf<typeof settlementReverted>>,
): Promise<void> {
  await sql`
    insert into settlement_revert (network, tx_hash, log_index, block_hash, sequence)
    values (${network}, ${txHash}, ${logIndex}, ${blockHash}, ${sequence})
    on conflict (network, tx_hash, log_index, block_hash) do update
      set sequence = greatest(settlement_revert.sequence, excluded.sequence)`.execute(tx)
  await tx
    .updateTable('settlement')
    .set({ reverted: true, patterns: 0 })
    .where('network', '=', network)
    .where('tx_hash', '=', txHash)
    .where('log_index', '=', logIndex)
    .where('block_hash', '=', blockHash)
    .where('sequence', '<', sequence)
    .execute()
}

/** Records who submitted transactions to the chain, also in their settlements. The caller locks the settlements. */
export async function keepSubmissions(
  tx: CatalogTx,
  submissions: readonly Pick<DataOf<typeof settlementAttributed>, 'network' | 'txHash' | 'facilitator'>[],
): Promise<void> {
  if (submissions.length === 0) return
  const rows = submissions.map((one) => ({
    network: one.network,
    tx_hash: one.txHash,
    facilitator: one.facilitator,
  }))
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as one (network text, tx_hash text, facilitator text)`
  await sql`
    insert into submission (network, tx_hash, facilitator)
    select distinct on (network, tx_hash) network, tx_hash, facilitator from ${given}
    on conflict do nothing`.execute(tx)
  await sql`
    update settlement set facilitator = one.facilitator from ${given}
    where settlement.network = one.network and settlement.tx_hash = one.tx_hash and settlement.facilitator is null`.execute(
    tx,
  )
}
