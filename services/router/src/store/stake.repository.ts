import type { StakeChange } from '@callboard/contract'
import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { StakeBalance } from '../domain/counted-stakes.ts'
import type { RouterTx } from './tables.ts'

/**
 * Changes of an owner's stake are taken one after the other, so that each recount sees those before it.
 * @param owners in the order in which everyone locks them
 */
export const lockStakes = (tx: RouterTx, owners: readonly Address[]) =>
  sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${owners.map((owner) => `router:stake:${owner}`)}::text[]) as lock (name)`.execute(tx)

/** What was said of a change: that it stands in a block, or that its block left the chain. */
export interface SaidOfStake extends StakeChange {
  readonly reverted: boolean
  /** Of the event that said it: the later one holds, in whatever order they come. */
  readonly sequence: number
}

export const keepStake = (tx: RouterTx, said: SaidOfStake) =>
  tx
    .insertInto('stake_change')
    .values({
      ...{ network: said.network, tx_hash: said.txHash, log_index: said.logIndex, contract: said.contract },
      ...{ owner: said.owner, stake: said.stake, block_number: Number(said.blockNumber) },
      ...{ mined_at: new Date(said.observedAt), reverted: said.reverted, sequence: said.sequence },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'tx_hash', 'log_index'])
        .doUpdateSet(({ ref }) => ({
          contract: ref('excluded.contract'),
          owner: ref('excluded.owner'),
          stake: ref('excluded.stake'),
          block_number: ref('excluded.block_number'),
          mined_at: ref('excluded.mined_at'),
          reverted: ref('excluded.reverted'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('stake_change.sequence', '<', 'excluded.sequence'),
    )
    .execute()

/** What an owner had staked since a moment, and in each contract the last before it. In the order of each chain. */
export async function stakeBalancesOf(tx: RouterTx, owner: Address, since: Date): Promise<StakeBalance[]> {
  const columns = sql`network, contract, stake, block_number, log_index, mined_at`
  const known = sql`from stake_change where owner = ${owner} and not reverted`
  const { rows } = await sql<{ source: string; stake: string; mined_at: Date }>`
    select network || ' ' || contract as source, stake::text as stake, mined_at
    from ((select distinct on (network, contract) ${columns} ${known} and mined_at < ${since}
           order by network, contract, block_number desc, log_index desc)
          union all
          (select ${columns} ${known} and mined_at >= ${since})) as stood
    order by network, contract, block_number, log_index`.execute(tx)
  return rows.map(({ source, stake, mined_at }) => ({ source, stake: BigInt(stake), at: mined_at.getTime() }))
}
