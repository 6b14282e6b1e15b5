import { ConfigError } from '@callboard/runtime'

/** What a replica holds beside a connection for each chain that it leads: one for the relay, and one to work with. */
const BESIDE_CHAINS = 2

/**
 * @param most connections that a replica may open, of which those for leading are taken
 * @throws ConfigError where they would take all of them, so that nothing could be recorded or published
 */
export function requireConnections(most: number, chains: number): void {
  const needed = chains + BESIDE_CHAINS
  if (most >= needed) return
  const reason = `is ${most}, and leading ${chains} chains takes at least ${needed}: one for each, one for the relay, and one to work with`
  throw new ConfigError([{ setting: 'DATABASE_POOL_SIZE', reason }])
}
