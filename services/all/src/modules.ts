import { agents } from '@callboard/agents'
import { catalog } from '@callboard/catalog'
import { chainIndexer } from '@callboard/chain-indexer'
import { gateway } from '@callboard/gateway'
import { listings } from '@callboard/listings'
import { livenessProber } from '@callboard/liveness-prober'
import { oauth } from '@callboard/oauth'
import { router } from '@callboard/router'
import type { ServiceModule } from '@callboard/runtime'
import { x402Facilitator } from '@callboard/x402-facilitator'

/** Every service, those that are called before those that call: the order of starting, and backwards of stopping. */
export const modules: readonly ServiceModule[] = [
  oauth,
  agents,
  livenessProber,
  x402Facilitator,
  router,
  chainIndexer,
  listings,
  catalog,
  gateway,
]

/**
 * The services that `TARGET` names: `all`, or a comma list.
 * @throws Error naming what there is when it names something else
 */
export function targetModules(target: string): readonly ServiceModule[] {
  if (target === 'all') return modules
  const wanted = target.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !modules.some((module) => module.name === name))
  if (unknown.length > 0) {
    const known = ['all', ...modules.map((module) => module.name)].join(', ')
    throw new Error(`TARGET names ${unknown.join(', ')}; there are ${known}.`)
  }
  return modules.filter((module) => wanted.includes(module.name))
}
