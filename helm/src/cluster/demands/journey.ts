import { isDeepStrictEqual } from 'node:util'
import { MINIMAL } from '../../chart.ts'
import { Availability } from '../availability.ts'
import { cordon, drain } from '../drain.ts'
import { makeNamespace } from '../namespace.ts'
import { ZONES } from '../nodes.ts'
import { type Deployment, Release } from '../release.ts'
import { demandNothing, type Group, type World } from './demand.ts'
import { spreadOverZones } from './spread-over-zones.ts'

const NAMESPACE = 'market-journey'
const SCALED = 'router'
/** Three replicas of each target, spread by the chart's defaults; the indexer has one chain and a standby replica. */
const withRouter = (router: object, defaults: object = {}) => ({
  defaults: { replicas: 3, ...defaults },
  targets: { 'chain-indexer': { replicas: 2 }, [SCALED]: router },
})
const FIXED = withRouter({ replicas: 5 })
const UPGRADED = withRouter({ replicas: 5 }, { podAnnotations: { upgraded: 'yes' } })
const AUTOSCALED = withRouter({ replicas: 5, autoscaling: { kind: 'work', minReplicas: 2, maxReplicas: 9 } })

/** Deployments with fewer available replicas than their minimum, in words. */
const tooFew = (seen: Availability, floorOf: (name: string) => number): string[] =>
  seen.below(floorOf).map(({ name, available }) => `${name} had ${available} available, of at least ${floorOf(name)}`)

/** A release that is upgraded, scaled, rolled back and has its nodes drained, with all Deployment states watched. */
export function journeyGroup(world: World): Group {
  const { api } = world
  const release = new Release(world, NAMESPACE)
  let installed: readonly Deployment[] = []

  /** Does something while recording every state of the Deployments, and waits until everything is available again. */
  async function watching(what: () => Promise<void>): Promise<Availability> {
    const seen = new Availability()
    const stop = await api.watch(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, (object) => seen.see(object))
    try {
      await what()
      await release.stands()
    } finally {
      stop()
    }
    return seen
  }
  const wantedNow = async () =>
    new Map((await release.deployments()).map(({ metadata, spec }) => [metadata.name, spec.replicas]))

  return {
    name: 'journey',
    demands: [
      {
        name: 'installed, all of it stands over three zones',
        async hold() {
          await makeNamespace(api, NAMESPACE)
          await release.upgrade(MINIMAL, FIXED)
          await release.stands()
          installed = await release.deployments()
          return spreadOverZones(api, release)
        },
      },
      {
        name: 'an upgrade of every pod takes none from those available',
        async hold() {
          const before = await wantedNow()
          const seen = await watching(() => release.upgrade(MINIMAL, UPGRADED))
          demandNothing(tooFew(seen, (name) => before.get(name) ?? 0))
          return `${before.size} Deployments, ${await spreadOverZones(api, release)}`
        },
      },
      {
        name: 'from a fixed number to an autoscaler: never below what ran',
        async hold() {
          const { metadata, spec } = await release.deployment(SCALED)
          const seen = await watching(() => release.upgrade(MINIMAL, AUTOSCALED))
          const { available, wanted } = seen.least(metadata.name)
          const least = `${SCALED}: wanted ${wanted} at the least and had ${available}, of ${spec.replicas}`
          demandNothing(Math.min(available, wanted) < spec.replicas ? [least] : [])
          return least
        },
      },
      {
        name: 'a rollback to the first revision is what was installed',
        async hold() {
          const seen = await watching(() => release.rollback(1))
          const now = await release.deployments()
          const isAsBefore = ({ metadata, spec }: Deployment) =>
            isDeepStrictEqual(spec, installed.find((one) => one.metadata.name === metadata.name)?.spec)
          demandNothing(now.filter((one) => !isAsBefore(one)).map(({ metadata }) => `${metadata.name} is another`))
          demandNothing(tooFew(seen, (name) => now.find(({ metadata }) => metadata.name === name)?.spec.replicas ?? 0))
          return `${now.length} Deployments as they were`
        },
      },
      {
        name: 'a node of each zone is drained, one after the other, within the disruption budgets',
        async hold() {
          const wanted = await wantedNow()
          const budgets = await budgetsOf(world)
          let evicted = 0
          let refused = 0
          const seen = await watching(async () => {
            for (const zone of ZONES) {
              const node = `${zone}-1`
              const drained = await drain(api, node, NAMESPACE)
              evicted += drained.evicted
              refused += drained.refused
              await release.stands()
              await cordon(api, node, false)
            }
          })
          demandNothing(tooFew(seen, (name) => (wanted.get(name) ?? 0) - (budgets.get(name) ?? 0)))
          demandNothing(evicted === 0 ? ['no pod was on the nodes'] : [])
          return `${evicted} pods evicted, ${refused} evictions put off by budgets, at most one of a target away`
        },
      },
    ],
  }
}

/** The number of a Deployment's pods that may be unavailable, by its name, which its budget shares. */
async function budgetsOf({ api }: World): Promise<ReadonlyMap<string, number>> {
  const { items } = await api.get(`/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`)
  return new Map(
    items.map((budget: { metadata: { name: string }; spec: { maxUnavailable: number } }) => [
      budget.metadata.name,
      budget.spec.maxUnavailable,
    ]),
  )
}
