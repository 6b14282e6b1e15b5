import { type Job, pause } from '@callboard/runtime'
import { type Term, tryLead } from '@callboard/store'
import type { IndexerContext } from '../context.ts'
import { FinalityBroken } from '../domain/sync-status.ts'
import type { FollowedChain } from '../followed-chain.ts'
import { follow } from '../sync/follow.ts'
import { LedChains } from './led-chains.ts'
import { leaderOf, shareChains } from './share-chains.ts'

/** How long one request for leadership waits for the leader's end. */
const STANDBY_MS = 10_000

/** Follows every served chain independently: one that fails or halts does not hold up the others. */
export const followChains: Job<IndexerContext> = {
  name: 'follow-chains',
  run: async (ctx, signal) => {
    const led = new LedChains()
    const following = ctx.resources.followed.map((followed) => followAsLeader({ ctx, followed, led }, signal))
    await Promise.all([...following, shareChains(ctx, led, signal)])
  },
}

interface Chosen {
  readonly ctx: IndexerContext
  readonly followed: FollowedChain
  readonly led: LedChains
}

/**
 * Stands by until this replica is the chain's leader, follows it for the term, and stands by again. Ends early in one
 * case: when a final block is gone, a person has to intervene.
 */
async function followAsLeader({ ctx, followed, led }: Chosen, signal: AbortSignal): Promise<void> {
  const { network } = followed.chain
  const { metrics } = ctx.resources
  while (!signal.aborted) {
    const term = await lead(ctx, network, led.idle, signal)
    if (term) {
      metrics.halted.set({ network }, 0)
      metrics.leader.set({ network }, 1)
      ctx.log.info({ network, term: term.token }, 'this replica follows the chain')
      const leading = AbortSignal.any([signal, term.signal, led.begin(network)])
      try {
        await Promise.all([followed.providers.proveChains(leading), follow({ ctx, followed, term }, leading)])
      } catch (error) {
        if (!(error instanceof FinalityBroken)) throw error
        metrics.halted.set({ network }, 1)
        ctx.log.error({ err: error, network }, 'a final block is gone: the chain is not followed until a restart')
        return
      } finally {
        led.end(network)
        metrics.leader.set({ network }, 0)
        metrics.headBlock.remove({ network })
        metrics.cursorBlock.remove({ network })
        await term.resign()
      }
    }
    await pause(ctx.config.INDEXER_STANDBY_MS, signal)
  }
}

/** @param idle absent where this replica already leads a chain: then it asks without waiting */
async function lead(
  ctx: IndexerContext,
  network: string,
  idle: AbortSignal | undefined,
  signal: AbortSignal,
): Promise<Term | undefined> {
  const standby = idle ? { ms: STANDBY_MS, signal: AbortSignal.any([signal, idle]) } : { ms: 0 }
  try {
    return await tryLead(ctx.sessions, leaderOf(network), standby)
  } catch (error) {
    if (signal.aborted || idle?.aborted) return undefined
    ctx.log.warn({ err: error, network }, 'the leader cannot be chosen while Postgres is unreachable')
    return undefined
  }
}
