import { burnObserved, settlementObserved, stakeChanged } from '@callboard/contract'
import { assertLeading, type CommitWith, pipelined, StaleTerm, type Term } from '@callboard/store'
import { isoTime } from '@callboard/values'
import type { Transaction } from 'kysely'
import type { IndexerContext } from '../context.ts'
import { type BlockRead, written } from '../domain/block-read.ts'
import type { BlockHeader, BlockRef } from '../domain/chain-data.ts'
import { finalHeight } from '../domain/sync-status.ts'
import { insertRead, lastRead } from '../store/block-read.repository.ts'
import { insertBurns } from '../store/burn.repository.ts'
import { insertBlocks, insertCursor, keepBlocksBetween, moveCursor } from '../store/chain.repository.ts'
import { insertFacts } from '../store/chain-fact.repository.ts'
import { insertSettlements } from '../store/settlement.repository.ts'
import { insertStakes } from '../store/stake.repository.ts'
import type { IndexerTx } from '../store/tables.ts'
import { factPublications } from './facts.ts'
import type { Following } from './following.ts'
import type { Observed } from './observe.ts'
import { revert } from './revert.ts'

/** Chain data that was read and is to be recorded. */
export interface Advance extends Observed {
  /** The blocks to keep, ascending. */
  readonly blocks: readonly BlockHeader[]
  /** The last of `blocks`. */
  readonly to: BlockRef
  /** The read that produced it; absent where there was none. */
  readonly read?: BlockRead
  /** After a reorganisation: the height of the last block that is still in the chain. */
  readonly revertAbove?: number
}

export type Writer = Pick<IndexerContext, 'db' | 'clock' | 'publishAll' | 'publication'>

/**
 * Runs the leader's write: fenced, and all or nothing. The fence travels with the first write.
 * @throws StaleTerm when another replica leads by now
 */
export const asLeader = <Result>(
  { db }: Writer,
  term: Pick<Term, 'name' | 'token'>,
  write: (tx: IndexerTx, commitWith: CommitWith) => Promise<Result>,
): Promise<Result> =>
  pipelined(db, async (tx, commitWith) => {
    const leading = assertLeading(tx as unknown as Transaction<never>, term)
    const onceLeading: CommitWith = async (statements) => {
      await leading
      return commitWith(statements)
    }
    const [, result] = await Promise.all([leading, write(tx, onceLeading)])
    return result
  })

/** Opens a chain at a cursor, with the blocks below it that a reorganisation could reach. */
export const commitStart = ({ ctx, followed: { chain }, term }: Following, start: Advance) =>
  asLeader(ctx, term, async (tx) => {
    await insertCursor(tx, chain.network, start.to, new Date(ctx.clock.now()))
    await insertBlocks(tx, chain.network, start.blocks)
  })

/**
 * Writes rows, events, kept blocks and the cursor in one transaction: after a crash a step is there completely or not
 * at all, and reading a range again adds nothing.
 * @param from the cursor at the start of the step
 * @returns how many settlements, stakes, burns and other facts are new, and how many were reverted
 */
export function commit(
  { ctx, followed, term }: Following,
  from: BlockRef,
  { blocks, to, settlements, stakes, burns, facts, read, revertAbove }: Advance,
): Promise<{ observed: number; reverted: number }> {
  const { network, finalityDepth } = followed.chain
  const now = new Date(ctx.clock.now())
  const kept = { from: finalHeight(to.number, finalityDepth), to: revertAbove ?? from.number }
  return asLeader(ctx, term, async (tx, commitWith) => {
    const [moved, reverted, , last] = await Promise.all([
      moveCursor(tx, network, { from, to }, now),
      revertAbove === undefined ? 0 : revert(ctx, tx, network, revertAbove),
      keepBlocksBetween(tx, network, kept),
      read && lastRead(tx, network),
    ])
    if (!moved) throw new StaleTerm(`The cursor of ${network} no longer is at block ${from.number}`)
    const [settled, staked, burned, said] = await Promise.all([
      insertSettlements(tx, settlements),
      insertStakes(tx, stakes),
      insertBurns(tx, burns),
      insertFacts(tx, facts),
      insertBlocks(
        tx,
        network,
        blocks.filter(({ number }) => number >= kept.from),
      ),
      read && insertRead(tx, network, written(network, read, last, isoTime(now.getTime()))),
    ])
    await commitWith([
      ctx.publication(settlementObserved, settled),
      ctx.publication(stakeChanged, staked),
      ctx.publication(burnObserved, burned),
      ...factPublications(ctx, said),
    ])
    return { observed: settled.length + staked.length + burned.length + said.length, reverted }
  })
}
