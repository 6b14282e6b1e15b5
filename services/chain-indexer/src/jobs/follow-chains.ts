import { type Job, pause } from '@callboard/runtime'
import { type Term, tryLead } from '@callboard/store'
import { FinalityBroken } from '../domain/standing.ts'
import type { FollowedChain, IndexerKit } from '../kit.ts'
import { follow } from '../sync/follow.ts'

/** Follows every served chain, each by itself: one that fails or halts holds up no other. */
export const followChains: Job<IndexerKit> = {
  name: 'follow-chains',
  run: async (kit, signal) => {
    await Promise.all(kit.parts.followed.map((followed) => followAsLeader(kit, followed, signal)))
  },
}

/**
 * Stands by until this replica is the chain's leader, follows it for the term, and stands by again.
 * Ends early in one case: when a final block is gone, a person has to look.
 */
async function followAsLeader(kit: IndexerKit, followed: FollowedChain, signal: AbortSignal): Promise<void> {
  const { network } = followed.chain
  const { metrics } = kit.parts
  while (!signal.aborted) {
    const term = await lead(kit, network)
    if (term) {
      metrics.halted.set({ network }, 0)
      metrics.leader.set({ network }, 1)
      kit.log.info({ network, term: term.token }, 'this replica follows the chain')
      try {
        await follow({ kit, followed, term }, AbortSignal.any([signal, term.signal]))
      } catch (error) {
        if (!(error instanceof FinalityBroken)) throw error
        metrics.halted.set({ network }, 1)
        kit.log.error({ err: error, network }, 'a final block is gone: the chain is not followed until a restart')
        return
      } finally {
        metrics.leader.set({ network }, 0)
        metrics.headBlock.remove({ network })
        metrics.cursorBlock.remove({ network })
        await term.resign()
      }
    }
    await pause(kit.config.INDEXER_STANDBY_MS, signal)
  }
}

async function lead(kit: IndexerKit, network: string): Promise<Term | undefined> {
  try {
    return await tryLead(kit.pool, `follow:${network}`)
  } catch (error) {
    kit.log.warn({ err: error, network }, 'the leader cannot be chosen while Postgres is away')
    return undefined
  }
}
