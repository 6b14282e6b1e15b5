import { pause } from '@callboard/runtime'
import { awaitedNames } from '@callboard/store'
import type { IndexerContext } from '../context.ts'
import type { LedChains } from './led-chains.ts'

/** Standby intervals between two checks: by then a chain that was handed over has been taken. */
const BEATS_BETWEEN = 10

/** The name under which the leader of a chain is chosen. */
export const leaderOf = (network: string): string => `follow:${network}`

/**
 * Hands one of several chains over to a replica that leads none, until either runs out: so an additional replica takes
 * over work from one that is behind, up to one replica per chain.
 */
export async function shareChains(ctx: IndexerContext, led: LedChains, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(BEATS_BETWEEN * ctx.config.INDEXER_STANDBY_MS, signal)
    const { networks } = led
    if (networks.length < 2) continue
    try {
      const awaited = new Set(await awaitedNames(ctx.sessions, networks.map(leaderOf)))
      const network = networks.findLast((one) => awaited.has(leaderOf(one)))
      if (!network) continue
      ctx.log.info({ network }, 'this replica gives the chain to one that leads none')
      led.give(network)
    } catch (error) {
      if (!signal.aborted) ctx.log.warn({ err: error }, 'chains are not shared while Postgres is unreachable')
    }
  }
}
