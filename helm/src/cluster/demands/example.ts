import { until } from '@callboard/testkit/until'
import { leftBehind, makeNamespace, objectsIn } from '../namespace.ts'
import { Release } from '../release.ts'
import { accepted } from './accepted.ts'
import { demandNothing, type Group, type World } from './demand.ts'
import { spreadOverZones } from './spread-over-zones.ts'

const GONE_WITHIN_MS = 60_000

/** The life of one example of the chart's values in its own namespace, from the first object to the last. */
export function exampleGroup(world: World, name: string, values: string): Group {
  const namespace = `market-${name}`
  const release = new Release(world, namespace)
  const { api, kinds } = world
  return {
    name,
    demands: [
      {
        name: 'every object is accepted strictly, without a warning',
        async hold() {
          await makeNamespace(api, namespace)
          return `${await accepted(world, await release.rendered(values), namespace)} objects`
        },
      },
      {
        name: 'installed under Pod Security restricted, all of it stands',
        async hold() {
          const startedAt = performance.now()
          await release.upgrade(values)
          await release.stands()
          return `${(await release.deployments()).length} Deployments within ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
        },
      },
      { name: 'all pods are scheduled, spread over zones', hold: () => spreadOverZones(api, release) },
      {
        name: 'the pod of helm test is admitted, and goes',
        async hold() {
          const said = await release.test()
          return /Phase:\s+Succeeded/.test(said) ? 'its pod was admitted and scheduled' : 'it has none'
        },
      },
      {
        name: 'an uninstall leaves nothing',
        async hold() {
          await release.uninstall()
          const left = async () => leftBehind(await objectsIn(api, kinds, namespace))
          await until('all is gone', async () => (await left()).length === 0, GONE_WITHIN_MS).catch(() => undefined)
          demandNothing(await left())
          return 'no object of any kind'
        },
      },
    ],
  }
}
