import type { DataOf, ObservedSettlement, settlementReverted } from '@callboard/contract'
import { decimalText } from '@callboard/values'
import { sql } from 'kysely'
import { lockSettlement, sharePayee } from './locks.ts'
import { ownerOf } from './payee.repository.ts'
import type { CatalogTx } from './tables.ts'

/**
 * Writes a settlement as it stands in a block, unless a later observation of it is kept. It belongs to whoever holds
 * its payee now, and counts as reverted when the block is known to have left the chain since.
 * @param sequence of the event: orders all that is said of one settlement
 */
export async function keepSettlement(tx: CatalogTx, seen: ObservedSettlement, sequence: number): Promise<void> {
  await lockSettlement(tx, seen)
  await sharePayee(tx, { network: seen.network, address: seen.payTo })
  const amountUsd = decimalText(BigInt(seen.amount), seen.decimals)
  const owner = ownerOf({
    network: sql`${seen.network}`,
    payTo: sql`${seen.payTo}`,
    amountUsd: sql`${amountUsd}::numeric`,
  })
  await sql`
    insert into settlement (network, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to, asset,
                            amount_usd, slug, reverted, sequence)
    values (${seen.network}, ${seen.txHash}, ${seen.logIndex}, ${seen.blockNumber}, ${seen.blockHash},
            ${new Date(seen.observedAt)}, ${seen.payer}, ${seen.payTo}, ${seen.asset}, ${amountUsd},
            ${owner},
            exists (select from settlement_revert
                    where network = ${seen.network} and tx_hash = ${seen.txHash} and log_index = ${seen.logIndex}
                      and block_hash = ${seen.blockHash} and sequence > ${sequence}),
            ${sequence})
    on conflict (network, tx_hash, log_index) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash,
          observed_at = excluded.observed_at, payer = excluded.payer, pay_to = excluded.pay_to,
          asset = excluded.asset, amount_usd = excluded.amount_usd, slug = excluded.slug,
          reverted = excluded.reverted, sequence = excluded.sequence
      where settlement.sequence < excluded.sequence`.execute(tx)
}

/** Takes a settlement back, if it still stands in the block that left, and remembers that the block left. */
export async function revertSettlement(
  tx: CatalogTx,
  { network, txHash, logIndex, blockHash }: DataOf<typeof settlementReverted>,
  sequence: number,
): Promise<void> {
  await lockSettlement(tx, { network, txHash })
  await sql`
    insert into settlement_revert (network, tx_hash, log_index, block_hash, sequence)
    values (${network}, ${txHash}, ${logIndex}, ${blockHash}, ${sequence})
    on conflict (network, tx_hash, log_index, block_hash) do update
      set sequence = greatest(settlement_revert.sequence, excluded.sequence)`.execute(tx)
  await tx
    .updateTable('settlement')
    .set({ reverted: true })
    .where('network', '=', network)
    .where('tx_hash', '=', txHash)
    .where('log_index', '=', logIndex)
    .where('block_hash', '=', blockHash)
    .where('sequence', '<', sequence)
    .execute()
}
