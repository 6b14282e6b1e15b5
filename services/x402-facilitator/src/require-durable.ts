import { realNetworks } from '@callboard/evm'
import type { ServiceContext } from '@callboard/runtime'
import { durabilityGaps } from '@callboard/store'
import type { Config } from './config.ts'

/**
 * Refuses to settle on a real chain with a database that may lose data in a power cut: a payment whose row is lost is
 * paid and never answered, or its chain nonce is handed out twice. On the devnet nothing of value can be lost.
 * @throws Error with one sentence that names the settings that are off
 */
export async function requireDurable(config: Config, pool: ServiceContext['pool']): Promise<void> {
  const [network] = realNetworks(config)
  if (!network) return
  const off = await durabilityGaps(pool)
  if (off.length === 0) return
  throw new Error(
    `${network} is a real chain, and Postgres runs with ${off.join(' and ')} off: turn on what keeps payments over a power ` +
      'cut, or serve the devnet alone.',
  )
}
