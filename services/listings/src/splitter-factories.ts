import { chainOf, hasSplitters, openChains, type SplitterChain, SplitterFactories } from '@callboard/evm'
import { every, type ServiceContext, watchingChains } from '@callboard/runtime'
import { type Caip2, type Refusal, refuse } from '@callboard/values'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { ListingsContext, Resources } from './context.ts'
import type { ListingsTables } from './store/tables.ts'

/** How often a factory that is not known to be ours is checked; the verdict itself decides when to query a chain. */
const LOOK_MS = 5_000
const RETRY_AFTER_SECONDS = 5

/** The operator's metric of the factories. */
export const splitterFactoryGauge = (registry: Registry) =>
  new Gauge({
    name: 'callboard_splitter_factory_refused',
    help: '1 while a network’s splitter factory is not our factory as configured, so that the network accepts no listings. All replicas show the same.',
    labelNames: ['network'],
    registers: [registry],
  })

/** The chains, their clients, and the verdicts on their splitter factories. */
export async function openResources(
  ctx: ServiceContext<Config, ListingsTables, undefined>,
): Promise<Pick<Resources, 'chains' | 'clients' | 'factories'>> {
  const { chains, clients } = openChains(ctx.config, watchingChains(ctx))
  const refused = splitterFactoryGauge(ctx.metrics.registry)
  const factories = new SplitterFactories(chains, clients, (network, verdict) => {
    refused.set({ network }, Number(verdict.state === 'other'))
    if (verdict.state === 'other')
      ctx.log.error({ network, fault: verdict.fault }, 'the network takes no listings: its splitter factory is refused')
    if (verdict.state === 'unknown')
      ctx.log.warn({ err: verdict.cause, network }, 'the splitter factory could not be looked at yet')
    if (verdict.state === 'ours') ctx.log.info({ network }, 'the splitter factory is ours')
  })
  for (const network of factories.networks) refused.set({ network }, 0)
  ctx.readiness.add(() => ({
    notReady: [],
    notes: factories.networks.flatMap((network) => noteOn(factories, network)),
  }))
  return { chains, clients, factories }
}

const noteOn = (factories: SplitterFactories, network: Caip2): string[] => {
  const verdict = factories.last(network)
  if (verdict?.state === 'other') return [`${network} takes no listings: ${verdict.fault}`]
  return verdict?.state === 'ours' ? [] : [`${network} takes no listings yet: its splitter factory was not looked at`]
}

/** Checks every factory at the start, and again until it is ours. */
export const lookAtFactories = every<ListingsContext>('look-at-splitter-factories', LOOK_MS, async ({ resources }) => {
  await Promise.all(resources.factories.networks.map((network) => resources.factories.verdict(network)))
})

/**
 * Returns the chain of a network whose splitters may be predicted: it has a factory, which was verified to be ours. An
 * address predicted from another factory may be one to which nothing can ever be deployed.
 * @returns unsupported_network if it is not, temporarily_unavailable while the chain cannot be queried
 */
export async function splitterChain(
  { resources }: Pick<ListingsContext, 'resources'>,
  network: Caip2,
): Promise<SplitterChain | Refusal<'unsupported_network' | 'temporarily_unavailable'>> {
  const chain = resources.chains.get(network)
  if (!chain || !hasSplitters(chain)) return refuse('unsupported_network', { field: 'network' })
  const { state } = await resources.factories.verdict(network)
  if (state === 'ours') return chain
  if (state === 'other') return refuse('unsupported_network', { field: 'network', message: REFUSED(network) })
  const message = `The splitter factory of ${network} cannot be checked right now.`
  return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

const REFUSED = (network: Caip2) =>
  `The splitter factory of ${network} is not the one that this network was set up with, so this instance gives no splitter address there until the operator has fixed that.`

/** The networks on which splitters may be predicted now, and for the provider, why the others are left out. */
export async function splitterNetworks({ resources }: Pick<ListingsContext, 'resources'>) {
  const verdicts = await Promise.all(
    resources.factories.networks.map(async (network) => ({
      network,
      state: (await resources.factories.verdict(network)).state,
    })),
  )
  const isUnknown = verdicts.some(({ state }) => state === 'unknown')
  const served = verdicts.filter(({ state }) => state === 'ours').map(({ network }) => network)
  const refused = verdicts
    .filter(({ state }) => state === 'other')
    .map(({ network }) => ({ network, name: chainOf(resources.chains, network).name, reason: REFUSED(network) }))
  return { served, refused, isUnknown }
}
