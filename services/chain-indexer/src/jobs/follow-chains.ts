import { type Job, pause } from '@callboard/runtime'
import { type Term, tryLead } from '@callboard/store'
import type { IndexerContext } from '../context.ts'
import { FinalityBroken } from '../domain/sync-status.ts'
import type { FollowedChain } from '../followed-chain.ts'
import { follow } from '../sync/follow.ts'

/** How long one question for leadership waits for the leader's end. */
const STANDBY_MS = 10_000

/** Follows every served chain, each by itself: one that fails or halts holds up no other. */
export const followChains: Job<IndexerContext> = {
  name: 'follow-chains',
  run: async (ctx, signal) => {
    await Promise.all(ctx.resources.followed.map((followed) => followAsLeader(ctx, followed, signal)))
  },
}

/**
 * Stands by until this replica is the chain's leader, follows it for the term, and stands by again.
 * Ends early in one case: when a final block is gone, a person has to look.
 */
async function followAsLeader(ctx: IndexerContext, followed: FollowedChain, signal: AbortSignal): Promise<void> {
  const { network } = followed.chain
  const { metrics } = ctx.resources
  while (!signal.aborted) {
    const term = await lead(ctx, network, signal)
    if (term) {
      metrics.halted.set({ network }, 0)
      metrics.leader.set({ network }, 1)
      ctx.log.info({ network, term: term.token }, 'this replica follows the chain')
      const leading = AbortSignal.any([signal, term.signal])
      try {
        await Promise.all([followed.providers.proveChains(leading), follow({ ctx, followed, term }, leading)])
      } catch (error) {
        if (!(error instanceof FinalityBroken)) throw error
        metrics.halted.set({ network }, 1)
        ctx.log.error({ err: error, network }, 'a final block is gone: the chain is not followed until a restart')
        return
      } finally {
        metrics.leader.set({ network }, 0)
        metrics.headBlock.remove({ network })
        metrics.cursorBlock.remove({ network })
        await term.resign()
      }
    }
    await pause(ctx.config.INDEXER_STANDBY_MS, signal)
  }
}

async function lead(ctx: IndexerContext, network: string, signal: AbortSignal): Promise<Term | undefined> {
  try {
    return await tryLead(ctx.sessions, `follow:${network}`, { ms: STANDBY_MS, signal })
  } catch (error) {
    if (signal.aborted) return undefined
    ctx.log.warn({ err: error, network }, 'the leader cannot be chosen while Postgres is unreachable')
    return undefined
  }
}
