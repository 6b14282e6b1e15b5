import { type Chain, clientOf } from '@callboard/evm'
import type { AfterRestore } from '@callboard/runtime'
import type { Address } from '@callboard/values'
import { readingChain } from '../chain/chain-unavailable.ts'
import type { FacilitatorContext } from '../context.ts'
import { nextNonces, raiseLane } from '../store/lane.repository.ts'
import { recoverPayments } from './recover-payments.ts'

/**
 * Brings the tables up to the chain: every lane's nonce past its account's transactions, including pending ones, and
 * every payment of the lost time known.
 * @throws ChainUnavailable; nothing is served before every chain has answered
 */
export async function afterRestore(ctx: FacilitatorContext, restored: AfterRestore): Promise<string[]> {
  const lines: string[] = []
  for (const chain of ctx.resources.chains.values()) {
    for (const lane of ctx.resources.keys.addresses()) lines.push(...(await bringForward(ctx, chain, lane, restored)))
    const { payments, open } = await recoverPayments(ctx, chain, restored)
    const what = restored.dryRun ? 'would be known again' : 'are known again'
    lines.push(`${chain.network}: ${payments} payments that settled in the lost time ${what}`)
    if (open > 0) lines.push(`${chain.network}: ${open} more stand open, and end as the chain says`)
  }
  return lines
}

async function bringForward(
  ctx: FacilitatorContext,
  { network }: Chain,
  lane: Address,
  { dryRun }: AfterRestore,
): Promise<string[]> {
  const client = clientOf(ctx.resources.clients, network)
  const count = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address: lane, blockTag })
  const [mined, pending] = await readingChain(network, Promise.all([count('latest'), count('pending')]))
  const before = (await nextNonces(ctx.db, network)).get(lane) ?? 0
  const next = Math.max(before, pending)
  if (!dryRun) await raiseLane(ctx.db, network, lane, pending)
  const unseen = pending - Math.max(mined, before)
  const lines = [`${network}: the next nonce of ${lane} is ${next}, and was ${before}`]
  if (unseen > 0) {
    lines.push(
      `${network}: ${unseen} transactions of ${lane} wait for a block and are not in the table: reconcile again, with --restored-to, once they are in one`,
    )
  }
  return lines
}
