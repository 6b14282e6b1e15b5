import type { StakeChange } from '@callboard/contract'
import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { StakeBalance } from '../domain/counted-stakes.ts'
import type { RouterTx } from './tables.ts'

/**
 * Serializes changes of an owner's stake, so that each recount sees the previous ones.
 * @param owners in an order that all callers share, against deadlocks
 */
export const lockStakes = (tx: RouterTx, owners: readonly Address[]) =>
  sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${owners.map((owner) => `router:stake:${owner}`)}::text[]) as lock (name)`.execute(tx)

/** A report on a stake change: it is in a block, or its block left the chain. */
export interface SaidOfStake extends StakeChange {
  readonly reverted: boolean
  /** Of the reporting event: the later one counts, whatever the order of arrival. */
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

/** What an owner had staked since a given time, and last before it in each contract. In the order of each chain. */
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
