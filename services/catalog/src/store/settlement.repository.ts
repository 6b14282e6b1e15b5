import { creditOf, type DataOf, type ObservedSettlement, type settlementReverted } from '@callboard/contract'
import { decimalText } from '@callboard/values'
import { sql } from 'kysely'
import { lockPayment, lockSettlement, sharePayee } from './locks.ts'
import { claimsOf, sharedColumn } from './payee.repository.ts'
import { resourceNamed } from './payment-resource.repository.ts'
import type { CatalogTx } from './tables.ts'

/**
 * Writes a settlement as it stands in a block, unless a later observation of it is kept. It belongs to the listing that holds
 * its payee now, and counts as reverted when the block is known to have left the chain since. A transfer of nothing
 * settles nothing, and is not kept.
 * @param sequence of the event: orders all that is said of one settlement
 */
export async function keepSettlement(tx: CatalogTx, seen: ObservedSettlement, sequence: number): Promise<void> {
  if (BigInt(seen.amount) === 0n) return
  await lockSettlement(tx, seen)
  await lockPayment(tx, seen)
  const { network, asset } = seen
  const payee = { network, address: seen.payTo }
  await sharePayee(tx, payee)
  const at = Date.parse(seen.observedAt)
  const amountUsd = decimalText(BigInt(seen.amount), seen.decimals)
  const resource = (await resourceNamed(tx, seen)) ?? null
  const credit = creditOf({ network, asset, amountUsd, at, resource }, await claimsOf(tx, payee, at))
  await sql`
    insert into settlement (network, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to, asset,
                            amount_usd, slug, kind, shared_with, nonce, reverted, sequence)
    values (${seen.network}, ${seen.txHash}, ${seen.logIndex}, ${seen.blockNumber}, ${seen.blockHash},
            ${new Date(seen.observedAt)}, ${seen.payer}, ${seen.payTo}, ${seen.asset}, ${amountUsd},
            ${credit?.slug ?? null}, ${credit?.kind ?? 'call'}, ${sharedColumn(credit)}, ${seen.nonce},
            exists (select from settlement_revert
                    where network = ${seen.network} and tx_hash = ${seen.txHash} and log_index = ${seen.logIndex}
                      and block_hash = ${seen.blockHash} and sequence > ${sequence}),
            ${sequence})
    on conflict (network, tx_hash, log_index) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash,
          observed_at = excluded.observed_at, payer = excluded.payer, pay_to = excluded.pay_to,
          asset = excluded.asset, amount_usd = excluded.amount_usd, slug = excluded.slug, kind = excluded.kind,
          shared_with = excluded.shared_with, nonce = excluded.nonce,
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
