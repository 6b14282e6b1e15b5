import type { ServiceModule } from '@callboard/runtime'

/**
 * How each service is imported, called services before their callers: the order of starting, and in reverse of
 * stopping. A process imports only the services it runs, as imports are most of the cost of its start.
 */
const SERVICES = {
  oauth: async () => (await import('@callboard/oauth')).oauth,
  agents: async () => (await import('@callboard/agents')).agents,
  'liveness-prober': async () => (await import('@callboard/liveness-prober')).livenessProber,
  'x402-facilitator': async () => (await import('@callboard/x402-facilitator')).x402Facilitator,
  router: async () => (await import('@callboard/router')).router,
  'chain-indexer': async () => (await import('@callboard/chain-indexer')).chainIndexer,
  listings: async () => (await import('@callboard/listings')).listings,
  catalog: async () => (await import('@callboard/catalog')).catalog,
  gateway: async () => (await import('@callboard/gateway')).gateway,
} satisfies Readonly<Record<string, () => Promise<ServiceModule>>>

export type ServiceName = keyof typeof SERVICES

/** The names of all services, in the order of starting. */
export const serviceNames = Object.keys(SERVICES) as readonly ServiceName[]

/** Imports services, in the order of starting. */
export const importServices = (names: readonly ServiceName[] = serviceNames): Promise<readonly ServiceModule[]> =>
  Promise.all(serviceNames.filter((name) => names.includes(name)).map((name) => SERVICES[name]()))

/**
 * Imports the services that `TARGET` names: `all`, or a comma-separated list.
 * @throws Error listing the names when it contains another
 */
export async function importTarget(target: string): Promise<readonly ServiceModule[]> {
  if (target === 'all') return importServices()
  const wanted = target.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !isServiceName(name))
  if (unknown.length > 0) {
    const known = ['all', ...serviceNames].join(', ')
    throw new Error(`TARGET names unknown services: ${unknown.join(', ')}. Known: ${known}.`)
  }
  return importServices(wanted.filter(isServiceName))
}

const isServiceName = (name: string): name is ServiceName => Object.hasOwn(SERVICES, name)
